import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { tagsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(tagsContract).$context<Context>()

export const tagsRouter = os.router({
  list: os.list.handler(({ context }) => service.listTags(context.db)),
  create: os.create.handler(async ({ input, context, errors }) => {
    const row = await service.createTag(context, input.name)
    if (!row) throw errors.NAME_TAKEN()
    return row
  }),
  counts: os.counts.handler(({ context }) => service.countByTag(context.db)),
  rename: os.rename.handler(async ({ input, context, errors }) => {
    const row = await service.renameTag(context, input)
    if (!row) throw errors.NOT_FOUND()
    if (row === 'taken') throw errors.NAME_TAKEN()
    return row
  }),
  merge: os.merge.handler(async ({ input, context, errors }) => {
    const merged = await service.mergeTags(context, input)
    if (!merged) throw errors.NOT_FOUND()
    if (merged === 'not-into') throw errors.NOT_INTO()
    return merged
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    if (!(await service.deleteTag(context, input.id))) throw errors.NOT_FOUND()
  }),
})
