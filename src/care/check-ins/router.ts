import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { checkInsContract } from './contract.ts'
import { checkInsOf } from './read.ts'
import { listSchedules, removeSchedule, setSchedule } from './schedules.ts'

const os = implement(checkInsContract).$context<Context>()

export const checkInsRouter = os.router({
  ofSurgery: os.ofSurgery.handler(async ({ input, context, errors }) => unwrap(await checkInsOf(context, input.id), errors)),
  schedules: os.schedules.handler(({ context }) => listSchedules(context.db)),
  setSchedule: os.setSchedule.handler(async ({ input, context, errors }) => unwrap(await setSchedule(context, input), errors)),
  removeSchedule: os.removeSchedule.handler(
    async ({ input, context, errors }) => void unwrap(await removeSchedule(context, input), errors),
  ),
})
