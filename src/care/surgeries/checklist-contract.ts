import { oc } from '@orpc/contract'
import { z } from 'zod'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { roles } from '../../kernel/access/rules.ts'
import { invalidFields, idInput } from '../reservations/contract.ts'
import { itemKinds, maxDays } from './checklist-rules.ts'

export const checklistMessages = {
  words: 'Describe what has to be done',
  kind: 'Choose a type',
  role: 'Choose who is responsible',
  days: `Enter a number of days from -${maxDays} to ${maxDays}`,
  noProcedure: 'Procedure not found',
} as const

export const checklistItem = z.object({
  id: z.uuid(),
  kind: z.enum(itemKinds),
  words: z.string(),
  /** The specialist, or the medications to review. */
  detail: z.string().nullable(),
  ownerRole: z.enum(roles),
  dueDays: z.number().int(),
  dueOn: z.string(),
  isRequired: z.boolean(),
  /** Completes by itself and cannot be ticked. */
  isAutomatic: z.boolean(),
  isDone: z.boolean(),
  /** What an open automatic item needs to complete. */
  outstanding: z.string().nullable(),
  doneOn: z.string().nullable(),
  doneBy: z.uuid().nullable(),
  note: z.string().nullable(),
  /** The surgery is not ready without it. */
  isMissing: z.boolean(),
})

export const itemFields = {
  kind: z.enum(itemKinds, checklistMessages.kind),
  words: requiredLine(200, checklistMessages.words),
  ownerRole: z.enum(roles, checklistMessages.role),
  /** Days relative to the surgery; negative before it. */
  dueDays: z
    .number(checklistMessages.days)
    .int(checklistMessages.days)
    .min(-maxDays, checklistMessages.days)
    .max(maxDays, checklistMessages.days),
  isRequired: z.boolean('Must be true or false').default(true),
}
export const itemNote = optionalText(1_000)

const template = z.object({
  id: z.uuid(),
  /** Null if every case needs it. */
  procedureId: z.uuid().nullable(),
  kind: z.enum(itemKinds),
  words: z.string(),
  ownerRole: z.enum(roles),
  dueDays: z.number().int(),
  isRequired: z.boolean(),
})
export type Template = z.output<typeof template>

const noTemplate = { NOT_FOUND: { status: 404, message: 'This item does not exist' } } as const
/** Every case needs a specialist item (spec 4). */
const fixed = { FIXED: { status: 409, message: 'Every case needs an item for a specialist consult' } } as const
const tags = ['Surgeries']
const templateInput = z.strictObject({ ...itemFields, procedureId: z.uuid().nullable().default(null) })

export const templatesContract = {
  templates: oc
    .route({
      method: 'GET',
      path: '/checklist-templates',
      tags,
      summary: 'List the checklist templates, for every surgery and by procedure',
    })
    .output(z.array(template)),
  addTemplate: oc
    .route({
      method: 'POST',
      path: '/checklist-templates',
      tags,
      summary: 'Add a checklist template, for every new surgery or those with a procedure',
    })
    .input(templateInput)
    .errors(invalidFields)
    .output(template),
  changeTemplate: oc
    .route({
      method: 'PUT',
      path: '/checklist-templates/{id}',
      tags,
      summary: 'Change a checklist template; existing surgeries keep their items',
    })
    .input(templateInput.extend({ id: z.uuid() }))
    .errors({ ...noTemplate, ...invalidFields, ...fixed })
    .output(template),
  deleteTemplate: oc
    .route({
      method: 'DELETE',
      path: '/checklist-templates/{id}',
      tags,
      summary: 'Delete a checklist template; existing surgeries keep their items',
    })
    .input(idInput)
    .errors({ ...noTemplate, ...fixed }),
}
