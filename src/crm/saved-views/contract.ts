import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isStorable, notStorable } from '../../shared/text.ts'
import { requiredLine } from '../../shared/text-shapes.ts'
import { contactSorts, listInput } from '../contacts/list-contract.ts'
import { boardOrders } from '../contacts/rules.ts'

/** The maximum number of views per user. */
export const maxViews = 100

/** The list's URL parameters without the page, so that a view opens as a plain list URL. */
const viewedList = z.strictObject({
  search: listInput.shape.search,
  filter: listInput.shape.filter,
  sort: z.enum(contactSorts).optional(),
  layout: z.literal('board').optional(),
  order: z.enum(boardOrders).optional(),
  /** The columns besides the patient's name, in order. */
  columns: z.string().max(500).refine(isStorable, notStorable).optional(),
})
export type ViewedList = z.output<typeof viewedList>

const savedView = z.object({
  id: z.uuid(),
  name: z.string(),
  list: viewedList,
  /** Whether everyone in the clinic may open it, or only its owner. */
  isShared: z.boolean(),
  ownerId: z.uuid(),
})
export type SavedView = z.output<typeof savedView>

const fields = z.strictObject({ name: requiredLine(60, 'Name is required'), list: viewedList, isShared: z.boolean() })
export type NewView = z.output<typeof fields>

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Saved views']
const notFound = { NOT_FOUND: { status: 404, message: 'This view does not exist' } } as const
const notYours = { ...notFound, NOT_YOURS: { status: 403, message: 'Only the owner of this view can change it' } } as const
const tooMany = { TOO_MANY: { status: 409, message: `You have ${maxViews} views already. Delete one first.` } } as const

export const savedViewsContract = {
  list: oc.route({ method: 'GET', path: '/saved-views', tags, summary: 'Your own and shared views, by name' }).output(z.array(savedView)),
  get: oc.route({ method: 'GET', path: '/saved-views/{id}', tags, summary: 'One view' }).input(byId).errors(notFound).output(savedView),
  create: oc.route({ method: 'POST', path: '/saved-views', tags, summary: 'Save a view' }).input(fields).errors(tooMany).output(savedView),
  update: oc
    .route({ method: 'PATCH', path: '/saved-views/{id}', tags, summary: 'Rename, change or share a view' })
    .input(fields.partial().extend({ id: z.uuid() }))
    .errors(notYours)
    .output(savedView),
  delete: oc
    .route({ method: 'DELETE', path: '/saved-views/{id}', tags, summary: 'Delete a view; it can be restored for 24 hours' })
    .input(byId)
    .errors(notYours),
  restore: oc
    .route({ method: 'POST', path: '/saved-views/{id}/restore', tags, summary: 'Restore a deleted view with the same id' })
    .input(byId)
    .errors({ ...notYours, ...tooMany })
    .output(savedView),
}
