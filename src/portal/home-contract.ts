import { oc } from '@orpc/contract'
import { z } from 'zod'
import { dayParts, linkMessages } from '../care/appointments/link-rules.ts'
import { appointmentTypes } from '../care/appointments/rules.ts'
import { instant } from '../shared/dates.ts'
import { isStorable, notStorable } from '../shared/text.ts'
import { idempotencyKeyShape, optionalText } from '../shared/text-shapes.ts'
import { portalMessages } from './rules.ts'

const words = z.object({ en: z.string(), fr: z.string() })
const procedureName = z.object({ name: z.string(), nameFr: z.string().nullable() })
const appointment = z.object({
  id: z.uuid(),
  type: z.enum(appointmentTypes),
  startsAt: z.date(),
  isConfirmed: z.boolean(),
  provider: z.string().nullable(),
  place: z.string(),
  /** When the patient last asked for another time than this one. */
  askedAt: z.date().nullable(),
})
const home = z.object({
  /** How the patient is called. */
  firstName: z.string(),
  /** Open and submitted forms, newest first. */
  forms: z.array(z.object({ id: z.uuid(), title: words, isStarted: z.boolean(), isDone: z.boolean(), expiresAt: z.date() })),
  /** Open and signed consent forms, newest first. Null: not signed yet. */
  consents: z.array(z.object({ id: z.uuid(), title: words, needsInitials: z.boolean(), signedAt: z.date().nullable() })),
  /** Upcoming, soonest first. */
  appointments: z.array(appointment),
  /** Upcoming, soonest first. */
  surgeries: z.array(
    z.object({
      id: z.uuid(),
      startsAt: z.date(),
      isTentative: z.boolean(),
      procedures: z.array(procedureName),
      hasInstructions: z.boolean(),
    }),
  ),
  /** Surgeries of the last half-year whose aftercare can be read, latest first. */
  aftercare: z.array(z.object({ id: z.uuid(), startsAt: z.date(), procedures: z.array(procedureName) })),
  /**
   * What is owed in all, without what was paid by card a moment ago, and how much is due by now, with the first day on which it was. If nothing is due by
   * now: what is due before the surgery or, if nothing is, next. Null if nothing is owed.
   */
  balance: z
    .object({
      cents: z.number().int(),
      dueCents: z.number().int(),
      dueOn: z.string(),
      isBeforeSurgery: z.boolean(),
      /** The page where it can be paid by card, for an hour; null: it can't. */
      payPath: z.string().nullable(),
    })
    .nullable(),
  /** Answers that the patient has not read, and the last message; null without any. */
  messages: z.object({ unread: z.number().int(), last: z.object({ isOwn: z.boolean(), createdAt: z.date() }).nullable() }),
  receiptCount: z.number().int(),
  /** Photos that the practice has released. */
  photoCount: z.number().int(),
  /** Days of the week on which the practice is open, 1 (Monday) to 7. */
  openDays: z.array(z.number().int()),
})
export type PatientHome = z.output<typeof home>

/** A text of the practice; null in a language in which it has none. */
const written = z.object({ en: z.string().nullable(), fr: z.string().nullable() }).nullable()
const instructions = z.object({
  startsAt: z.date(),
  isAhead: z.boolean(),
  /** The day is not final. */
  isTentative: z.boolean(),
  procedures: z.array(
    procedureName.extend({
      /** Null after the surgery has begun. */
      preparation: written,
      aftercare: written,
    }),
  ),
})
export type OwnInstructions = z.output<typeof instructions>

export const claim = z.strictObject({
  /** The patient id sent by the page. It is only compared with the session's patient, never trusted. */
  contactId: z.string().max(100).refine(isStorable, notStorable),
  sessionToken: z.string().min(1).max(100).refine(isStorable, notStorable),
})
const seenAppointment = claim.extend({
  id: z.uuid(),
  /** The time that the patient has read. */
  startsAt: instant,
})
const sessionOver = { SESSION_OVER: { status: 401, message: portalMessages.sessionOver } } as const
const refusals = {
  ...sessionOver,
  NOT_FOUND: { status: 404, message: 'Appointment not found' },
  NOT_POSSIBLE: { status: 409, message: linkMessages.notPossible },
} as const
const route = (path: `/functions/${string}`, summary: string) => oc.route({ method: 'POST', path, summary, tags: ['Patient portal'] })

/** The home of the portal. */
export const homeContract = {
  fetchHome: route('/functions/patient-home-fetch', 'List what the session’s patient has to do, and what comes next')
    .input(claim)
    .errors({ ...sessionOver, NOT_FOUND: { status: 404, message: 'Patient not found' } })
    .output(home),
  fetchInstructions: route('/functions/patient-instructions-fetch', 'What to do before and after a surgery of the session’s patient')
    .input(claim.extend({ id: z.uuid() }))
    .errors({ ...sessionOver, NOT_FOUND: { status: 404, message: 'Surgery not found' } })
    .output(instructions),
  confirmAppointment: route('/functions/patient-appointment-confirm', 'Confirm an appointment of the session’s patient; idempotent')
    .input(seenAppointment)
    .errors(refusals)
    .output(home),
  requestAppointment: route('/functions/patient-appointment-request', 'Request another time; the current one stays booked')
    .input(
      seenAppointment.extend({
        /** Generated by the page; the same key makes one request. */
        key: idempotencyKeyShape,
        /** 1 (Monday) to 7. */
        weekdays: z
          .array(z.number('Choose days').int().min(1, 'Choose days').max(7, 'Choose days'))
          .max(7, 'A week has seven days')
          .default([]),
        dayParts: z.array(z.enum(dayParts, 'Choose times')).max(dayParts.length, 'Choose times').default([]),
        words: optionalText(1_000).default(null),
      }),
    )
    .errors({ ...refusals, TOO_MANY_REQUESTS: { status: 429, message: linkMessages.tooMany } })
    .output(home),
}
