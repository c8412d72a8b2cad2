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
  ofContact,
  one,
  overlapData,
  party,
  statusFields,
  version,
  withinDays,
  withReason,
} from '../reservations/contract.ts'
import { dayParts } from './link-rules.ts'
import { mailKinds, mailRefusals } from './mail-rules.ts'
import { appointmentStatuses, appointmentTypes, longest, shortest } from './rules.ts'

export const appointmentMessages = {
  ...bookingMessages,
  noReason: 'Only a cancelled appointment has a reason',
  noProvider: 'This person does not see patients',
} as const

/** Days that one call may look at. */
const maxDays = 62
/** Appointments that one call may answer. */
export const maxShown = 2_000

const appointment = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: party,
  type: z.enum(appointmentTypes),
  providerId: z.uuid().nullable(),
  roomId: z.uuid().nullable(),
  startsAt: z.date(),
  endsAt: z.date(),
  status: z.enum(appointmentStatuses),
  cancelReason: z.string().nullable(),
  notes: z.string().nullable(),
  tellsPatient: z.boolean(),
})
export type Appointment = z.output<typeof appointment>

const mailed = z.object({
  id: z.uuid(),
  kind: z.enum(mailKinds),
  /** The time that it tells of. */
  startsAt: z.date(),
  createdAt: z.date(),
  /** Null where there is a message. */
  refusal: z.enum(mailRefusals).nullable(),
  /** What became of the message; null where there is none, or none any more. */
  message: z.object({ to: z.string(), status: z.enum(messageStatuses), problem: z.string().nullable() }).nullable(),
})
const wish = z.object({
  id: z.uuid(),
  startsAt: z.date(),
  weekdays: z.array(z.number().int()),
  dayParts: z.array(z.enum(dayParts)),
  words: z.string().nullable(),
  createdAt: z.date(),
})
/** The newest so many of each are told. */
export const maxListed = 50
const correspondence = z.object({
  /** The newest first. */
  mails: z.array(mailed),
  wishes: z.array(wish),
})
export type Correspondence = z.output<typeof correspondence>

const openings = z.object({
  days: z.array(z.object({ day: z.string(), isClosed: z.boolean(), times: z.array(z.string()) })),
  /** The next opening from now on; null where there is none within 90 days. */
  next: z.object({ day: z.string(), time: z.string() }).nullable(),
})
export type Openings = z.output<typeof openings>

const fields = {
  type: z.enum(appointmentTypes, 'Choose a type'),
  providerId: z.uuid().nullable(),
  roomId: z.uuid().nullable(),
  startsAt: instant,
  minutes: minutesBetween(shortest, longest),
  notes: optionalText(5_000),
  tellsPatient: z.boolean('Say yes or no'),
  /** It is meant although the practice is closed then. */
  outsideHours: z.boolean('Say yes or no').default(false),
}

const refusals = {
  /** `what` is taken by the appointment or surgery at that time. */
  OVERLAP: { status: 409, message: 'The provider or the room is taken at that time', data: overlapData },
  OUTSIDE_HOURS: { status: 409, message: 'The practice is closed then' },
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
      summary: `Appointments that touch a time of at most ${maxDays} days, in their order`,
    })
    .input(
      withinDays(
        z.strictObject({
          from: instant,
          to: instant,
          providerId: z.uuid().optional(),
          roomId: z.uuid().optional(),
          /** Those that were cancelled or missed are left out unless they are asked for. */
          all: z.enum(['true', 'false'], 'Say true or false').default('false'),
        }),
        maxDays,
      ),
    )
    .output(z.object({ data: z.array(appointment), isTruncated: z.boolean() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/appointments', tags, summary: 'The appointments of a patient, the latest first' })
    .input(ofContact)
    .errors({ NOT_FOUND: { status: 404, message: appointmentMessages.noPatient } })
    .output(z.array(appointment)),
  get: oc
    .route({ method: 'GET', path: '/appointments/{id}', tags, summary: 'One appointment' })
    .input(one)
    .errors(noAppointment)
    .output(appointment),
  correspondence: oc
    .route({
      method: 'GET',
      path: '/appointments/{id}/correspondence',
      tags,
      summary: 'Emails to the patient about an appointment, and the patient’s requests',
    })
    .input(one)
    .errors(noAppointment)
    .output(correspondence),
  openings: oc
    .route({ method: 'GET', path: '/appointments/openings', tags, summary: 'When a provider and a room are both free, day by day' })
    .input(
      z.strictObject({
        from: calendarDay,
        days: z.coerce.number<number | string>('Enter a number of days').int().min(1).max(maxDays).default(7),
        minutes: z.coerce
          .number<number | string>('Choose how long it takes')
          .int()
          .min(shortest, `At least ${shortest} minutes`)
          .max(longest, `At most ${longest / 60} hours`),
        providerId: z.uuid().optional(),
        roomId: z.uuid().optional(),
        /** An appointment that is moved: it is not in its own way. */
        except: z.uuid().optional(),
      }),
    )
    .output(openings),
  book: oc
    .route({ method: 'POST', path: '/appointments', tags, summary: 'Book an appointment; a consult moves the patient to Consult Booked' })
    .input(
      z.strictObject({
        ...fields,
        contactId: z.uuid(appointmentMessages.patient),
        providerId: fields.providerId.default(null),
        roomId: fields.roomId.default(null),
        notes: fields.notes.default(null),
        tellsPatient: fields.tellsPatient.default(false),
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({ ...refusals, KEY_REUSED: { status: 409, message: 'This key belongs to another appointment' } })
    .output(appointment),
  change: oc
    .route({ method: 'PATCH', path: '/appointments/{id}', tags, summary: 'Move an appointment, or change what it is' })
    .input(z.strictObject(fields).partial().extend({ id: z.uuid(), version, outsideHours: fields.outsideHours }))
    .errors({
      ...noAppointment,
      ...changed,
      ...refusals,
      NOT_HOLDING: { status: 409, message: 'An appointment that was cancelled or missed cannot be moved' },
    })
    .output(appointment),
  setStatus: oc
    .route({ method: 'POST', path: '/appointments/{id}/status', tags, summary: 'Confirmed, arrived, completed, missed or cancelled' })
    .input(
      withReason(
        z.strictObject({ ...statusFields(appointmentStatuses), tellsPatient: fields.tellsPatient.optional() }),
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
