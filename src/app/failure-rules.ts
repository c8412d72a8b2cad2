import { templateFailures } from '../messages/email-templates/contract.ts'
import { inboxMessages } from '../messages/inbox/contract.ts'
import { mergeFailed } from '../admin/merges/rules.ts'
import type { ApiRoute } from '../kernel/access/policy.ts'

/** Spec 8's messages for unexpected failures of these calls; any other call has a general message. */
export const failureTexts: { readonly [Route in ApiRoute]?: string } = {
  'inbox.unread': inboxMessages.unread,
  'inbox.unreadCount': inboxMessages.count,
  'inbox.unreadOfContact': inboxMessages.ofContact,
  'inbox.markRead': inboxMessages.markOne,
  'inbox.markContactRead': inboxMessages.markContact,
  'inbox.markAllRead': inboxMessages.markAll,
  'inbox.start': inboxMessages.send,
  'inbox.text': inboxMessages.sendText,
  'inbox.reply': inboxMessages.send,
  'inbox.resend': inboxMessages.send,
  'emailTemplates.list': templateFailures.list,
  'emailTemplates.create': templateFailures.create,
  'emailTemplates.update': templateFailures.update,
  'emailTemplates.delete': templateFailures.delete,
  'contacts.merge': mergeFailed,
}
