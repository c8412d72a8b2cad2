import type { Client } from '../../../ui/client/api.ts'

/** Rows as they arrive in the browser: instants are ISO strings. */
export type ConversationRow = Awaited<ReturnType<Client['inbox']['conversations']>>['data'][number]
export type ConversationData = Awaited<ReturnType<Client['inbox']['conversation']>>
export type MessageData = ConversationData['messages'][number]
export type AttachmentData = MessageData['attachments'][number]
export type NoteData = ConversationData['notes'][number]
export type QuickReplyData = Awaited<ReturnType<Client['inbox']['quickReplies']>>[number]
export type WayData = ConversationData['ways'][number]

/** The same for all threads of a conversation, of which each may be the newest in turn. */
export const keyOf = ({ contact, address }: Pick<ConversationRow, 'contact' | 'address'>): string => contact?.id ?? address

/** The patient's name, else the sender's name, else the address. */
export const whoOf = ({ contact, name, address }: Pick<ConversationRow, 'contact' | 'name' | 'address'>): string =>
  (contact && `${contact.firstName} ${contact.lastName}`.trim()) || name || address

export const isUnread = ({ direction, readAt }: Pick<MessageData, 'direction' | 'readAt'>): boolean =>
  direction === 'inbound' && readAt === null
