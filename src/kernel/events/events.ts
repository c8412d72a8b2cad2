import { randomInt } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { mayUse } from '../access/policy.ts'
import type { Actor, Role } from '../access/rules.ts'
import type { Topic } from './contract.ts'
import { subscribers } from './rules.ts'
import type { Db } from '../postgres/database.ts'
import { rememberRecent } from './recent.ts'

/** A change, or the end of sessions: of one account, or all of them. `connected`: changes may have been missed. */
export type ServerEvent = { topic: Topic | 'session' | 'connected'; id: string; audience?: Audience }

/** Whom a change concerns, where not everyone who may ask about its topic may know of it: these accounts, and anyone who has one of these roles. */
export type Audience = { accounts: readonly string[]; roles: readonly Role[] }

/** Whether someone may hear of an event, not even its id otherwise: they may ask about its topic, and it concerns them. */
export const mayHear = ({ topic, audience }: ServerEvent, actor: Actor): boolean =>
  (topic === 'session' || topic === 'connected' || mayUse(subscribers[topic], actor)) &&
  (!audience || audience.accounts.includes(actor.id) || audience.roles.includes(actor.role))

const connected: ServerEvent = { topic: 'connected', id: '' }

export type Events = {
  /** Begins to listen; once the database is right. */
  start: () => void
  /**
   * Every event from now on; begins with 'connected'. Then come the changes of the last `replay` milliseconds once more: what the page showed
   * when it asked may be that old. A second 'connected' stands for what is no longer remembered.
   */
  subscribe: (signal: AbortSignal, replay?: number) => AsyncGenerator<ServerEvent>
  /** A place for one more stream; release it when the stream ends. Null: this session, or this process, has as many as it may have. */
  reserveStream: (sessionId: string) => (() => void) | null
  onEvent: (listener: (event: ServerEvent) => void) => void
  /**
   * Tells this process at once what was published and committed: what it remembers must be forgotten before the answer leaves. The others,
   * and this one again, hear of it through the database a moment later.
   */
  notifyHere: (event: ServerEvent) => void
  /** Keeps an advisory lock for this name until it is dropped or this process ends (see jobs.ts). */
  holdName: (name: string) => void
  dropName: (name: string) => void
  stop: () => Promise<void>
}

/** Each costs every change a look and a write. */
const maxStreamsPerSession = 20
const maxStreamsPerProcess = 5_000

/** A notification of PostgreSQL has at most 8000 bytes. */
const accountsPerEvent = 150

/** Announces a change when the transaction commits, and not otherwise; to everyone, or to those whom it concerns. */
export async function publish(tx: Db, topic: ServerEvent['topic'], id: string, audience?: Audience): Promise<void> {
  const { accounts, roles } = audience ?? { accounts: [], roles: [] }
  for (let at = 0; at === 0 || at < accounts.length; at += accountsPerEvent) {
    const part = audience && { audience: { accounts: accounts.slice(at, at + accountsPerEvent), roles: at === 0 ? roles : [] } }
    await tx.execute(sql`select pg_notify('change', ${JSON.stringify({ topic, id, ...part })})`)
  }
}

/** The class of the advisory locks that say which workers live. */
export const workerLockClass = 731_028

/** One connection per process listens for every process's changes and hands them to all who subscribe here. */
export function listenForEvents(url: string, onError: (error: Error) => void): Events {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  const held = new Set<string>()
  const streams = new Map<string, Set<symbol>>()
  let openStreams = 0
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null
  let stopped = false
  const ending = new AbortController()

  const recent = rememberRecent<ServerEvent>()
  function emit(event: ServerEvent) {
    // The end of a session concerned the streams of then.
    if (event.topic !== 'session') recent.add(event)
    bus.emit('event', event)
  }

  const hold = async (connection: pg.Client, names: Iterable<string>) => {
    for (const name of names) await connection.query('select pg_advisory_lock($1, hashtext($2))', [workerLockClass, name])
  }

  const connect = async () => {
    const connection = new pg.Client({ connectionString: url, application_name: 'refyne events', keepAlive: true })
    connection.on('error', onError)
    connection.on('end', again)
    connection.on('notification', (message) => emit(JSON.parse(message.payload!) as ServerEvent))
    try {
      await connection.connect()
      await connection.query('listen change')
      client = connection
      await hold(connection, held)
      if (stopped) await connection.end()
      emit(connected)
    } catch (error) {
      onError(error as Error)
      connection.end().catch(() => {})
      again()
    }
  }

  function again() {
    client = null
    if (stopped || retry) return
    retry = setTimeout(
      () => {
        retry = null
        void connect()
      },
      randomInt(200, 1000),
    )
  }

  return {
    start: () => void connect(),
    subscribe(signal, replay = 0) {
      const until = AbortSignal.any([signal, ending.signal])
      const heard = on(bus, 'event', { signal: until }) // from this moment on, not from the first read
      const missed = replay > 0 ? recent.within(replay) : []
      return (async function* () {
        try {
          yield connected
          yield* missed ?? [connected]
          for await (const [event] of heard) yield event as ServerEvent
        } catch (error) {
          if (!until.aborted) throw error
        }
      })()
    },
    reserveStream(sessionId) {
      const open = streams.get(sessionId) ?? new Set<symbol>()
      if (open.size >= maxStreamsPerSession || openStreams >= maxStreamsPerProcess) return null
      const place = Symbol('stream')
      streams.set(sessionId, open.add(place))
      openStreams++
      return () => {
        if (!open.delete(place)) return
        openStreams--
        if (open.size === 0) streams.delete(sessionId)
      }
    },
    onEvent: (listener) => void bus.on('event', listener),
    notifyHere: emit,
    holdName(name) {
      held.add(name)
      if (client) hold(client, [name]).catch(onError) // else, or then, once it is connected
    },
    dropName(name) {
      held.delete(name)
      client?.query('select pg_advisory_unlock($1, hashtext($2))', [workerLockClass, name]).catch(onError)
    },
    async stop() {
      stopped = true
      ending.abort()
      if (retry) clearTimeout(retry)
      await client?.end()
    },
  }
}
