import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { waitingListContract, waitingOffersContract } from './contract.ts'
import { listGaps } from './gaps.ts'
import { acceptOffer, declineOffer, makeOffer, viewOffer } from './offers.ts'
import { leaveList, viewPlace } from './links.ts'
import { addEntry, changeEntry, listEntries, removeEntry, entriesOf } from './entries.ts'

const list = implement(waitingListContract).$context<Context>()
const offers = implement(waitingOffersContract).$context<Context>()

export const waitingListRouter = list.router({
  list: list.list.handler(({ input, context }) => listEntries(context, input)),
  ofContact: list.ofContact.handler(async ({ input, context, errors }) => unwrap(await entriesOf(context, input.contactId), errors)),
  add: list.add.handler(async ({ input, context, errors }) => unwrap(await addEntry(context, input), errors)),
  change: list.change.handler(async ({ input, context, errors }) => unwrap(await changeEntry(context, input), errors)),
  remove: list.remove.handler(async ({ input, context, errors }) => unwrap(await removeEntry(context, input.id), errors)),
  gaps: list.gaps.handler(({ input, context }) => listGaps(context, input)),
  offer: list.offer.handler(async ({ input, context, errors }) => unwrap(await makeOffer(context, input), errors)),
})

export const waitingOffersRouter = offers.router({
  view: offers.view.handler(async ({ input, context, errors }) => unwrap(await viewOffer(context, context.attempts, input.token), errors)),
  accept: offers.accept.handler(async ({ input, context, errors }) =>
    unwrap(await acceptOffer(context, context.attempts, input.token), errors),
  ),
  decline: offers.decline.handler(async ({ input, context, errors }) =>
    unwrap(await declineOffer(context, context.attempts, input), errors),
  ),
  place: offers.place.handler(async ({ input, context, errors }) =>
    unwrap(await viewPlace(context, context.attempts, input.token), errors),
  ),
  leave: offers.leave.handler(async ({ input, context, errors }) =>
    unwrap(await leaveList(context, context.attempts, input.token), errors),
  ),
})
