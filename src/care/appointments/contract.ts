import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, instant } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalText } from '../../shared/text-shapes.ts'
import { messageStatuses } from '../../messages/inbox/rules.ts'
import {
  bookingMessages,
  invalidFields,
  minutesBetween,
  notPossible,
  contactIdInput,
  idInput,
  overlapData,
  patientSummary,
  statusFields,
  version,
  withinDays,
  withReason,
} from '../reservations/contract.ts'
import { visitLimits } from '../availability/rules.ts'
import { dayParts } from './link-rules.ts'
import { mailKinds, mailRefusals } from './email-rules.ts'
import { appointmentStatuses, appointmentTypes, maxMinutes, minMinutes } from './rules.ts'

export const appointmentMessages = {
  ...bookingMessages,
  noReason: 'Only a cancelled appointment has a reason',
  onlyCancelled: 'Only a cancellation includes the following visits',
  noProvider: 'This person does not see patients',
  noVisitType: 'This visit type is no longer offered',
  notTheirVisit: 'This person does not do this visit',
  notItsRoom: 'This visit does not take place in this room',
  noSecond: 'This person is no longer active',
  noSeries: 'This visit is not a series, or its number of visits has changed',
  seriesOrder: 'The visits must be in order and on different days',
  isProvider: 'Choose someone other than the provider',
} as const

/** The most days that one call may cover. */
const maxDays = 62
/** The most appointments that one call returns. */
export const maxShown = 2_000

const appointment = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: patientSummary,
  type: z.enum(appointmentTypes),
  providerId: z.uuid().nullable(),
  roomId: z.uuid().nullable(),
  visitTypeId: z.uuid().nullable(),
  /** Takes part in addition to the provider. */
  secondPersonId: z.uuid().nullable(),
  /** The series that it was booked in; null: none. */
  seriesId: z.uuid().nullable(),
  /** From 1. */
  seriesNumber: z.number().int().nullable(),
  /** How many visits were booked in the series. */
  seriesVisits: z.number().int().nullable(),
  startsAt: z.date(),
  endsAt: z.date(),
  /** Minutes kept free before and after it. */
  bufferBefore: z.number().int(),
  bufferAfter: z.number().int(),
  status: z.enum(appointmentStatuses),
  cancelReason: z.string().nullable(),
  notes: z.string().nullable(),
  notifiesPatient: z.boolean(),
})
export type Appointment = z.output<typeof appointment>

const sentMail = z.object({
  id: z.uuid(),
  kind: z.enum(mailKinds),
  /** The appointment time in the email. */
  startsAt: z.date(),
  createdAt: z.date(),
  /** Why no email was sent; null if there is a message. */
  refusal: z.enum(mailRefusals).nullable(),
  /** Delivery state of the message; null if none was sent or it was deleted. */
  message: z.object({ to: z.string(), status: z.enum(messageStatuses), problem: z.string().nullable() }).nullable(),
})
const rescheduleRequest = z.object({
  id: z.uuid(),
  startsAt: z.date(),
  weekdays: z.array(z.number().int()),
  dayParts: z.array(z.enum(dayParts)),
  words: z.string().nullable(),
  createdAt: z.date(),
})
/** The most emails and the most requests that one call returns, newest first. */
export const maxListed = 50
const correspondence = z.object({
  /** Newest first. */
  emails: z.array(sentMail),
  rescheduleRequests: z.array(rescheduleRequest),
})
export type Correspondence = z.output<typeof correspondence>

const openings = z.object({
  /** `isClosed`: no one who is asked for works on that day. */
  days: z.array(z.object({ day: z.string(), isClosed: z.boolean(), times: z.array(z.string()) })),
  /** The next opening from now on, or null within a year. */
  next: z.object({ day: z.string(), time: z.string() }).nullable(),
})
export type Openings = z.output<typeof openings>

const seriesDate = z.object({
  /** From 1. */
  number: z.number().int(),
  /** The weekday and time of the first visit, in its week. */
  wantedAt: z.date(),
  /** That time, or the nearest opening in the week; null: there is none. */
  startsAt: z.date().nullable(),
})
export type SeriesDate = z.output<typeof seriesDate>

