import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import * as change from './change.ts'
import { tasksContract } from './contract.ts'
import * as many from './many.ts'
import * as read from './read.ts'

const os = implement(tasksContract).$context<Context>()

export const tasksRouter = os.router({
  list: os.list.handler(({ input, context }) => read.listTasks(context, input)),
  counts: os.counts.handler(({ input, context }) => read.countTasks(context, input)),
  week: os.week.handler(({ input, context }) => read.weekOfTasks(context, input)),
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => {
    const tasks = await read.tasksOfContact(context, input.contactId)
    if (!tasks) throw errors.NOT_FOUND()
    return tasks
  }),
  assignable: os.assignable.handler(({ context }) => read.assignablePeople(context)),
  get: os.get.handler(async ({ input, context, errors }) => {
    const task = await read.viewTask(context, input.id)
    if (!task) throw errors.NOT_FOUND()
    return task
  }),
  create: os.create.handler(async ({ input, context, errors }) => {
    const task = await change.createTask(context, input)
    if ('invalid' in task) throw errors.INVALID_REFERENCE({ data: { fields: task.invalid } })
    return task
  }),
  update: os.update.handler(async ({ input, context, errors }) => {
    const task = await change.updateTask(context, input)
    if (!task) throw errors.NOT_FOUND()
    if ('invalid' in task) throw errors.INVALID_REFERENCE({ data: { fields: task.invalid } })
    if ('conflict' in task) throw errors.CONFLICT({ data: { current: task.conflict } })
    return task
  }),
  delete: os.delete.handler(async ({ input, context, errors }) => {
    if (!(await change.deleteTask(context, input.id))) throw errors.NOT_FOUND()
  }),
  complete: os.complete.handler(async ({ input, context, errors }) => {
    const result = await many.completeTask(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
  snooze: os.snooze.handler(async ({ input, context, errors }) => {
    const task = await change.snoozeTask(context, input.id, input.minutes)
    if (!task) throw errors.NOT_FOUND()
    if (task === 'not-open') throw errors.NOT_OPEN()
    return task
  }),
  changeMany: os.changeMany.handler(async ({ input, context, errors }) => {
    const result = await many.changeTasks(context, input.changes)
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    return result
  }),
  undo: os.undo.handler(async ({ input, context, errors }) => {
    const result = await many.undoChange(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    return result
  }),
})
