import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import * as answer from './answer.ts'
import { recallsContract } from './contract.ts'
import { startRecall } from './prepare.ts'
import * as read from './read.ts'

const os = implement(recallsContract).$context<Context>()

export const recallsRouter = os.router({
  find: os.find.handler(({ input, context }) => read.findAffected(context, input)),
  list: os.list.handler(({ input, context }) => read.listRecalls(context, input)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.getRecall(context.db, input.id), errors)),
  patients: os.patients.handler(async ({ input, context, errors }) => unwrap(await read.listPatients(context, input), errors)),
  start: os.start.handler(({ input, context }) => startRecall(context, input)),
  addAttempt: os.addAttempt.handler(async ({ input, context, errors }) => unwrap(await answer.addAttempt(context, input), errors)),
  setAnswer: os.setAnswer.handler(async ({ input, context, errors }) => unwrap(await answer.setAnswer(context, input), errors)),
})
