import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { setTag, tagsOf } from '../tags/service.ts'
import { contactMessages, contactsContract } from './contract.ts'
import { findContacts } from './find.ts'
import { cardsOfColumn, boardOf } from './board.ts'
import * as lists from './list.ts'
import * as service from './service.ts'
import { historyOf } from './history.ts'
import { historyContract } from './history-contract.ts'
import { stageHistoryOf } from './stage-moves.ts'

const os = implement({ ...contactsContract, ...historyContract }).$context<Context>()

export const contactsRouter = os.router({
  list: os.list.handler(({ input, context }) => lists.listContacts(context, input)),
  count: os.count.handler(async ({ input, context }) => ({ total: await lists.countContacts(context, input) })),
  tally: os.tally.handler(({ input, context }) => lists.tallyContacts(context, input)),
  find: os.find.handler(async ({ input, context }) => ({ data: await findContacts(context, input) })),
  board: os.board.handler(async ({ input, context }) => ({ columns: await boardOf(context, input) })),
  boardColumn: os.boardColumn.handler(({ input, context }) => cardsOfColumn(context, input)),
  batch: os.batch.handler(({ input, context }) => lists.batchOfContacts(context, input.after)),
  byStage: os.byStage.handler(({ input, context }) => lists.contactsByStage(context, input.stage)),
  bySource: os.bySource.handler(({ input, context }) => lists.contactsBySource(context, input.source)),
  byEmail: os.byEmail.handler(({ input, context }) => lists.contactByEmail(context, input.email)),
  withWelcomeTag: os.withWelcomeTag.handler(({ context }) => lists.contactsWithWelcomeTag(context)),

  get: os.get.handler(async ({ input, context, errors }) => {
    const row = await service.getContact(context, input.id)
    if (!row) throw errors.NOT_FOUND()
    return row
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const result = await service.createContact(context, input)
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('existing' in result)
      throw errors.EMAIL_TAKEN({ data: { fields: { [result.field]: contactMessages.emailTaken }, existing: result.existing } })
    return result.created
  }),
  update: os.update.handler(async ({ input, context, errors }) => {
    const result = await service.updateContact(context, input)
    if (!result) throw errors.NOT_FOUND()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('changes' in result) throw errors.CONFLICT({ data: result })
    return result.updated
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    const deleted = await service.deleteContact(context, input.id)
    if (!deleted) throw errors.NOT_FOUND()
    if (deleted === 'owes') throw errors.OWES()
  }),
  stageHistory: os.stageHistory.handler(async ({ input, context, errors }) => {
    const rows = await stageHistoryOf(context, input.id)
    if (!rows) throw errors.NOT_FOUND()
    return rows
  }),
  history: os.history.handler(async ({ input, context, errors }) => {
    const page = await historyOf(context, input)
    if (!page) throw errors.NOT_FOUND()
    return page
  }),
  tags: os.tags.handler(async ({ input, context, errors }) => {
    const rows = await tagsOf(context, input.id)
    if (!rows) throw errors.NOT_FOUND()
    return rows
  }),
  addTag: os.addTag.handler(async ({ input, context, errors }) => {
    if (!(await setTag(context, input.id, input.tagId, true))) throw errors.NOT_FOUND()
  }),
  removeTag: os.removeTag.handler(async ({ input, context, errors }) => {
    if (!(await setTag(context, input.id, input.tagId, false))) throw errors.NOT_FOUND()
  }),
})
