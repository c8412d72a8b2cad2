import { drizzle } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import type { Scope } from '../scope.ts'

/**
 * Reads within one database snapshot, however long it takes. Views are not recorded, because the caller records the result as exported.
 * Holds a connection until it ends.
 */
export async function* withSnapshot<Item>(scope: Scope, read: (snapshot: Scope) => AsyncIterable<Item>): AsyncGenerator<Item> {
  const client = await scope.recentDb.$client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    yield* read({ ...scope, db: drizzle(client) as unknown as Database, recordView: async () => {} })
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
