import { tracingChannel } from 'node:diagnostics_channel'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { compileRows } from './compile-rows.ts'
import { clientOf, endAndSkip, inspect, isPooled, keepAlive, readOnly } from './hosts.ts'

/** The database, or a transaction on it: services take either. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool }

type OnError = (error: Error) => void

/** A pool of connections. A connection that breaks while idle is dropped; the next query opens another. */
export const openDatabase = (url: string, size: number, onError: OnError): Database => drizzle(openPool(url, size, onError))

/** A pool of connections to a standby, for reads. */
export const openReplica = (url: string, size: number, onError: OnError): Database =>
  drizzle(openPool(url, size, onError, { onlyReads: true }))

/** The contact search's connections. */
export type IndexDatabase = {
  /** A statement with a name is planned once for all values, another for its own. */
  query: <Row extends object>(statement: pg.QueryConfig) => Promise<Row[]>
  $client: pg.Pool
}

/** Plans only bitmap index scans, which the contact search needs regardless of the planner's estimates (see crm/contacts/list/search.ts). */
const indexSettings = {
  enable_seqscan: 'off',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
  enable_memoize: 'off',
  max_parallel_workers_per_gather: '0',
}

export function openIndexDatabase(url: string, size: number, onError: OnError): IndexDatabase {
  const set = (client: pg.PoolClient, settings: Record<string, string>, isLocal: boolean) => {
    const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
    return client.query(`select ${calls.join(', ')}`)
  }
  const pool = openPool(url, size, onError, {
    begin: (client) => set(client, { ...indexSettings, plan_cache_mode: 'force_generic_plan' }, false),
  })

  return {
    async query(statement) {
      const client = await pool.connect()
      try {
        // Sent together. Through a pooler, settings last for a transaction.
        const isLent = isPooled(client)
        const isPlannedAnew = !isLent && statement.name === undefined
        const before = isLent
          ? [client.query('begin'), set(client, indexSettings, true)]
          : [isPlannedAnew && client.query('set plan_cache_mode = force_custom_plan')]
        const result = client.query(statement)
        const after = isLent ? client.query('commit') : isPlannedAnew && client.query('set plan_cache_mode = force_generic_plan')
        await Promise.all([...before, result, after])
        return (await result).rows as never[]
      } finally {
        client.release()
      }
    },
    $client: pool,
  }
}

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

const onePlanMark = '/* one plan */'
/** In a statement whose rows are all found by index, however many ids it is given: it is prepared like simple look-ups. */
export const onePlan: SQL = sql.raw(onePlanMark)

/**
 * Whether one plan is right for all values: for writes, for look-ups by equality and for what belongs to one patient, which is few rows of any table.
 * How many rows are in another list or a range, contain a text or join with others depends on the values, and PostgreSQL would soon use a plan that
 * assumes few. A statement that only looks rows up by their ids may say so: see `onePlan`.
 */
const hasOnePlan = (text: string): boolean =>
  text.includes(onePlanMark) ||
  /\bwhere \(?"\w+"\."contact_id" = \$/.test(text) ||
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
    const result = query(name ? { ...(config as pg.QueryConfig), name } : config, values, ...rest)
    // With a callback it is the pool's, which drops the connection.
    if (rest.length > 0 || !(result instanceof Promise)) return result
    return result.catch((error: { code?: unknown }) => {
      if (name && outdated.includes(error.code)) client.query = query as typeof client.query
      if (error.code === readOnly) endAndSkip(client)
      throw error
    })
  }
  client.query = send as typeof client.query
}

/** Prepares nothing, whatever name a statement has: the next transaction may be on another connection. */
function prepareNothing(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const send = (config: pg.QueryConfig | string, ...rest: unknown[]) =>
    query(typeof config === 'object' && config.name ? { ...config, name: undefined } : config, ...rest)
  client.query = send as typeof client.query
}

/** A statement that a service sends. Its text has no values. */
export type Statement = { text: string; error?: unknown }

/** Publishes each statement, for traces. */
export const statements = tracingChannel<unknown, Statement>('refyne:statement')

type Query = (...args: unknown[]) => Promise<unknown>

/** Publishes what is sent through a pool or a connection of it, in the context of its sender. Not with a callback: that is the pool itself. */
function publishStatements(sender: pg.Pool | pg.PoolClient): void {
  const query = sender.query.bind(sender) as Query
  sender.query = ((...args: unknown[]) => {
    const [config] = args
    const text = typeof config === 'string' ? config : (config as Partial<pg.QueryConfig>).text
    if (!statements.hasSubscribers || text === undefined || typeof args.at(-1) === 'function') return query(...args)
    return statements.tracePromise(() => query(...args), { text })
  }) as typeof sender.query
}

type PoolOptions = {
  /** Sets up a connection that is not a pooler's. */
  begin?: (client: pg.PoolClient) => Promise<unknown>
  /** Whether connections may lead to a standby. */
  onlyReads?: boolean
}

function openPool(url: string, size: number, onError: OnError, { begin, onlyReads = false }: PoolOptions = {}): pg.Pool {
  const nameOf = namer()
  const pool = new pg.Pool({
    Client: clientOf(url),
    max: size,
    connectionTimeoutMillis: 5_000,
    application_name: 'refyne',
    ...keepAlive,
    pipeline: true,
    onConnect: (async (client: pg.PoolClient) => {
      try {
        await inspect(client, onlyReads)
        if (!isPooled(client)) await begin?.(client)
      } catch (error) {
        endAndSkip(client)
        throw error
      }
      if (isPooled(client)) prepareNothing(client)
      else prepareFrequent(client, nameOf)
    }) as unknown as pg.PoolConfig['onConnect'],
  })
  publishStatements(pool)
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', onError)
    publishStatements(client)
  })
  return pool
}
