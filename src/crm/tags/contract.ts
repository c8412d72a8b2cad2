import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredLine } from '../../shared/text-shapes.ts'

export const tag = z.object({ id: z.uuid(), name: z.string() })
export type Tag = z.output<typeof tag>

const tags = ['Tags']
const taken = { NAME_TAKEN: { status: 409, message: 'A tag with this name already exists' } } as const
const notFound = { NOT_FOUND: { status: 404, message: 'This tag does not exist' } } as const

export const tagsContract = {
  list: oc.route({ method: 'GET', path: '/tags', tags, summary: 'Tags by name' }).output(z.array(tag)),
  create: oc
    .route({ method: 'POST', path: '/tags', tags, summary: 'Add a tag' })
    .input(z.strictObject({ name: requiredLine(60, 'Name is required') }))
    .errors(taken)
    .output(tag),
  counts: oc
    .route({ method: 'GET', path: '/tags/counts', tags, summary: 'How many patients have each tag' })
    .output(z.array(z.object({ tagId: z.uuid(), count: z.number().int() }))),
  rename: oc
    .route({ method: 'PATCH', path: '/tags/{id}', tags, summary: 'Rename a tag' })
    .input(z.strictObject({ id: z.uuid(), name: requiredLine(60, 'Name is required') }))
    .errors({ ...taken, ...notFound })
    .output(tag),
  merge: oc
    .route({ method: 'POST', path: '/tags/{id}/merge', tags, summary: 'Merge a tag into another one and delete it' })
    .input(z.strictObject({ id: z.uuid(), into: z.uuid() }))
    .errors({ ...notFound, INVALID_TARGET: { status: 409, message: 'Choose another existing tag' } })
    .output(z.object({ count: z.number().int() })),
  delete: oc
    .route({ method: 'DELETE', path: '/tags/{id}', tags, summary: 'Delete a tag and remove it from every patient' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors(notFound),
}
