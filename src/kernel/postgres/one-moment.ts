import { drizzle } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import type { Scope } from '../scope.ts'

/**
 * What is read under a scope whose database stands still: all of it as it was when the reading began, however long it takes. What is read so is
 * told as exported by anyone who sends it, and not as viewed besides. Holds a connection until it ends.
 */
export async function* atOneMoment<Part>(scope: Scope, read: (still: Scope) => AsyncIterable<Part>): AsyncGenerator<Part> {
  const client = await scope.db.$client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    yield* read({ ...scope, db: drizzle(client) as unknown as Database, recordView: async () => {} })
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