/** So far apart, no two visits can overlap, whatever their duration and buffers. */
const minSeriesGapMs = (maxMinutes + 2 * visitLimits.buffer) * 60_000
const inOrder = (starts: readonly Date[]) =>
  starts.every((start, at) => at === 0 || !(Number(start) - Number(starts[at - 1]) < minSeriesGapMs))

const fields = {
  type: z.enum(appointmentTypes, 'Choose a type'),
  providerId: z.uuid().nullable(),
  roomId: z.uuid().nullable(),
  visitTypeId: z.uuid().nullable(),
  secondPersonId: z.uuid().nullable(),
  startsAt: instant,
  minutes: minutesBetween(minMinutes, maxMinutes),
  notes: optionalText(5_000),
  notifiesPatient: z.boolean('Must be true or false'),
  /** Confirms a time outside working hours, or beyond the daily maximum of a visit type. */
  outsideHours: z.boolean('Must be true or false').default(false),
}

const refusals = {
  /** `what` is taken by the appointment or surgery at that time. */
  OVERLAP: { status: 409, message: 'The provider or room is already booked at that time', data: overlapData },
  OUTSIDE_HOURS: { status: 409, message: 'This is outside working hours, or the day is full' },
  ...invalidFields,
} as const
const changed = {
  CONFLICT: { status: 409, message: 'Someone has changed this appointment in the meantime', data: z.object({ current: appointment }) },
} as const
const noAppointment = { NOT_FOUND: { status: 404, message: 'This appointment does not exist' } } as const
const tags = ['Appointments']

