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
 * Connections that only plan bitmap index scans, which the contact search needs regardless of the planner's estimates, so a plan does not
 * depend on the values (see contacts/list/search.ts).
 */
export const openIndexDatabase = (url: string, size: number, onError: OnError): Database =>
  drizzle(
    openPool(
      url,
      size,
      onError,
      '-c enable_seqscan=off -c enable_indexscan=off -c enable_indexonlyscan=off -c enable_memoize=off -c max_parallel_workers_per_gather=0 -c plan_cache_mode=force_generic_plan',
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

/** From this use on, a statement is prepared: what is asked once costs less unprepared. */
const preparedFrom = 5
/** A prepared statement takes tens of kilobytes of each connection, and the number of different statements has no limit. */
const maxPrepared = 500
const maxCounted = 2_000
/** Names the statements that are used often, for all connections of a pool. */
function namer(): (text: string) => string | undefined {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known || names.size === maxPrepared) return known
    const count = (uses.get(text) ?? 0) + 1
    if (count < preparedFrom) {
      if (uses.size === maxCounted) uses.clear()
      uses.set(text, count)
      return undefined
    }
    uses.delete(text)
    const name = `statement-${names.size}`
    names.set(text, name)
    return name
  }
}

/** Prepares frequent statements, so that PostgreSQL does not parse and plan them again each time (decision "request-cost"). */
function prepareFrequent(client: pg.PoolClient, nameOf: (text: string) => string | undefined): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const prepared = (config: pg.QueryConfig | string, values: unknown[] | undefined, ...rest: unknown[]): unknown => {
    const name = typeof config === 'object' && !config.name && Array.isArray(values) && values.length > 0 && nameOf(config.text)
    return query(name ? { ...config, name } : config, values, ...rest)
  }
  client.query = prepared as typeof client.query
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
  const nameOf = namer()
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
    prepareFrequent(client, nameOf)
  })
  return pool
}
