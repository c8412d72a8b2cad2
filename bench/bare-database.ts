import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'

/** As the driver takes it: a statement with a name is parsed once per connection. */
export type Prepared = { name: string; text: string; values: unknown[] }

const dialect = new PgDialect()

/** A template as a statement, to be kept and run many times. */
export function prepared(template: SQL): Prepared {
  const { sql: text, params } = dialect.sqlToQuery(template)
  return { name: nameOf(text), text, values: params }
}

export const nameOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** As many connections as our server has by default, and for the search the same plans (see openIndexDatabase). */
export const openPools = (url: string): { pool: pg.Pool; indexPool: pg.Pool } => ({
  pool: new pg.Pool({ connectionString: url, max: 10 }),
  indexPool: new pg.Pool({
    connectionString: url,
    max: 5,
    // Without the last one, the fifth run would settle on a plan that folds the term again for each row.
    options:
      '-c enable_seqscan=off -c enable_indexscan=off -c enable_indexonlyscan=off -c enable_memoize=off -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_custom_plan',
  }),
})
