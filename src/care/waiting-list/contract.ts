import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, instant } from '../../shared/dates.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { daysFrom } from '../../shared/zoned-time.ts'
import { dayParts } from '../appointments/link-rules.ts'
import { contactIdInput, invalidFields } from '../reservations/contract.ts'
import { offerStatuses, shownStates, waitingLimits, entryStatuses } from './rules.ts'

export const waitingMessages = {
  noPatient: 'This patient does not exist',
  noVisitType: 'This visit type is no longer offered',
  notTheirVisit: 'This person does not do this visit',
  lastDay: 'The last day cannot be before the first',
  past: 'The last day has passed',
  tooLong: `At most ${waitingLimits.days} days`,
  notWaiting: 'This patient no longer waits for this visit',
  openOffer: 'The patient has an offer that is still open',
  gone: 'This time is no longer free',
  notFound: 'This link no longer works',
  tooMany: 'Too many attempts. Please wait 15 minutes, or call us.',
} as const

const offer = z.object({
  id: z.uuid(),
  startsAt: z.date(),
  providerId: z.uuid().nullable(),
  status: z.enum(offerStatuses),
  /** Until when the patient may say yes. */
  expiresAt: z.date(),
  /** Null: offered automatically. */
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})
const entry = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: z.object({
    id: z.uuid(),
    firstName: z.string(),
    lastName: z.string(),
    preferredName: z.string().nullable(),
    dateOfBirth: z.string().nullable(),
  }),
  visitTypeId: z.uuid(),
  /** Null: anyone who does the visit. */
  providerId: z.uuid().nullable(),
  /** 1 (Monday) to 7; empty: every day. */
  weekdays: z.array(z.number().int()),
  /** Empty: at any time. */
  dayParts: z.array(z.enum(dayParts)),
  fromDay: z.string(),
  toDay: z.string(),
  note: z.string().nullable(),
  status: z.enum(entryStatuses),
  appointmentId: z.uuid().nullable(),
  /** The first free time that suits the patient, as of the last minute; null: none does. */
  openAt: z.date().nullable(),
  /** Null: the patient, on the booking page. */
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  /** Newest first, at most ten. */
  offers: z.array(offer),
})
export type WaitingEntry = z.output<typeof entry>

/** When a visit suits the patient. */
export const suitableTimes = {
  weekdays: z
    .array(z.number('Choose days').int().min(1, 'Choose days').max(7, 'Choose days'))
    .max(7, 'A week has seven days')
    .transform((all) => [...new Set(all)].toSorted((a, b) => a - b)),
  dayParts: z
    .array(z.enum(dayParts, 'Choose times'))
    .max(dayParts.length, 'Choose times')
    .transform((all) => [...new Set(all)]),
  fromDay: calendarDay,
  toDay: calendarDay,
}
export const inOrder = <Shape extends z.ZodType<{ fromDay: string; toDay: string }>>(shape: Shape) =>
  shape
    .refine(({ fromDay, toDay }) => fromDay <= toDay, { path: ['toDay'], message: waitingMessages.lastDay })
    .refine(({ fromDay, toDay }) => !(daysFrom(fromDay, toDay) >= waitingLimits.days), {
      path: ['toDay'],
      message: waitingMessages.tooLong,
    })
const fields = {
  visitTypeId: z.uuid('Choose a visit'),
  providerId: z.uuid('Choose a provider').nullable().default(null),
  ...suitableTimes,
  note: optionalText(waitingLimits.note).default(null),
}

const fitting = z.object({
  entryId: z.uuid(),
  contact: entry.shape.contact,
  visitTypeId: z.uuid(),
  /** The first start in the gap that suits the patient. */
  startsAt: z.date(),
  createdAt: z.date(),
  /** The patient has an open offer. */
  isOffered: z.boolean(),
})
const gap = z.object({
  providerId: z.uuid(),
  startsAt: z.date(),
  endsAt: z.date(),
  /** In the order in which they have waited. */
  fitting: z.array(fitting),
})
export type Gap = z.output<typeof gap>

const noEntry = { NOT_FOUND: { status: 404, message: 'This entry of the waiting list does not exist' } } as const
const tooMany = { TOO_MANY: { status: 409, message: 'There are too many entries on the waiting list. Remove some first.' } } as const
const notWaiting = { NOT_WAITING: { status: 409, message: waitingMessages.notWaiting } } as const
const tags = ['Waiting list']

