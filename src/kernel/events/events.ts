import { randomInt } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import { mayUse } from '../access/policy.ts'
import type { Actor, Role } from '../access/rules.ts'
import type { Topic } from './contract.ts'
import { subscribers } from './rules.ts'
import type { Db } from '../postgres/database.ts'
import { connectClient, keepAlive } from '../postgres/hosts.ts'
import { rememberRecent } from './recent.ts'

/** A change, or the end of sessions (`session`) of one or all accounts. `connected`: changes may have been missed. */
export type ServerEvent = { topic: Topic | 'session' | 'connected'; id: string; audience?: Audience }

/** Restricts an event to these accounts and roles, if not everyone with access to the topic may know of it. */
export type Audience = { accounts: readonly string[]; roles: readonly Role[] }

/** Whether an actor may receive an event, even its id: they have access to its topic and belong to its audience. */
export const mayReceive = ({ topic, audience }: ServerEvent, actor: Actor): boolean =>
  (topic === 'session' || topic === 'connected' || mayUse(subscribers[topic], actor)) &&
  (!audience || audience.accounts.includes(actor.id) || audience.roles.includes(actor.role))

const connected: ServerEvent = { topic: 'connected', id: '' }

export type Events = {
  /** Starts listening, after the migrations. Resolves when it first listens, or stops. */
  start: () => Promise<void>
  /**
   * All events from now on, starting with 'connected' and the changes of the last `replay` milliseconds, because the page's data may be
   * that old. A second 'connected' means that not all of those changes are remembered.
   */
  subscribe: (signal: AbortSignal, replay?: number) => AsyncGenerator<ServerEvent>
  /** Reserves a stream; call the result when it ends. Null if this session or process has reached its limit. */
  reserveStream: (sessionId: string) => (() => void) | null
  /** The number of streams that are open in this process. */
  openStreams: () => number
  onEvent: (listener: (event: ServerEvent) => void) => void
  /**
   * Notifies this process immediately of a committed change, so that its caches are cleared before the response is sent. All processes,
   * including this one, are notified through the database a moment later.
   */
  notifyLocal: (event: ServerEvent) => void
  /** Holds an advisory lock for this name until it is released or this process ends (see jobs.ts). */
  lockName: (name: string) => void
  unlockName: (name: string) => void
  stop: () => Promise<void>
}

/** Limits, because every change is checked and written for each stream. */
const maxStreamsPerSession = 20
const maxStreamsPerProcess = 5_000

/** Keeps a notification below PostgreSQL's limit of 8000 bytes. */
const accountsPerEvent = 150

/** The call that publishes a change, for a statement that does something else as well. */
export const notification = (topic: ServerEvent['topic'], id: string, part?: Pick<ServerEvent, 'audience'>): SQL =>
  sql`pg_notify('change', ${JSON.stringify({ topic, id, ...part })})`

/** Publishes a change when the transaction commits, to everyone with access or to an audience. */
export const publish = (tx: Db, topic: ServerEvent['topic'], id: string, audience?: Audience): Promise<void> =>
  publishEach(tx, topic, [id], audience)

/** The same for the changes of several records, in one statement. */
export async function publishEach(tx: Db, topic: ServerEvent['topic'], ids: readonly string[], audience?: Audience): Promise<void> {
  const parts = partsOf(audience)
  const events = [...new Set(ids)].flatMap((id) => parts.map((part) => JSON.stringify({ topic, id, ...(part && { audience: part }) })))
  if (events.length > 0) await tx.execute(sql`select pg_notify('change', event) from unnest(${sql.param(events)}::text[]) as event`)
}

/** An audience in parts that each fit into a notification. */
function partsOf(audience: Audience | undefined): (Audience | undefined)[] {
  if (!audience || audience.accounts.length <= accountsPerEvent) return [audience]
  const { accounts, roles } = audience
  return Array.from({ length: Math.ceil(accounts.length / accountsPerEvent) }, (_, place) => ({
    accounts: accounts.slice(place * accountsPerEvent, (place + 1) * accountsPerEvent),
    roles: place === 0 ? roles : [],
  }))
}

/** The class of the advisory locks that show which workers are alive. */
export const workerLockClass = 731_028

/** Listens on one connection for the changes of all processes and forwards them to the subscribers in this one. */
export function listenForEvents(url: string, onError: (error: Error) => void): Events {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  const lockedNames = new Set<string>()
  const streams = new Map<string, Set<symbol>>()
  let openStreams = 0
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null
  let stopped = false
  const ending = new AbortController()
  const listening = Promise.withResolvers<void>()

  const recent = rememberRecent<ServerEvent>()
  function emit(event: ServerEvent) {
    // The end of a session only concerns streams that are open now, and so does who is writing.
    if (event.topic !== 'session' && event.topic !== 'replying') recent.add(event)
    bus.emit('event', event)
  }

  /** Of this connection. A name that is locked twice would have to be unlocked twice. */
  let locked = new Set<string>()
  const lockNames = async (connection: pg.Client, names: Iterable<string>) => {
    for (const name of names) {
      if (locked.has(name)) continue
      locked.add(name)
      await connection.query('select pg_advisory_lock($1, hashtext($2))', [workerLockClass, name])
    }
  }

  const connect = async () => {
    let opened: pg.Client | null = null
    try {
      const connection = await connectClient(url, { application_name: 'refyne events', ...keepAlive })
      opened = connection
      connection.on('error', onError)
      // One that was lost may end long after the next one was opened.
      connection.on('end', () => {
        if (client === connection) scheduleReconnect()
      })
      connection.on('notification', (message) => emit(JSON.parse(message.payload!) as ServerEvent))
      await connection.query('listen change')
      client = connection
      locked = new Set()
      await lockNames(connection, lockedNames)
      if (stopped) await connection.end()
      emit(connected)
      listening.resolve()
    } catch (error) {
      onError(error as Error)
      opened?.end().catch(() => {})
      scheduleReconnect()
    }
  }

  function scheduleReconnect() {
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
    start() {
      void connect()
      return listening.promise
    },
    subscribe(signal, replay = 0) {
      const until = AbortSignal.any([signal, ending.signal])
      const events = on(bus, 'event', { signal: until }) // from now on, not from the first read
      const missed = replay > 0 ? recent.within(replay) : []
      return (async function* () {
        try {
          yield connected
          yield* missed ?? [connected]
          for await (const [event] of events) yield event as ServerEvent
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
    openStreams: () => openStreams,
    onEvent: (listener) => void bus.on('event', listener),
    notifyLocal: emit,
    lockName(name) {
      lockedNames.add(name)
      if (client) lockNames(client, [name]).catch(onError) // otherwise when it connects
    },
    unlockName(name) {
      lockedNames.delete(name)
      locked.delete(name)
      client?.query('select pg_advisory_unlock($1, hashtext($2))', [workerLockClass, name]).catch(onError)
    },
    async stop() {
      stopped = true
      ending.abort()
      listening.resolve()
      if (retry) clearTimeout(retry)
      await client?.end()
    },
  }
}
