import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import * as change from './change.ts'
import { tasksContract } from './contract.ts'
import * as many from './bulk.ts'
import * as read from './read.ts'

const os = implement(tasksContract).$context<Context>()

export const tasksRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listTasks(context, input)),
  counts: os.counts.handler(({ input, context }) => read.countTasks(context, input)),
  week: os.week.handler(({ input, context }) => read.weekOfTasks(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) =>
    unwrap(await read.tasksOfContact(context, input.contactId), errors),
  ),
  assignable: os.assignable.handler(({ context }) => read.assignablePeople(context)),
  get: os.get.handler(async ({ input, context, errors }) => unwrap(await read.viewTask(context, input.id), errors)),
  create: os.create.handler(async ({ input, context, errors }) => unwrap(await change.createTask(context, input), errors)),
  update: os.update.handler(async ({ input, context, errors }) => unwrap(await change.updateTask(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => void unwrap(await change.deleteTask(context, input.id), errors)),
  complete: os.complete.handler(async ({ input, context, errors }) => unwrap(await many.completeTask(context, input.id), errors)),
  snooze: os.snooze.handler(async ({ input, context, errors }) =>
    unwrap(await change.snoozeTask(context, input.id, input.minutes), errors),
  ),
  changeMany: os.changeMany.handler(async ({ input, context, errors }) => unwrap(await many.changeTasks(context, input.changes), errors)),
  undo: os.undo.handler(async ({ input, context, errors }) => unwrap(await many.undoChange(context, input.id), errors)),
})
