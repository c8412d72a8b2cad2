import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { listInput } from '../contacts/list-contract.ts'
import { lostReason } from '../contacts/contact-contract.ts'
import { hasToBeKept } from '../contacts/contract.ts'

/** How many patients a selection by id may hold. Larger selections use the list's filters. */
const maxIds = 5_000

/** The patients to change: these ids, or everyone who matches the list's filters when the change starts. */
const selection = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1, 'Choose at least one patient').max(maxIds, `Choose at most ${maxIds} patients`) }),
  z.strictObject({ matching: listInput.omit({ page: true, limit: true, sort: true }) }),
])
export type Selection = z.output<typeof selection>

/** The change to each patient. `on` adds or removes a tag; `null` clears the owner, the provider or the date. */
const changeWith = <Instant extends z.ZodType>(date: Instant) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('stage'), stageId: z.uuid(), lostReason: lostReason.optional() }),
    z.strictObject({ kind: z.literal('tag'), tagId: z.uuid(), on: z.boolean() }),
    z.strictObject({ kind: z.literal('owner'), personId: z.uuid().nullable() }),
    z.strictObject({ kind: z.literal('provider'), personId: z.uuid().nullable() }),
    z.strictObject({ kind: z.literal('followUp'), date: date.nullable() }),
    /** `forGood`: deletes permanently, without undo data, for patients who asked for it. */
    z.strictObject({ kind: z.literal('delete'), forGood: z.boolean().default(false) }),
  ])
const bulkChange = changeWith(instant)

const fromTo = { from: z.uuid(), to: z.uuid() }
/** Replaces one lead source or procedure with another. Started by `leadSources.move` and `procedures.move`, which select the patients. */
const move = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('source'), ...fromTo }),
  z.strictObject({ kind: z.literal('procedure'), ...fromTo }),
])
export type Move = z.output<typeof move>
export type BulkChange = z.output<typeof bulkChange> | Move

/** Hours for which a deletion can be undone. Then its undo data is erased. */
export const undoHours = 24

/** Minutes for which `current` also returns finished changes, counted from their start. */
export const recentMinutes = 5

export const bulkStatuses = ['running', 'done', 'cancelled', 'undoing', 'undone'] as const
export type BulkStatus = (typeof bulkStatuses)[number]

const progress = z.object({
  id: z.uuid(),
  status: z.enum(bulkStatuses),
  /** The selected patients. Of these, `unchanged` no longer exist or already had the new value. */
  total: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  /** During and after an undo: `undone` were reverted, `kept` were left alone because someone has changed them since. */
  undone: z.number().int(),
  kept: z.number().int(),
  /** Whether the change can be undone, now or once it has finished. */
  canUndo: z.boolean(),
})
export type BulkProgress = z.output<typeof progress>

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Bulk changes']
const notAllowed = { FORBIDDEN: { status: 403, message: 'Your role may not do this' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This bulk change does not exist' } } as const

export const bulkChangesContract = {
  start: oc
    .route({
      method: 'POST',
      path: '/bulk-changes',
      tags,
      summary: 'Change many patients in the background; an API key also needs contacts:write',
    })
    .input(z.strictObject({ selection, change: bulkChange }))
    .errors({
      ...notAllowed,
      ...hasToBeKept,
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(progress),
  get: oc
    .route({ method: 'GET', path: '/bulk-changes/{id}', tags, summary: 'Get the progress of a bulk change' })
    .input(byId)
    .errors(notFound)
    .output(progress),
  current: oc
    .route({
      method: 'GET',
      path: '/bulk-changes/current',
      tags,
      summary: `List your own bulk changes that are running or started in the last ${recentMinutes} minutes, newest first`,
    })
    .output(z.array(progress.extend({ change: z.union([changeWith(z.date()), move]) }))),
  deletions: oc
    .route({
      method: 'GET',
      path: '/deletions',
      tags,
      summary: `List your own deletions that can be undone (for ${undoHours} hours), newest first`,
    })
    .output(z.array(progress.extend({ createdAt: z.date() }))),
  cancel: oc
    .route({
      method: 'POST',
      path: '/bulk-changes/{id}/cancel',
      tags,
      summary: 'Cancel a bulk change; patients already changed stay changed, which can be undone',
    })
    .input(byId)
    .errors(notFound)
    .output(progress),
  undo: oc
    .route({
      method: 'POST',
      path: '/bulk-changes/{id}/undo',
      tags,
      summary: 'Undo a bulk change, except for patients changed again since',
    })
    .input(byId)
    .errors({
      ...notFound,
      ...notAllowed,
      STILL_RUNNING: { status: 409, message: 'This bulk change is still running' },
      UNDO_EXPIRED: { status: 409, message: 'These patients were deleted permanently' },
    })
    .output(progress),
}
