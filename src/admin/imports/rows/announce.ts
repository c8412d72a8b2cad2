import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'

/** How far an import has come is told to those who see it: the person who began it, and administrators. */
export const announce = (tx: Db, { id, createdBy }: { id: string; createdBy: string }): Promise<void> =>
  publish(tx, 'import', id, { accounts: [createdBy], roles: ['admin'] })
