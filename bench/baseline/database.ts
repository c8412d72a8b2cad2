import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { type IndexDatabase, openIndexDatabase } from '../../src/kernel/postgres/database.ts'

/** A named statement for the driver, which parses it once per connection. */
export type Prepared = { name: string; text: string; values: unknown[] }

const dialect = new PgDialect()

/** Converts a template to a statement that can be run many times. */
export function prepared(template: SQL): Prepared {
  const { sql: text, params } = dialect.sqlToQuery(template)
  return { name: nameOf(text), text, values: params }
}

export const nameOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** Opens as many connections as our server does by default. */
export const openPools = (url: string): { pool: pg.Pool; indexDb: IndexDatabase } => ({
  pool: new pg.Pool({ connectionString: url, max: 10 }),
  indexDb: openIndexDatabase(url, 5, console.error),
})
