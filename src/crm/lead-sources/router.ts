import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { leadSourcesContract } from './contract.ts'
import { deleteLeadSource, moveLeadSource } from './leaving.ts'
import { formatUses } from './rules.ts'
import * as service from './service.ts'

const os = implement(leadSourcesContract).$context<Context>()

export const leadSourcesRouter = os.router({
  list: os.list.handler(({ context }) => service.listLeadSources(context.db)),
  get: os.get.handler(async ({ input, context, errors }) => {
    const source = await service.getLeadSource(context, input.id)
    if (!source) throw errors.NOT_FOUND()
    return source
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const result = await service.createLeadSource(context, input)
    if (result === 'taken') throw errors.NAME_TAKEN()
    return result
  }),
  update: os.update.handler(async ({ input: { id, ...input }, context, errors }) => {
    const result = await service.updateLeadSource(context, id, input)
    if (result === 'not-found') throw errors.NOT_FOUND()
    if (result === 'taken') throw errors.NAME_TAKEN()
    return result
  }),
  rotateKey: os.rotateKey.handler(async ({ input, context, errors }) => {
    const webhookKey = await service.rotateWebhookKey(context, input.id)
    if (!webhookKey) throw errors.NOT_FOUND()
    context.events.notifyHere({ topic: 'vocabulary', id: input.id }) // the old key stops at once
    return { webhookKey }
  }),
  move: os.move.handler(async ({ input, context, errors }) => {
    const result = await moveLeadSource(context, input)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-into') throw errors.NOT_INTO()
    if (result === 'moving') throw errors.MOVING()
    if (result === 'moving-out') throw errors.ALREADY_MOVING()
    return result
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    const result = await deleteLeadSource(context, input.id)
    if (result === 'not-found') throw errors.NOT_FOUND()
    if (result !== 'deleted') {
      const message = `Used by ${formatUses(result)}. Move them to another source, or retire it: they keep it, and it is no longer offered.`
      throw errors.IN_USE({ message, data: { count: result.patients + result.leads } })
    }
  }),
})
