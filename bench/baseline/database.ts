import { createHash } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'

/** A named statement for the driver, which parses it once per connection. */
export type Prepared = { name: string; text: string; values: unknown[] }

const dialect = new PgDialect()

/** Converts a template to a statement that can be run many times. */
export function prepared(template: SQL): Prepared {
  const { sql: text, params } = dialect.sqlToQuery(template)
  return { name: nameOf(text), text, values: params }
}

export const nameOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** Opens as many connections as our server does by default, with the same planner settings for the search (see openIndexDatabase). */
export const openPools = (url: string): { pool: pg.Pool; indexPool: pg.Pool } => ({
  pool: new pg.Pool({ connectionString: url, max: 10 }),
  indexPool: new pg.Pool({
    connectionString: url,
    max: 5,
    // Without plan_cache_mode, the fifth run would switch to a generic plan that folds the term again for each row.
    options:
      '-c enable_seqscan=off -c enable_indexscan=off -c enable_indexonlyscan=off -c enable_memoize=off -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_custom_plan',
  }),
})
