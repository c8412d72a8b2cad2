import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { cardTerminalContract, payLinksContract, savedCardsContract } from './contract.ts'
import { listAutomatic, stopAutomatic } from './automatic-consent.ts'
import { checkPayLink, payByLink, stopByLink, viewPayLink } from './pay-links.ts'
import { listSavedCards, removeSavedCard } from './saved.ts'
import { cancelCollected, checkCollected, collect, listReaders } from './terminal.ts'

const os = implement(payLinksContract).$context<Context>()

export const payLinksRouter = os.router({
  view: os.view.handler(async ({ input, context, errors }) => unwrap(await viewPayLink(context, input.token), errors)),
  start: os.start.handler(async ({ input, context, errors }) => unwrap(await payByLink(context, input), errors)),
  stopAutomatic: os.stopAutomatic.handler(async ({ input, context, errors }) => unwrap(await stopByLink(context, input.token), errors)),
  check: os.check.handler(async ({ input, context, errors }) => unwrap(await checkPayLink(context, input.token), errors)),
})

const desk = implement(cardTerminalContract).$context<Context>()

export const cardTerminalRouter = desk.router({
  readers: desk.readers.handler(async ({ context, errors }) => unwrap(await listReaders(context), errors)),
  collect: desk.collect.handler(async ({ input, context, errors }) => unwrap(await collect(context, input), errors)),
  check: desk.check.handler(async ({ input, context, errors }) => unwrap(await checkCollected(context, input.id), errors)),
  cancel: desk.cancel.handler(async ({ input, context, errors }) => unwrap(await cancelCollected(context, input.id), errors)),
})

const saved = implement(savedCardsContract).$context<Context>()

export const savedCardsRouter = saved.router({
  ofContact: saved.ofContact.handler(async ({ input, context, errors }) => unwrap(await listSavedCards(context, input.contactId), errors)),
  automatic: saved.automatic.handler(async ({ input, context, errors }) => unwrap(await listAutomatic(context, input.contactId), errors)),
  stopAutomatic: saved.stopAutomatic.handler(async ({ input, context, errors }) =>
    unwrap(await stopAutomatic(context, input.contactId), errors),
  ),
  remove: saved.remove.handler(async ({ input, context, errors }) => unwrap(await removeSavedCard(context, input.id), errors)),
})
