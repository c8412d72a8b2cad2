import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { tagsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(tagsContract).$context<Context>()

export const tagsRouter = os.router({
  list: os.list.handler(({ context }) => service.listTags(context.db)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createTag(context, input.name), errors)),
  counts: os.counts.handler(({ context }) => service.countByTag(context.db)),
  rename: os.rename.handler(async ({ input, context, errors }) => unwrap(await service.renameTag(context, input), errors)),
  merge: os.merge.handler(async ({ input, context, errors }) => unwrap(await service.mergeTags(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await service.deleteTag(context, input.id), errors)),
})
