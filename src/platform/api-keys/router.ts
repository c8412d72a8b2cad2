import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'
import { apiKeysContract } from './contract.ts'
import { listKeys, createKey, revokeKey } from './service.ts'

const os = implement(apiKeysContract).$context<Context>()

export const apiKeysRouter = os.router({
  list: os.list.handler(({ context }) => listKeys(context)),
  create: os.create.handler(({ context, input }) => createKey(context, input)),
  revoke: os.revoke.handler(async ({ context, input, errors }) => {
    const key = unwrap(await revokeKey(context, input.id), errors)
    context.events.notifyLocal({ topic: 'api-key', id: input.id }) // takes effect immediately
    return key
  }),
})
