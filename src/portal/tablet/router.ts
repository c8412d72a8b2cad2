import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { tabletContract } from './contract.ts'
import { endTablet, openTablet, pairTablet, tabletItems, tabletOfContact } from './service.ts'

const os = implement(tabletContract).$context<Context>()

export const tabletRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await tabletOfContact(context, input.contactId), errors)),
  open: os.open.handler(async ({ input, context, errors }) => unwrap(await openTablet(context, input), errors)),
  end: os.end.handler(async ({ input, context, errors }) => unwrap(await endTablet(context, input.id), errors)),
  pair: os.pair.handler(async ({ input, context, errors }) => unwrap(await pairTablet(context, input.code), errors)),
  fetch: os.fetch.handler(async ({ input, context, errors }) => unwrap(await tabletItems(context, input.sessionToken), errors)),
})
