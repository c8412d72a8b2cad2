import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { notificationsContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(notificationsContract).$context<Context>()

export const notificationsRouter = os.router({
  unread: os.unread.handler(({ input, context }) => service.unreadNotifications(context, input)),
  list: os.list.handler(({ input, context }) => service.listNotifications(context, input)),
  read: os.read.handler(async ({ input, context, errors }) => void unwrap(await service.markNotification(context, input.id, true), errors)),
  markUnread: os.markUnread.handler(
    async ({ input, context, errors }) => void unwrap(await service.markNotification(context, input.id, false), errors),
  ),
  readAll: os.readAll.handler(async ({ context }) => ({ read: await service.markAllRead(context) })),
  preferences: os.preferences.handler(({ context }) => service.listPreferences(context)),
  setPreference: os.setPreference.handler(({ input, context }) => service.setPreference(context, input.notificationType, input.enabled)),
})
