import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import { permissions } from '../access/policy.ts'

/** Tells those who see the inbox, and nobody else, that a conversation has changed. */
export const announceConversation = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'inbox', id, { accounts: [], roles: permissions['inbox.conversations'] })
