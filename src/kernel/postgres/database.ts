import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { compileRows } from './compile-rows.ts'

/** The database, or a transaction on it: services take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool }

type OnError = (error: Error) => void

/** A pool of connections. A connection that breaks while idle is dropped; the next query opens another. */
export const openDatabase = (url: string, size: number, onError: OnError): Database => drizzle(openPool(url, size, onError))

/**
 * Connections that only plan bitmap index scans, which the contact search needs regardless of the planner's estimates, and that plan a
 * statement once for all values (see contacts/list/search.ts).
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
    const statement = compileRows(build(db))
    built.set(db, statement)
    return statement
  }
}

/** From this use on, a statement is prepared: what is asked once costs less unprepared. */
const preparedFrom = 5
/** Each takes tens of kilobytes of a connection; one with long lists of values would take hundreds. */
const maxPrepared = 500
const maxValues = 100
const maxCounted = 2_000

/**
 * Whether one plan is right for all values: for writes and for look-ups by equality. How many rows are in a list or a range, contain a text or join
 * with others depends on the values, and PostgreSQL would soon use a plan that assumes few.
 */
const hasOnePlan = (text: string): boolean =>
  !/[<>~]|\bin \(|\b(like|between|any|join|exists|order by|group by)\b/i.test(text.replaceAll(/=>|->>?/g, ''))

/** Names the statements that are used often, for all connections of a pool. */
function namer(): (text: string) => string | null {
  const uses = new Map<string, number>()
  const names = new Map<string, string | null>()
  let count = 0
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    const use = (uses.get(text) ?? 0) + 1
    if (use < preparedFrom) {
      if (uses.size === maxCounted) uses.clear()
      uses.set(text, use)
      return null
    }
    uses.delete(text)
    if (names.size === maxCounted) return null
    const name = count < maxPrepared && hasOnePlan(text) ? `statement-${count++}` : null
    names.set(text, name)
    return name
  }
}

/** Errors of a prepared statement whose tables have changed, or that the connection does not have. */
const outdated: readonly unknown[] = ['0A000', '26000']

/** Prepares frequent statements, so that PostgreSQL does not parse and plan them again each time (decision "request-cost"). */
function prepareFrequent(client: pg.PoolClient, nameOf: (text: string) => string | null): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const send = (config: pg.QueryConfig | string, values: unknown[] | undefined, ...rest: unknown[]): unknown => {
    const canPrepare = typeof config === 'object' && !config.name && Array.isArray(values) && values.length > 0
    const name = canPrepare && values.length <= maxValues ? nameOf(config.text) : null
    if (!name) return query(config, values, ...rest)
    const result = query({ ...(config as pg.QueryConfig), name }, values, ...rest)
    // With a callback it is the pool's, which drops the connection.
    if (rest.length > 0) return result
    return result.catch((error: { code?: unknown }) => {
      if (outdated.includes(error.code)) client.query = query as typeof client.query
      throw error
    })
  }
  client.query = send as typeof client.query
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
