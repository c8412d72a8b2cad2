import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { inboxContract } from './contract.ts'
import * as service from './service.ts'

const os = implement(inboxContract).$context<Context>()

export const inboxRouter = os.router({
  unreadCount: os.unreadCount.handler(async ({ context }) => ({ count: await service.countUnread(context) })),
  unread: os.unread.handler(({ input, context }) => service.unreadByContact(context, input)),
  unreadOfContact: os.unreadOfContact.handler(({ input, context }) => service.unreadOfContact(context, input)),
  conversations: os.conversations.handler(({ input, context }) => service.listConversations(context, input)),
  conversation: os.conversation.handler(async ({ input, context, errors }) =>
    unwrap(await service.findConversation(context, input), errors),
  ),
  start: os.start.handler(async ({ input, context, errors }) => unwrap(await service.startConversation(context, input), errors)),
  phones: os.phones.handler(async ({ input, context, errors }) => unwrap(await service.listPhones(context, input.contactId), errors)),
  text: os.text.handler(async ({ input, context, errors }) =>
    unwrap(await service.startText(context, { ...input, html: null, documentIds: [] }), errors),
  ),
  reply: os.reply.handler(async ({ input, context, errors }) => unwrap(await service.reply(context, input), errors)),
  schedule: os.schedule.handler(async ({ input, context, errors }) => unwrap(await service.scheduleMessage(context, input), errors)),
  changeScheduled: os.changeScheduled.handler(async ({ input, context, errors }) =>
    unwrap(await service.changeScheduled(context, input), errors),
  ),
  cancelScheduled: os.cancelScheduled.handler(async ({ input, context, errors }) =>
    unwrap(await service.cancelScheduled(context, input.id), errors),
  ),
  sendScheduled: os.sendScheduled.handler(async ({ input, context, errors }) =>
    unwrap(await service.sendScheduledNow(context, input.id), errors),
  ),
  quickReplies: os.quickReplies.handler(({ context }) => service.listQuickReplies(context)),
  saveQuickReply: os.saveQuickReply.handler(async ({ input, context, errors }) =>
    unwrap(await service.saveQuickReply(context, input), errors),
  ),
  deleteQuickReply: os.deleteQuickReply.handler(async ({ input, context, errors }) =>
    unwrap(await service.deleteQuickReply(context, input.id), errors),
  ),
  replying: os.replying.handler(async ({ input, context, errors }) => unwrap(await service.announceReplying(context, input.id), errors)),
  resend: os.resend.handler(async ({ input, context, errors }) => unwrap(await service.resend(context, input.id), errors)),
  addNote: os.addNote.handler(async ({ input, context, errors }) => unwrap(await service.addNote(context, input.id, input.text), errors)),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await service.changeConversation(context, input), errors)),
  link: os.link.handler(async ({ input, context, errors }) => unwrap(await service.linkConversation(context, input), errors)),
  markRead: os.markRead.handler(async ({ input, context, errors }) => {
    const { readAt } = unwrap(await service.markMessage(context, input.id, true), errors)
    return { readAt: readAt! }
  }),
  markUnread: os.markUnread.handler(async ({ input, context, errors }) => {
    unwrap(await service.markMessage(context, input.id, false), errors)
    return { readAt: null }
  }),
  markContactRead: os.markContactRead.handler(async ({ input, context }) => ({
    count: await service.markContactRead(context, input.contactId),
  })),
  markSenderRead: os.markSenderRead.handler(async ({ input, context }) => ({
    count: await service.markSenderRead(context, input.address),
  })),
  markConversationRead: os.markConversationRead.handler(async ({ input, context }) => ({
    count: await service.markConversationRead(context, input.id),
  })),
  markAllRead: os.markAllRead.handler(async ({ input, context }) => ({ count: await service.markAllRead(context, input.before) })),
})
