import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredText } from '../../shared/text.ts'

export const tag = z.object({ id: z.uuid(), name: z.string() })
export type Tag = z.output<typeof tag>

const tags = ['Tags']

export const tagsContract = {
  list: oc.route({ method: 'GET', path: '/tags', tags, summary: 'Tags by name' }).output(z.array(tag)),
  create: oc
    .route({ method: 'POST', path: '/tags', tags, summary: 'Add a tag' })
    .input(z.strictObject({ name: requiredText(60, 'Name is required') }))
    .errors({ NAME_TAKEN: { status: 409, message: 'A tag with this name exists already' } })
    .output(tag),
  delete: oc
    .route({ method: 'DELETE', path: '/tags/{id}', tags, summary: 'Delete a tag and take it off every patient' })
    .input(z.strictObject({ id: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This tag does not exist' } }),
}
