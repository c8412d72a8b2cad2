import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'

/** Encryption purpose of the secrets. */
export const sealedFor = 'webhook secret'

/** Notifies administrators' pages. */
export const announce = (tx: Db, id: string) => publish(tx, 'webhook', id, { accounts: [], roles: ['admin'] })
