import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'

/** The database, or a transaction on it: services take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool }

type OnError = (error: Error) => void

/** A pool of connections. A connection that breaks while idle is dropped; the next query opens another. */
export const openDatabase = (url: string, size: number, onError: OnError): Database => drizzle(openPool(url, size, onError))

/** Connections whose plans are bitmap index scans alone: the search needs that plan whatever the planner guesses (see contacts/search.ts). */
export const openIndexDatabase = (url: string, size: number, onError: OnError): Database =>
  drizzle(openPool(url, size, onError, '-c enable_seqscan=off -c enable_indexscan=off -c enable_indexonlyscan=off -c enable_memoize=off'))

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
