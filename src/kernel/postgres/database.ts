import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'

/** The database, or a transaction on it: services take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool }

type OnError = (error: Error) => void

/** A pool of connections. A connection that breaks while idle is dropped; the next query opens another. */
export const openDatabase = (url: string, size: number, onError: OnError): Database => drizzle(openPool(url, size, onError))

/**
 * Connections that only plan bitmap index scans, which the contact search needs regardless of the planner's estimates (see
 * contacts/search.ts).
 */
export const openIndexDatabase = (url: string, size: number, onError: OnError): Database =>
  drizzle(
    openPool(
      url,
      size,
      onError,
      '-c enable_seqscan=off -c enable_indexscan=off -c enable_indexonlyscan=off -c enable_memoize=off -c max_parallel_workers_per_gather=0',
    ),
  )

/**
 * A statement that is built once per database and prepared once per connection, for frequent reads. `build` sets its name. In a transaction
 * it is built again.
 */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>()
  return (db) => {
    const cached = built.get(db)
    if (cached) return cached
    const statement = build(db)
    built.set(db, statement)
    return statement
  }
}

function openPool(url: string, size: number, onError: OnError, options?: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    application_name: 'refyne',
    pipeline: true,
    ...(options ? { options } : {}),
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
