import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { listInput, lostReason, owes } from '../contacts/contract.ts'

/** How many patients may be named one by one; more are chosen by the list's own filters. */
const maxIds = 5_000

/** Who is changed: these patients, or all that the list shows under these filters when the change begins. */
const selection = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1, 'Choose at least one patient').max(maxIds, `Choose at most ${maxIds} patients`) }),
  z.strictObject({ matching: listInput.omit({ page: true, limit: true, sort: true }) }),
])
export type Selection = z.output<typeof selection>

/** What is done to each. A tag is put on or taken off; `null` takes the owner, the provider or the date away. */
const changeWith = <Instant extends z.ZodType>(date: Instant) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('stage'), stageId: z.uuid(), lostReason: lostReason.optional() }),
    z.strictObject({ kind: z.literal('tag'), tagId: z.uuid(), on: z.boolean() }),
    z.strictObject({ kind: z.literal('owner'), personId: z.uuid().nullable() }),
    z.strictObject({ kind: z.literal('provider'), personId: z.uuid().nullable() }),
    z.strictObject({ kind: z.literal('followUp'), date: date.nullable() }),
    /** `forGood`: nothing is kept that could bring them back, for patients who asked for it. */
    z.strictObject({ kind: z.literal('delete'), forGood: z.boolean().default(false) }),
  ])
const bulkChange = changeWith(instant)

const fromTo = { from: z.uuid(), to: z.uuid() }
/** Patients who have one lead source or procedure get another; begun by the calls that move them, which choose who. */
const move = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('source'), ...fromTo }),
  z.strictObject({ kind: z.literal('procedure'), ...fromTo }),
])
export type Move = z.output<typeof move>
export type BulkChange = z.output<typeof bulkChange> | Move

/** A deletion can be undone for so many hours; then what was kept for it is erased. */
export const undoHours = 24

/** Anyone who asks how their own changes went hears of those that are over, too, when they were begun within so many minutes. */
export const recentMinutes = 5

export const bulkStatuses = ['running', 'done', 'cancelled', 'undoing', 'undone'] as const
export type BulkStatus = (typeof bulkStatuses)[number]

/** How far a bulk change has come. */
const progress = z.object({
  id: z.uuid(),
  status: z.enum(bulkStatuses),
  /** The patients that were chosen, and of those: changed; left as they were, because they are gone or were so already. */
  total: z.number().int(),
  changed: z.number().int(),
  unchanged: z.number().int(),
  /** While undoing and after: taken back, and left because someone has changed them since. */
  undone: z.number().int(),
  kept: z.number().int(),
  /** Whether what was done can be taken back, or still could be. */
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
      summary: 'Change many patients at once, in the background; an API key also needs contacts:write',
    })
    .input(z.strictObject({ selection, change: bulkChange }))
    .errors({
      ...notAllowed,
      ...owes,
      INVALID_REFERENCE: {
        status: 422,
        message: 'Please check the marked fields',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
    })
    .output(progress),
  get: oc
    .route({ method: 'GET', path: '/bulk-changes/{id}', tags, summary: 'How far it has come' })
    .input(byId)
    .errors(notFound)
    .output(progress),
  current: oc
    .route({
      method: 'GET',
      path: '/bulk-changes/current',
      tags,
      summary: `One's own that are under way, and those begun within ${recentMinutes} minutes, newest first`,
    })
    .output(z.array(progress.extend({ change: z.union([changeWith(z.date()), move]) }))),
  deletions: oc
    .route({
      method: 'GET',
      path: '/deletions',
      tags,
      summary: `One's own deletions that can be undone (${undoHours} hours), newest first`,
    })
    .output(z.array(progress.extend({ createdAt: z.date() }))),
  cancel: oc
    .route({ method: 'POST', path: '/bulk-changes/{id}/cancel', tags, summary: 'Stop; what was changed stays changed and can be undone' })
    .input(byId)
    .errors(notFound)
    .output(progress),
  undo: oc
    .route({
      method: 'POST',
      path: '/bulk-changes/{id}/undo',
      tags,
      summary: 'Take back what was changed, but for what was changed again since',
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
