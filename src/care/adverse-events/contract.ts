import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, instant } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { optionalText, requiredText } from '../../shared/text-shapes.ts'
import { noteStatuses } from '../../chart/notes/rules.ts'
import { contactIdInput, idInput, invalidFields, version } from '../reservations/contract.ts'
import { eventKindNames, eventLimits, severityNames } from './rules.ts'

export const eventMessages = {
  kind: 'Choose what happened',
  severity: 'Choose how severe it was',
  severityOfDeath: 'A death is grade V, and nothing else is',
  occurred: 'Enter when it happened',
  learned: 'Enter when the practice learned of it',
  future: 'This can’t be in the future',
  order: 'The practice can’t learn of an event before it happens',
  patient: 'Choose a patient',
  noPatient: 'This patient does not exist',
  noSurgery: 'This is not a surgery of the patient',
  noPerson: 'Staff member not found',
  people: `Choose at most ${eventLimits.people} people`,
  filedOn: 'Enter the day on which the report was filed',
  filedEarly: 'The report can’t be filed before the practice learned of the event',
  reason: 'Enter why this is not an adverse event',
} as const

const event = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: z.object({
    id: z.uuid(),
    firstName: z.string(),
    lastName: z.string(),
    preferredName: z.string().nullable(),
    dateOfBirth: z.string().nullable(),
  }),
  surgery: z
    .object({
      id: z.uuid(),
      startsAt: z.date(),
      procedures: z.array(z.object({ id: z.uuid(), name: z.string() })),
      surgeonId: z.uuid().nullable(),
    })
    .nullable(),
  kind: z.enum(eventKindNames),
  /** Clavien-Dindo. */
  severity: z.enum(severityNames),
  occurredAt: z.date(),
  learnedAt: z.date(),
  /** Staff who were involved. */
  peopleIds: z.array(z.uuid()),
  /** Others who were involved, such as paramedics. */
  others: z.string().nullable(),
  /** The last day of the report, 'yyyy-MM-dd'; null if it need not be reported. */
  dueOn: z.string().nullable(),
  filedOn: z.string().nullable(),
  filedBy: z.uuid().nullable(),
  /** The confirmation number of the report. */
  reference: z.string().nullable(),
  /** The clinical note that tells what happened; null until someone starts it. */
  narrative: z.object({ id: z.uuid(), status: z.enum(noteStatuses) }).nullable(),
  voidedAt: z.date().nullable(),
  voidedBy: z.uuid().nullable(),
  voidReason: z.string().nullable(),
  createdAt: z.date(),
  createdBy: z.uuid(),
})
export type AdverseEvent = z.output<typeof event>

const fields = {
  surgeryId: z.uuid().nullable(),
  kind: z.enum(eventKindNames, eventMessages.kind),
  severity: z.enum(severityNames, eventMessages.severity),
  occurredAt: instant,
  learnedAt: instant,
  peopleIds: z
    .array(z.uuid())
    .max(eventLimits.people, eventMessages.people)
    .refine((ids) => new Set(ids).size === ids.length, 'A person is listed twice'),
  others: optionalText(eventLimits.others),
}

const noEvent = { NOT_FOUND: { status: 404, message: 'This adverse event does not exist' } } as const
const refusals = {
  ...noEvent,
  CONFLICT: { status: 409, message: 'Someone has changed this event in the meantime', data: z.object({ current: event }) },
  VOIDED: { status: 409, message: 'This was recorded in error and can no longer be changed' },
} as const
const pages = cursorPages(instantPlace, { limit: 50, max: 100 })
const tags = ['Adverse events']
const versioned = idInput.extend({ version })

export const adverseEventsContract = {
  list: oc
    .route({ method: 'GET', path: '/adverse-events', tags, summary: 'List adverse events, latest first' })
    .input(
      z.strictObject({
        kind: z.enum(eventKindNames, eventMessages.kind).optional(),
        surgeonId: z.uuid().optional(),
        /** `open`: has to be reported and is not. */
        report: z.enum(['open', 'filed'], 'Choose open or filed').optional(),
        ...pages.input,
      }),
    )
    .output(pages.output(event).extend({ openCount: z.number().int() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/adverse-events', tags, summary: 'List a patient’s adverse events, latest first' })
    .input(contactIdInput)
    .errors({ NOT_FOUND: { status: 404, message: eventMessages.noPatient } })
    .output(z.array(event)),
  get: oc
    .route({ method: 'GET', path: '/adverse-events/{id}', tags, summary: 'Get an adverse event' })
    .input(idInput)
    .errors(noEvent)
    .output(event),
  create: oc
    .route({
      method: 'POST',
      path: '/adverse-events',
      tags,
      summary: 'Record an adverse event; one that has to be reported starts a clock of five business days',
    })
    .input(
      z.strictObject({
        ...fields,
        contactId: z.uuid(eventMessages.patient),
        surgeryId: fields.surgeryId.default(null),
        peopleIds: fields.peopleIds.default([]),
        others: fields.others.default(null),
      }),
    )
    .errors(invalidFields)
    .output(event),
  change: oc
    .route({
      method: 'PATCH',
      path: '/adverse-events/{id}',
      tags,
      summary: 'Change the facts of an adverse event whose report is not filed',
    })
    .input(z.strictObject(fields).partial().extend({ id: z.uuid(), version }))
    .errors({ ...refusals, ...invalidFields, FILED: { status: 409, message: 'The report is filed. Add what is new to the narrative.' } })
    .output(event),
  startNarrative: oc
    .route({
      method: 'POST',
      path: '/adverse-events/{id}/narrative',
      tags,
      summary: 'Start the narrative as a draft of a clinical note, or return the one that exists',
    })
    .input(idInput)
    .errors({ ...noEvent, VOIDED: refusals.VOIDED })
    .output(event),
  file: oc
    .route({ method: 'POST', path: '/adverse-events/{id}/filing', tags, summary: 'Mark the report as filed' })
    .input(versioned.extend({ filedOn: calendarDay, reference: optionalText(eventLimits.reference).default(null) }))
    .errors({
      ...refusals,
      ...invalidFields,
      NOT_REPORTABLE: { status: 409, message: 'This event need not be reported' },
      FILED: { status: 409, message: 'The report is filed already' },
    })
    .output(event),
  undoFiling: oc
    .route({ method: 'DELETE', path: '/adverse-events/{id}/filing', tags, summary: 'Mark the report as not filed' })
    .input(versioned)
    .errors({ ...refusals, NOT_FILED: { status: 409, message: 'The report is not filed' } })
    .output(event),
  void: oc
    .route({
      method: 'POST',
      path: '/adverse-events/{id}/void',
      tags,
      summary: 'Mark an event as recorded in error; it stays in the register',
    })
    .input(versioned.extend({ reason: requiredText(eventLimits.reason, eventMessages.reason) }))
    .errors({ ...refusals, FILED: { status: 409, message: 'The report is filed. Mark it as not filed first.' } })
    .output(event),
}