export const waitingListContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/waiting-list',
      tags,
      summary: 'List the patients who wait for a visit, those who have waited longest first',
    })
    .input(z.strictObject({ visitTypeId: z.uuid().optional(), providerId: z.uuid().optional() }))
    .output(z.array(entry)),
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/waiting-list',
      tags,
      summary: 'List the visits that a patient waits or waited for, newest first',
    })
    .input(contactIdInput)
    .errors({ NOT_FOUND: { status: 404, message: waitingMessages.noPatient } })
    .output(z.array(entry)),
  add: oc
    .route({ method: 'POST', path: '/waiting-list', tags, summary: 'Add a patient to the waiting list' })
    .input(inOrder(z.strictObject({ contactId: z.uuid('Choose a patient'), ...fields })))
    .errors({ ...invalidFields, ...tooMany })
    .output(entry),
  change: oc
    .route({ method: 'PUT', path: '/waiting-list/{id}', tags, summary: 'Change what a patient waits for' })
    .input(inOrder(z.strictObject({ id: z.uuid(), version, ...fields })))
    .errors({ ...noEntry, ...invalidFields, ...changedMeanwhile, ...notWaiting })
    .output(entry),
  remove: oc
    .route({ method: 'POST', path: '/waiting-list/{id}/end', tags, summary: 'Take a patient off the waiting list; open offers end' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ ...noEntry, ...notWaiting })
    .output(entry),
  gaps: oc
    .route({
      method: 'GET',
      path: '/waiting-list/gaps',
      tags,
      summary: `List the free times of at most ${waitingLimits.gapDays} days for which patients wait, by provider`,
    })
    .input(
      z.strictObject({
        from: calendarDay,
        days: z.coerce.number<number | string>('Enter a number of days').int().min(1).max(waitingLimits.gapDays).default(1),
      }),
    )
    .output(z.array(gap)),
  offer: oc
    .route({ method: 'POST', path: '/waiting-list/{id}/offers', tags, summary: 'Offer a time to a patient who waits, by text or email' })
    .input(z.strictObject({ id: z.uuid(), providerId: z.uuid('Choose a provider').nullable().default(null), startsAt: instant }))
    .errors({
      ...noEntry,
      ...notWaiting,
      ...invalidFields,
      OPEN_OFFER: { status: 409, message: waitingMessages.openOffer },
      GONE: { status: 409, message: waitingMessages.gone },
      UNREACHABLE: { status: 409, message: 'No text or email can be sent to this patient. Please call them.' },
    })
    .output(entry),
}

/** Everything that an offer shows. Kept minimal, because anyone may hold the link. */
const offered = z.object({
  state: z.enum(shownStates),
  firstName: z.string(),
  visit: z.string(),
  visitFr: z.string().nullable(),
  minutes: z.number().int(),
  startsAt: z.date(),
  provider: z.string().nullable(),
  place: z.string(),
  expiresAt: z.date(),
  /** What the patient pays with the booking, in cents; 0: a card is kept; null: nothing, so that yes books it. */
  depositCents: z.number().int().nullable(),
  /** Where the patient moves or cancels what was booked with it. */
  link: z.string().nullable(),
  /** Whether the patient still waits for this visit. */
  isWaiting: z.boolean(),
  /** The visit, if patients may book it online; otherwise null. */
  bookableId: z.uuid().nullable(),
})
export type OfferedTime = z.output<typeof offered>

const place = z.object({
  status: z.enum(entryStatuses),
  firstName: z.string(),
  visit: z.string(),
  visitFr: z.string().nullable(),
  /** Null: anyone who does the visit. */
  provider: z.string().nullable(),
  /** 1 (Monday) to 7; empty: every day. */
  weekdays: z.array(z.number().int()),
  /** Empty: at any time. */
  dayParts: z.array(z.enum(dayParts)),
  /** The first day that suits, if it is still to come; otherwise null. */
  fromDay: z.string().nullable(),
  toDay: z.string(),
  /** The visit, if patients may book it online; otherwise null. */
  bookableId: z.uuid().nullable(),
})
export type WaitingPlace = z.output<typeof place>

export const byToken = z.strictObject({ token: z.string().max(200, 'This link is incomplete or wrong').refine(isStorable, notStorable) })
const refusals = {
  NOT_FOUND: { status: 404, message: waitingMessages.notFound },
  TOO_MANY_REQUESTS: { status: 429, message: waitingMessages.tooMany },
} as const
const offerTags = ['Waiting list offers']

/** Calls behind the links in an offer, and in the email to who joins the list. The token is the only credential. */
export const waitingOffersContract = {
  view: oc
    .route({ method: 'GET', path: '/waiting-offers/{token}', tags: offerTags, summary: 'Show the offered time, without answering' })
    .input(byToken)
    .errors(refusals)
    .output(offered),
  accept: oc
    .route({
      method: 'POST',
      path: '/waiting-offers/{token}/acceptance',
      tags: offerTags,
      summary: 'Book the offered time, or learn that it is gone, or that a deposit has to be paid first; idempotent',
    })
    .input(byToken)
    .errors(refusals)
    .output(offered),
  decline: oc
    .route({
      method: 'POST',
      path: '/waiting-offers/{token}/refusal',
      tags: offerTags,
      summary: 'Decline the offered time; the patient stays on the list unless they stop',
    })
    .input(byToken.extend({ stops: z.boolean('Must be true or false').default(false) }))
    .errors(refusals)
    .output(offered),
  place: oc
    .route({
      method: 'GET',
      path: '/waiting-places/{token}',
      tags: offerTags,
      summary: 'Show what a patient waits for, without changing it',
    })
    .input(byToken)
    .errors(refusals)
    .output(place),
  leave: oc
    .route({
      method: 'POST',
      path: '/waiting-places/{token}/leave',
      tags: offerTags,
      summary: 'Take a patient off the waiting list; idempotent',
    })
    .input(byToken)
    .errors(refusals)
    .output(place),
}
