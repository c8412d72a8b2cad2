import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'

/** Notifies everyone with access to the inbox, and no one else, that a conversation has changed. */
export const announceConversation = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'inbox', id, { accounts: [], roles: permissions['inbox.conversations'] })
