import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { requiredText } from '../../shared/text.ts'

/** Spec 9's activity types, its older ones, and the sales receipt of spec 7. */
export const interactionTypes = [
  'call', 'email', 'note', 'task', 'document', 'tag', 'meeting', 'quickbooks', 'stage_change', 'consult_booked', 'surgery_booked',
  'contact_created', 'stage_changed', 'tag_added', 'sales_receipt', 'contact_updated', 'contact_merged',
] as const // biome-ignore format: a list reads better in rows
export type InteractionType = (typeof interactionTypes)[number]

/** What a person may log by hand; the others are written by what happened. */
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
})

const logInteraction = z.strictObject({
  type: z.enum(loggableTypes),
  description: requiredText(10_000, 'Write what happened'),
  outcome: z.enum(callOutcomes).optional(),
  date: instant.optional(),
})

/** The place after which a page of a timeline goes on: the last entry's date and id. */
export function readCursor(cursor: string): { date: string; id: string } | null {
  const [date = '', id = ''] = cursor.split('_')
  return cursor === `${date}_${id}` && instant.safeParse(date).success && z.uuid().safeParse(id).success ? { date, id } : null
}

const ofContact = z.strictObject({ contactId: z.uuid() })
const tags = ['Interactions']

export const interactionsContract = {
  list: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/interactions', tags, summary: "A patient's timeline, newest first" })
    .input(
      ofContact.extend({
        cursor: z
          .string()
          .refine((value) => readCursor(value) !== null, 'This is not the nextCursor of a page')
          .optional(),
        limit: z.coerce.number<number | string>().int().min(1).max(100).default(50),
      }),
    )
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(z.object({ data: z.array(interaction), nextCursor: z.string().nullable() })),
  create: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/interactions', tags, summary: 'Log a call, note, email or meeting' })
    .input(ofContact.extend(logInteraction.shape))
    .errors({ NOT_FOUND: { status: 404, message: 'This patient does not exist' } })
    .output(interaction),
}
