import { oc } from '@orpc/contract'
import { z } from 'zod'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { roles } from '../../kernel/access/rules.ts'
import { invalidFields, one } from '../reservations/contract.ts'
import { itemKinds, maxDays } from './checklist-rules.ts'

export const checklistMessages = {
  words: 'Say what has to be done',
  kind: 'Choose a kind',
  role: 'Choose who sees to it',
  days: `Enter a number of days from -${maxDays} to ${maxDays}`,
  noProcedure: 'Procedure not found',
} as const

export const checklistItem = z.object({
  id: z.uuid(),
  kind: z.enum(itemKinds),
  words: z.string(),
  /** The specialist, or the medication for losing weight that is to be looked at. */
  detail: z.string().nullable(),
  ownerRole: z.enum(roles),
  dueDays: z.number().int(),
  dueOn: z.string(),
  isRequired: z.boolean(),
  /** It is done by what happens elsewhere, and by no one's tick. */
  isAutomatic: z.boolean(),
  isDone: z.boolean(),
  /** What it is done by, of one that is open and that no one can tick. */
  waitsFor: z.string().nullable(),
  doneOn: z.string().nullable(),
  doneBy: z.uuid().nullable(),
  note: z.string().nullable(),
  /** The surgery waits for it. */
  isMissing: z.boolean(),
})

export const itemFields = {
  kind: z.enum(itemKinds, checklistMessages.kind),
  words: requiredLine(200, checklistMessages.words),
  ownerRole: z.enum(roles, checklistMessages.role),
  /** From the surgery: before it negative. */
  dueDays: z
    .number(checklistMessages.days)
    .int(checklistMessages.days)
    .min(-maxDays, checklistMessages.days)
    .max(maxDays, checklistMessages.days),
  isRequired: z.boolean('Say yes or no').default(true),
}
export const itemNote = optionalText(1_000)

const template = z.object({
  id: z.uuid(),
  /** Null: every case needs it. */
  procedureId: z.uuid().nullable(),
  kind: z.enum(itemKinds),
  words: z.string(),
  ownerRole: z.enum(roles),
  dueDays: z.number().int(),
  isRequired: z.boolean(),
})
export type Template = z.output<typeof template>

const noTemplate = { NOT_FOUND: { status: 404, message: 'This item does not exist' } } as const
/** Spec 4 asks for it with every case. */
const fixed = { FIXED: { status: 409, message: 'Every case needs an item for a specialist consult' } } as const
const tags = ['Surgeries']
const wanted = z.strictObject({ ...itemFields, procedureId: z.uuid().nullable().default(null) })

export const templatesContract = {
  templates: oc
    .route({ method: 'GET', path: '/checklist-templates', tags, summary: 'What a new case needs: every one, and by procedure' })
    .output(z.array(template)),
  addTemplate: oc
    .route({ method: 'POST', path: '/checklist-templates', tags, summary: 'Say what every new case needs, or those with a procedure' })
    .input(wanted)
    .errors(invalidFields)
    .output(template),
  changeTemplate: oc
    .route({ method: 'PUT', path: '/checklist-templates/{id}', tags, summary: 'Change what new cases need; those there are keep theirs' })
    .input(wanted.extend({ id: z.uuid() }))
    .errors({ ...noTemplate, ...invalidFields, ...fixed })
    .output(template),
  deleteTemplate: oc
    .route({ method: 'DELETE', path: '/checklist-templates/{id}', tags, summary: 'Not needed for new surgeries' })
    .input(one)
    .errors({ ...noTemplate, ...fixed }),
}
