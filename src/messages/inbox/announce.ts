import type { Db } from '../../kernel/postgres/database.ts'
import { publish, publishEach } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'

const audience = { accounts: [], roles: permissions['inbox.conversations'] }

/** Notifies everyone with access to the inbox, and no one else, that a conversation has changed. */
export const announceConversation = (tx: Db, id: string): Promise<void> => publish(tx, 'inbox', id, audience)
export const announceConversations = (tx: Db, ids: readonly string[]): Promise<void> => publishEach(tx, 'inbox', ids, audience)
