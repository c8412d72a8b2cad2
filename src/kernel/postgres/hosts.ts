import type { Socket } from 'node:net'
import pg from 'pg'

/** The hosts of a database, of which one accepts writes. All connections of the process to the same URL go to the same one. */
type Hosts = {
  urls: readonly string[]
  /** The URL of the host that is used now. */
  current: () => string
  /** If this host is used now, the next connection goes to another: it does not answer, or is a standby. */
  skip: (url: string) => void
}

const known = new Map<string, Hosts>()

/** One URL for each host of a list such as `postgresql://user@one:5432,two:5432/refyne?target_session_attrs=read-write`. */
export function urlsOf(url: string): string[] {
  const [, start = '', places = '', rest = ''] = /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const end = rest.replace(/(?<=[?&])target_session_attrs=[^&]*&?/, '').replace(/[?&]$/, '')
  return places.split(',').map((place) => start + place + end)
}

function hostsOf(url: string): Hosts {
  const shared = known.get(url)
  if (shared) return shared
  const urls = urlsOf(url)
  let used = 0
  const hosts: Hosts = {
    urls,
    current: () => urls[used]!,
    skip(skipped) {
      if (skipped === urls[used]) used = (used + 1) % urls.length
    },
  }
  known.set(url, hosts)
  return hosts
}

/** Notices within half a minute that the peer of an idle connection has vanished. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Clients that are connected or connecting, by the URL of their host. */
const open = new Map<string, Set<pg.Client>>()

function follow(client: pg.Client, url: string): void {
  const clients = open.get(url) ?? new Set()
  open.set(url, clients.add(client))
  client.once('end', () => clients.delete(client))
}

/** Ends a connection at once. Nothing is sent to its host, which may have vanished. */
const destroy = (client: pg.Client): void => void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/** PostgreSQL's code for a write on a standby. */
export const readOnly = '25006'

/** Connections through a pooler, which keep neither settings nor prepared statements beyond a transaction. */
const pooled = new WeakSet<object>()

export const isPooled = (client: pg.Client | pg.PoolClient): boolean => pooled.has(client)

/** Throws if a new connection leads to a standby and does more than read. Notices a pooler by the process ids of its own that it shows. */
export async function inspect(client: pg.Client | pg.PoolClient, onlyReads = false): Promise<void> {
  const { rows } = await client.query<{ pid: number; isStandby: boolean }>(
    'select pg_backend_pid() as pid, pg_is_in_recovery() as "isStandby"',
  )
  const [{ pid, isStandby }] = rows as [{ pid: number; isStandby: boolean }]
  if (isStandby && !onlyReads) throw Object.assign(new Error('This is a standby'), { code: readOnly })
  if (pid !== (client as unknown as { processID: number }).processID) pooled.add(client)
}

/** Connects to the first host that answers and accepts writes, from the one that is used now. Throws the last host's refusal. */
export async function connectClient(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const hosts = hostsOf(url)
  let refusal: unknown
  for (const _ of hosts.urls) {
    const connectionString = hosts.current()
    const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config, connectionString })
    client.on('error', () => {}) // a lost connection is reported by the query that needs it
    follow(client, connectionString)
    try {
      await client.connect()
      await inspect(client)
      return client
    } catch (error) {
      client.end().catch(() => {})
      hosts.skip(connectionString)
      refusal = error
    }
  }
  throw refusal
}

/** The class of a pool's clients, which connect to the host that is used now. */
export function clientOf(url: string): typeof pg.Client {
  const hosts = hostsOf(url)
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const connectionString = hosts.current()
      super({ ...config, connectionString })
      const skip = () => hosts.skip(connectionString)
      const connect = this.connect.bind(this) as (connected: (error?: Error) => void) => void
      // A pool passes a callback.
      this.connect = ((connected: (error?: Error) => void) => {
        follow(this, connectionString)
        connect((error) => {
          if (error) skip()
          connected(error)
        })
      }) as typeof this.connect
      skips.set(this, skip)
    }
  }
}

/** What clients of `clientOf` do when their host turns out to be a standby. */
const skips = new WeakMap<object, () => void>()

/** Ends a client of `clientOf`; the next connection goes to another host. */
export function endAndSkip(client: pg.PoolClient): void {
  skips.get(client)?.()
  ;(client as unknown as pg.Client).end().catch(() => {})
}

const askEveryMs = 2_000
const answerWithinMs = 3_000

/**
 * Asks the used host of several whether it still answers. One that vanished, such as a machine without power, closes no connection: statements
 * would wait for a quarter of an hour until TCP gives up. Its connections are broken off, and the next ones go to another host.
 */
export function watchHosts(url: string, onLost: () => void): { stop: () => void } {
  const hosts = hostsOf(url)
  let asked: { client: pg.Client; host: string } | null = null
  let timer: NodeJS.Timeout | null = null
  let isStopped = false

  function drop(): void {
    if (asked) destroy(asked.client)
    asked = null
  }
  async function ask(host: string): Promise<void> {
    if (asked?.host !== host) drop()
    if (!asked) {
      const limits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs }
      const client = new pg.Client({ connectionString: host, application_name: 'refyne watch', ...limits })
      client.on('error', () => {})
      asked = { client, host }
      await client.connect()
    }
    await asked.client.query('select 1')
  }
  /** Asks a second time on a new connection: only the one that it had may be lost. A refusal is an answer. */
  async function answers(host: string): Promise<boolean> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      try {
        await ask(host)
        return true
      } catch (error) {
        drop()
        if (isStopped || error instanceof pg.DatabaseError) return true
      }
    }
    return false
  }
  async function watch(): Promise<void> {
    const host = hosts.current()
    if (!(await answers(host))) {
      hosts.skip(host)
      const lost = [...(open.get(host) ?? [])]
      for (const client of lost) destroy(client)
      if (lost.length > 0) onLost()
    }
    if (!isStopped) timer = setTimeout(() => void watch(), askEveryMs)
  }
  if (hosts.urls.length > 1) void watch()
  return {
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      drop()
    },
  }
}
