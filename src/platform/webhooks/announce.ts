import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'

/** What the secrets are sealed for. */
export const sealedFor = 'webhook secret'

/** Pages of administrators hear of it. */
export const announce = (tx: Db, id: string) => publish(tx, 'webhook', id, { accounts: [], roles: ['admin'] })
