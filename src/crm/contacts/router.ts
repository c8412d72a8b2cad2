import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { setTag, tagsOf } from '../tags/service.ts'
import { contactsContract } from './contract.ts'
import { findContacts } from './list/find.ts'
import { cardsOfColumn, boardOf } from './list/board.ts'
import * as batches from './list/batches.ts'
import * as lists from './list/list.ts'
import * as service from './service.ts'
import { historyOf } from './history/history.ts'
import { historyContract } from './history-contract.ts'
import { stageHistoryOf } from './stages/stage-moves.ts'

const os = implement({ ...contactsContract, ...historyContract }).$context<Context>()

export const contactsRouter = os.router({
  list: os.list.handler(({ input, context }) => lists.listContacts(context, input)),
  count: os.count.handler(async ({ input, context }) => ({ total: await lists.countContacts(context, input) })),
  tally: os.tally.handler(({ input, context }) => lists.tallyContacts(context, input)),
  find: os.find.handler(async ({ input, context }) => ({ data: await findContacts(context, input) })),
  board: os.board.handler(async ({ input, context }) => ({ columns: await boardOf(context, input) })),
  boardColumn: os.boardColumn.handler(({ input, context }) => cardsOfColumn(context, input)),
  batch: os.batch.handler(({ input, context }) => batches.batchOfContacts(context, input)),
  byStage: os.byStage.handler(({ input, context }) => batches.contactsByStage(context, input)),
  bySource: os.bySource.handler(({ input, context }) => batches.contactsBySource(context, input)),
  byEmail: os.byEmail.handler(({ input, context }) => batches.contactByEmail(context, input.email)),
  withWelcomeTag: os.withWelcomeTag.handler(({ input, context }) => batches.contactsWithWelcomeTag(context, input)),

  get: os.get.handler(async ({ input, context, errors }) => unwrap(await service.getContact(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await service.createContact(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await service.updateContact(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await service.deleteContact(context, input.id), errors)),
  stageHistory: os.stageHistory.handler(async ({ input, context, errors }) => unwrap(await stageHistoryOf(context, input.id), errors)),
  history: os.history.handler(async ({ input, context, errors }) => unwrap(await historyOf(context, input), errors)),
  tags: os.tags.handler(async ({ input, context, errors }) => unwrap(await tagsOf(context, input.id), errors)),
  addTag: os.addTag.handler(async ({ input, context, errors }) => void unwrap(await setTag(context, input.id, input.tagId, true), errors)),
  removeTag: os.removeTag.handler(
    async ({ input, context, errors }) => void unwrap(await setTag(context, input.id, input.tagId, false), errors),
  ),
})
