import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'

/** The activity types of spec 9, including the legacy ones, and the sales receipt of spec 7. */
export const interactionTypes = [
  'call',
  'email',
  'note',
  'task',
  'document',
  'tag',
  'meeting',
  'quickbooks',
  'stage_change',
  'consult_booked',
  'surgery_booked',
  'contact_created',
  'stage_changed',
  'tag_added',
  'sales_receipt',
  'contact_updated',
  'contact_merged',
] as const
export type InteractionType = (typeof interactionTypes)[number]

/** The filters of a timeline, each with its entry types (spec 9), including legacy ones. */
export const kindTypes = {
  calls: ['call'],
  emails: ['email'],
  notes: ['note'],
  meetings: ['meeting'],
  tasks: ['task'],
  documents: ['document'],
  stages: ['stage_change', 'stage_changed', 'consult_booked', 'surgery_booked'],
  payments: ['sales_receipt', 'quickbooks'],
  tags: ['tag', 'tag_added'],
  changes: ['contact_created', 'contact_updated', 'contact_merged'],
} as const satisfies Record<string, readonly InteractionType[]>

export type TimelineKind = keyof typeof kindTypes
export const timelineKinds = Object.keys(kindTypes) as [TimelineKind, ...TimelineKind[]]

/** More pinned notes would push the timeline off the screen. */
export const maxPins = 10

/** The types that staff can log by hand; others are added automatically. */
const loggableTypes = ['call', 'note', 'email', 'meeting'] as const
export const callOutcomes = ['reached', 'voicemail', 'no_answer'] as const
export type CallOutcome = (typeof callOutcomes)[number]

const interaction = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  type: z.enum(interactionTypes),
  description: z.string(),
  date: z.date(),
  createdBy: z.uuid().nullable(),
  outcome: z.enum(callOutcomes).nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  /** For a pinned note: when and by whom it was pinned. */
  pinnedAt: z.date().nullable(),
  pinnedBy: z.uuid().nullable(),
})

/** The fields of a logged entry, validated for the composer and imports. */
export const loggedFields = z.strictObject({
  type: z.enum(loggableTypes),
  description: requiredText(10_000, 'Enter what happened'),
  outcome: z.enum(callOutcomes).optional(),
  date: instant.optional(),
})

const ofContact = z.strictObject({ contactId: z.uuid() })
const one = ofContact.extend({ id: z.uuid() })
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const noEntry = { NOT_FOUND: { status: 404, message: 'Timeline entry not found' } } as const
const tags = ['Interactions']
const pages = cursorPages(instantPlace, { limit: 50, max: 100 })

export const interactionsContract = {
  list: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/interactions', tags, summary: "List a patient's timeline, newest first" })
    .input(ofContact.extend({ kind: z.enum(timelineKinds).optional(), ...pages.input }))
    .errors(noPatient)
    .output(pages.output(interaction)),
  create: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/interactions', tags, summary: 'Log a call, note, email or meeting' })
    .input(ofContact.extend(loggedFields.shape))
    .errors(noPatient)
    .output(interaction),
  pinned: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/interactions/pinned',
      tags,
      summary: "List a patient's pinned notes, most recently pinned first",
    })
    .input(ofContact)
    .errors(noPatient)
    .output(z.array(interaction)),
  pin: oc
    .route({
      method: 'PUT',
      path: '/contacts/{contactId}/interactions/{id}/pin',
      tags,
      summary: 'Pin a note above the timeline (idempotent)',
    })
    .input(one)
    .errors({
      ...noEntry,
      NOT_A_NOTE: { status: 422, message: 'Only notes can be pinned' },
      TOO_MANY_PINS: { status: 409, message: `A patient can have ${maxPins} pinned notes. Unpin one first.` },
    }),
  unpin: oc
    .route({ method: 'DELETE', path: '/contacts/{contactId}/interactions/{id}/pin', tags, summary: 'Unpin a note' })
    .input(one)
    .errors({ ...noEntry, NOT_A_NOTE: { status: 422, message: 'Only notes can be pinned' } }),
}
