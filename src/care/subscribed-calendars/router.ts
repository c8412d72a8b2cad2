import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { subscribedCalendarsContract } from './contract.ts'
import { addCalendar, listCalendars, ownCalendar, readNow, removeCalendar, setOwnCalendar } from './service.ts'

const os = implement(subscribedCalendarsContract).$context<Context>()

export const subscribedCalendarsRouter = os.router({
  list: os.list.handler(({ context }) => listCalendars(context)),
  add: os.add.handler(async ({ input, context, errors }) => unwrap(await addCalendar(context, input), errors)),
  remove: os.remove.handler(async ({ input, context, errors }) => {
    unwrap(await removeCalendar(context, input.id), errors)
  }),
  own: os.own.handler(({ context }) => ownCalendar(context)),
  setOwn: os.setOwn.handler(async ({ input, context, errors }) => unwrap(await setOwnCalendar(context, input.isOn), errors)),
  read: os.read.handler(async ({ input, context, errors }) => unwrap(await readNow(context, input.id), errors)),
})
