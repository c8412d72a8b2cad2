import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'

/** Publishes the progress of an import to its creator and to administrators. */
export const publishProgress = (tx: Db, { id, createdBy }: { id: string; createdBy: string }): Promise<void> =>
  publish(tx, 'import', id, { accounts: [createdBy], roles: ['admin'] })
