import { implement } from '@orpc/server'
import type { Context } from '../../platform/context.ts'
import { inboxContract } from './contract.ts'
import type { SendRefusal } from './send.ts'
import * as service from './service.ts'

const os = implement(inboxContract).$context<Context>()

type Fields = { data: { fields: Record<string, string> } }
type Sending = {
  KEY_REUSED: () => Error
  SUPPRESSED: () => Error
  NO_CONSENT: () => Error
  NO_POSTAL_ADDRESS: () => Error
  INVALID_REFERENCE: (said: Fields) => Error
  TOO_LARGE: (said: Fields) => Error
}

function notSent(errors: Sending, refused: SendRefusal): Error {
  if (refused === 'key-reused') return errors.KEY_REUSED()
  if (refused === 'suppressed') return errors.SUPPRESSED()
  if (refused === 'no-consent') return errors.NO_CONSENT()
  if (refused === 'no-address') return errors.NO_POSTAL_ADDRESS()
  if (refused === 'unknown-template')
    return errors.INVALID_REFERENCE({ data: { fields: { templateId: 'This template does not exist any more' } } })
  if (refused === 'too-large') return errors.TOO_LARGE({ data: { fields: { documentIds: 'The attachments are too large' } } })
  return errors.INVALID_REFERENCE({ data: { fields: { documentIds: 'The patient has no such document' } } })
}

export const inboxRouter = os.router({
  unreadCount: os.unreadCount.handler(async ({ context }) => ({ count: await service.countUnread(context) })),
  unread: os.unread.handler(({ input, context }) => service.unreadByContact(context, input.limit)),
  unreadOfContact: os.unreadOfContact.handler(async ({ input, context }) => ({
    data: await service.unreadOfContact(context, input.contactId),
  })),
  conversations: os.conversations.handler(({ input, context }) => service.listConversations(context, input)),
  conversation: os.conversation.handler(async ({ input, context, errors }) => {
    const found = await service.findConversation(context, input.id, input.before)
    if (!found) throw errors.NOT_FOUND()
    return found
  }),
  start: os.start.handler(async ({ input, context, errors }) => {
    const result = await service.startConversation(context, { ...input, html: null })
    if (!result) throw errors.NOT_FOUND()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('refused' in result) throw notSent(errors, result.refused)
    return result
  }),
  reply: os.reply.handler(async ({ input, context, errors }) => {
    const result = await service.reply(context, { ...input, html: null })
    if (!result) throw errors.NOT_FOUND()
    if ('invalid' in result) throw errors.INVALID_REFERENCE({ data: { fields: result.invalid } })
    if ('refused' in result) throw notSent(errors, result.refused)
    return result
  }),
  resend: os.resend.handler(async ({ input, context, errors }) => {
    const result = await service.resend(context, input.id)
    if (!result) throw errors.NOT_FOUND()
    if (result === 'not-failed') throw errors.NOT_FAILED()
    if (result === 'suppressed') throw errors.SUPPRESSED()
    return result
  }),
  addNote: os.addNote.handler(async ({ input, context, errors }) => {
    const note = await service.addNote(context, input.id, input.text)
    if (!note) throw errors.NOT_FOUND()
    return note
  }),
  change: os.change.handler(async ({ input, context, errors }) => {
    const changed = await service.changeConversation(context, input)
    if (!changed) throw errors.NOT_FOUND()
    if ('invalid' in changed) throw errors.INVALID_REFERENCE({ data: { fields: changed.invalid } })
    return changed
  }),
  link: os.link.handler(async ({ input, context, errors }) => {
    const linked = await service.linkConversation(context, input)
    if (!linked) throw errors.NOT_FOUND()
    if (linked === 'linked-already') throw errors.LINKED_ALREADY()
    if ('invalid' in linked) throw errors.INVALID_REFERENCE({ data: { fields: linked.invalid } })
    return linked
  }),
  markRead: os.markRead.handler(async ({ input, context, errors }) => {
    const marked = await service.markMessage(context, input.id, true)
    if (!marked) throw errors.NOT_FOUND()
    return { readAt: marked.readAt! }
  }),
  markUnread: os.markUnread.handler(async ({ input, context, errors }) => {
    if (!(await service.markMessage(context, input.id, false))) throw errors.NOT_FOUND()
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