export const appointmentsContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/appointments',
      tags,
      summary: `List appointments that overlap a period of at most ${maxDays} days, in order`,
    })
    .input(
      withinDays(
        z.strictObject({
          from: instant,
          to: instant,
          providerId: z.uuid().optional(),
          roomId: z.uuid().optional(),
          /** Whether to include cancelled and missed appointments. */
          all: z.enum(['true', 'false'], 'Must be true or false').default('false'),
        }),
        maxDays,
      ),
    )
    .output(z.object({ data: z.array(appointment), isTruncated: z.boolean() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/appointments', tags, summary: 'List a patient’s appointments, newest first' })
    .input(contactIdInput)
    .errors({ NOT_FOUND: { status: 404, message: appointmentMessages.noPatient } })
    .output(z.array(appointment)),
  get: oc
    .route({ method: 'GET', path: '/appointments/{id}', tags, summary: 'Get an appointment' })
    .input(idInput)
    .errors(noAppointment)
    .output(appointment),
  correspondence: oc
    .route({
      method: 'GET',
      path: '/appointments/{id}/correspondence',
      tags,
      summary: 'List emails about an appointment and the patient’s reschedule requests',
    })
    .input(idInput)
    .errors(noAppointment)
    .output(correspondence),
  openings: oc
    .route({
      method: 'GET',
      path: '/appointments/openings',
      tags,
      summary: 'List the times when a visit is possible, or a provider and a room are both free, day by day',
    })
    .input(
      z.strictObject({
        from: calendarDay,
        days: z.coerce.number<number | string>('Enter a number of days').int().min(1).max(maxDays).default(7),
        minutes: z.coerce
          .number<number | string>('Choose a duration')
          .int()
          .min(minMinutes, `At least ${minMinutes} minutes`)
          .max(maxMinutes, `At most ${maxMinutes / 60} hours`),
        /** Adds its buffers and daily maximum, and offers its people and rooms where none is given. */
        visitTypeId: z.uuid().optional(),
        providerId: z.uuid().optional(),
        secondPersonId: z.uuid().optional(),
        roomId: z.uuid().optional(),
        /** As patients see them who book themselves: within the minimum notice and the horizon of the visit type. */
        asPatient: z.enum(['true', 'false'], 'Must be true or false').default('false'),
        /** An appointment to ignore, because it is the one being moved. */
        except: z.uuid().optional(),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: appointmentMessages.noVisitType } })
    .output(openings),
  /** With a visit type, a provider, second person or room that is not given is chosen among those who are free. */
  book: oc
    .route({ method: 'POST', path: '/appointments', tags, summary: 'Book an appointment; a consult moves the patient to Consult Booked' })
    .input(
      z.strictObject({
        ...fields,
        contactId: z.uuid(appointmentMessages.patient),
        providerId: fields.providerId.default(null),
        roomId: fields.roomId.default(null),
        visitTypeId: fields.visitTypeId.default(null),
        secondPersonId: fields.secondPersonId.default(null),
        notes: fields.notes.default(null),
        notifiesPatient: fields.notifiesPatient.default(false),
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({
      ...refusals,
      NO_OPENING: { status: 409, message: 'No one who does this visit is free then, or no room is' },
      KEY_REUSED: { status: 409, message: 'This key belongs to another appointment' },
    })
    .output(appointment),
  seriesDates: oc
    .route({
      method: 'GET',
      path: '/appointments/series-dates',
      tags,
      summary: 'List the dates of a series: the weekday and time of its first visit, or the nearest opening in that week',
    })
    .input(
      z.strictObject({
        visitTypeId: z.uuid(),
        startsAt: instant,
        minutes: z.coerce
          .number<number | string>('Choose a duration')
          .int()
          .min(minMinutes, `At least ${minMinutes} minutes`)
          .max(maxMinutes, `At most ${maxMinutes / 60} hours`),
        providerId: z.uuid().optional(),
        secondPersonId: z.uuid().optional(),
        roomId: z.uuid().optional(),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: appointmentMessages.noSeries } })
    .output(z.array(seriesDate)),
  /** Who and what is not given is chosen for each visit. A refusal of one refuses all. */
  bookSeries: oc
    .route({ method: 'POST', path: '/appointments/series', tags, summary: 'Book all visits of a series at once, or none' })
    .input(
      z.strictObject({
        contactId: z.uuid(appointmentMessages.patient),
        type: fields.type,
        providerId: fields.providerId.default(null),
        roomId: fields.roomId.default(null),
        visitTypeId: z.uuid(),
        secondPersonId: fields.secondPersonId.default(null),
        starts: z
          .array(instant)
          .min(2, appointmentMessages.noSeries)
          .max(visitLimits.seriesVisits)
          .refine(inOrder, appointmentMessages.seriesOrder),
        minutes: fields.minutes,
        notes: fields.notes.default(null),
        notifiesPatient: fields.notifiesPatient.default(false),
        outsideHours: fields.outsideHours,
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({
      ...refusals,
      NO_OPENING: { status: 409, message: 'No one who does this visit is free then, or no room is' },
      KEY_REUSED: { status: 409, message: 'This key belongs to another appointment' },
    })
    .output(z.array(appointment)),
  change: oc
    .route({ method: 'PATCH', path: '/appointments/{id}', tags, summary: 'Move or edit an appointment' })
    .input(z.strictObject(fields).partial().extend({ id: z.uuid(), version, outsideHours: fields.outsideHours }))
    .errors({
      ...noAppointment,
      ...changed,
      ...refusals,
      NOT_HOLDING: { status: 409, message: 'A cancelled or missed appointment cannot be rescheduled' },
    })
    .output(appointment),
  setStatus: oc
    .route({
      method: 'POST',
      path: '/appointments/{id}/status',
      tags,
      summary: 'Change the status: confirmed, arrived, completed, missed or cancelled',
    })
    .input(
      withReason(
        z
          .strictObject({
            ...statusFields(appointmentStatuses),
            notifiesPatient: fields.notifiesPatient.optional(),
            /** Also cancels the visits of its series that follow. */
            andFollowing: z.boolean('Must be true or false').default(false),
          })
          .refine(({ status, andFollowing }) => status === 'cancelled' || !andFollowing, {
            path: ['andFollowing'],
            message: appointmentMessages.onlyCancelled,
          }),
        appointmentMessages.noReason,
      ),
    )
    .errors({
      ...noAppointment,
      ...changed,
      OVERLAP: refusals.OVERLAP,
      ...invalidFields,
      ...notPossible,
      TOO_EARLY: { status: 409, message: 'An appointment can only be marked as a no-show once it has started' },
    })
    .output(appointment),
}
