import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, numberPlace } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { tag } from '../tags/contract.ts'
import { lostReason, contactFields, contact, contactSummary } from './contact-contract.ts'
import {
  named,
  filters,
  listInput,
  contactPage,
  findInput,
  contactMatch,
  boardInput,
  boardColumnInput,
  boardCards,
  boardColumn,
} from './list-contract.ts'

const batchSize = 1000

export const createInput = contactFields
  .partial()
  .required({ firstName: true, lastName: true })
  .extend({ allowDuplicateEmail: z.boolean().optional() })
export type CreateInput = z.output<typeof createInput>

/** `version` is the one the client read. Omitted fields are not changed. */
export const updateInput = contactFields.partial().extend({
  id: z.uuid(),
  version: z.number().int().min(1),
  /** Only for a contact that is in, or is being moved to, a lost stage. */
  lostReason: lostReason.optional(),
})
export type UpdateInput = z.output<typeof updateInput>

const fieldChange = z.object({ field: z.string(), by: z.string().nullable(), at: z.date(), from: z.unknown(), to: z.unknown() })
export type FieldChange = z.output<typeof fieldChange>

const stageMove = z.object({
  id: z.uuid(),
  fromStageId: z.uuid().nullable(),
  toStageId: z.uuid(),
  changedAt: z.date(),
  changedBy: z.uuid().nullable(),
  lostReason: z.string().nullable(),
})
export type StageMove = z.output<typeof stageMove>

/** Newest first; batch size from spec 9. */
const batches = cursorPages(numberPlace, { limit: batchSize, max: batchSize })

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Contacts']
const notFound = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const invalid = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const get = (path: '/contacts' | `/contacts/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })

/** Why a patient can't be deleted. */
export const hasToBeKept = {
  OWES: { status: 409, message: 'This patient has an outstanding balance. Collect, write off or void it first.' },
  PREPAID: {
    status: 409,
    message: 'The practice holds a package, store credit or a deposit of this patient. Use or refund it first.',
  },
  CHARTED: { status: 409, message: 'This patient has a clinical record. Only an administrator can delete it.' },
} as const

export const contactsContract = {
  list: get('/contacts', 'A page of contacts with search, filters and total').input(listInput).output(contactPage),
  count: get('/contacts/count', 'The exact number of matching contacts')
    .input(filters)
    .output(z.object({ total: z.number().int() })),
  tally: get('/contacts/tally', 'The number of matching contacts, counted only up to a limit (fast)')
    .input(filters)
    .output(z.object({ total: z.number().int(), isExact: z.boolean() })),
  find: get('/contacts/find', 'A few patients that match a partial search: recently opened first, then the newest')
    .input(findInput)
    .output(z.object({ data: z.array(contactMatch) })),
  board: get('/contacts/board', 'The first cards of each stage, and the total per stage')
    .input(boardInput)
    .output(z.object({ columns: z.array(boardColumn) })),
  boardColumn: get('/contacts/board/columns/{stage}', 'More cards of a stage').input(boardColumnInput).output(boardCards),
  batch: get('/contacts/batch', 'All contacts, newest first, 1,000 at a time')
    .input(z.strictObject(batches.input))
    .output(batches.output(contactSummary)),
  byStage: get('/contacts/by-stage', 'Contacts of a funnel stage, newest first, 1,000 at a time')
    .input(z.strictObject({ stage: named, ...batches.input }))
    .output(batches.output(contactSummary)),
  bySource: get('/contacts/by-source', 'Contacts of a lead source, newest first, 1,000 at a time')
    .input(z.strictObject({ source: named, ...batches.input }))
    .output(batches.output(contactSummary)),
  byEmail: get('/contacts/by-email', 'The contact with this email, primary or other, in any case')
    .input(z.strictObject({ email: z.string().min(1).max(254).refine(isStorable, notStorable) }))
    .output(contactSummary.nullable()),
  withWelcomeTag: get('/contacts/welcome', "Contacts with the tag 'Welcome', newest first, 1,000 at a time")
    .input(z.strictObject(batches.input))
    .output(batches.output(contactSummary)),
  get: get('/contacts/{id}', 'One contact').input(byId).errors(notFound).output(contact),
  create: oc
    .route({ method: 'POST', path: '/contacts', tags, summary: 'Add a contact' })
    .input(createInput)
    .errors({
      ...invalid,
      EMAIL_TAKEN: {
        status: 409,
        message: 'A patient with this email already exists',
        data: z.object({ fields: z.record(z.string(), z.string()), existing: contactSummary }),
      },
    })
    .output(contact),
  update: oc
    .route({ method: 'PATCH', path: '/contacts/{id}', tags, summary: 'Change a contact' })
    .input(updateInput)
    .errors({
      ...notFound,
      ...invalid,
      CONFLICT: {
        status: 409,
        message: 'Someone else changed the same fields. Nothing was overwritten.',
        data: z.object({ current: contact, changes: z.array(fieldChange) }),
      },
    })
    .output(contact),
  delete: oc
    .route({ method: 'DELETE', path: '/contacts/{id}', tags, summary: 'Delete a contact with all its data' })
    .input(byId)
    .errors({
      ...notFound,
      ...hasToBeKept,
    }),
  stageHistory: get('/contacts/{id}/stage-history', 'The stage moves of a contact, oldest first')
    .input(byId)
    .errors(notFound)
    .output(z.array(stageMove)),
  tags: get('/contacts/{id}/tags', "A contact's tags by name").input(byId).errors(notFound).output(z.array(tag)),
  addTag: oc
    .route({ method: 'PUT', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Add a tag to a contact (idempotent)' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
  removeTag: oc
    .route({ method: 'DELETE', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Remove a tag from a contact' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
}
