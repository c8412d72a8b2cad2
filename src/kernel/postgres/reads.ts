import type { Events } from '../events/events.ts'
import { LRUCache } from 'lru-cache'
import { type Database, openReplica } from './database.ts'
import { urlsOf } from './hosts.ts'

/** Which database answers reads that need not be of this moment (decision "replicas"). */
export type Reads = {
  /** A replica that is at most the allowed lag old and has all that this person wrote through this process; otherwise the primary. */
  recentFor: (actor: string | null) => Database
  /** One that also has every change this process has heard of: a page that reads again because of a change must find it. */
  latestFor: (actor: string | null) => Database
  /** Remembers that this person has just written. */
  wrote: (actor: string) => void
  stop: () => Promise<void>
}

type Replica = {
  db: Database
  /** It has all changes from before this time, in milliseconds since 1970. */
  asOf: number
  /** The process that received changes when it was asked last. */
  receiver: number | null
}
/** How far the primary's log had come at a time. */
type Mark = { at: number; position: bigint }

const everyMs = 1_000
/** After a change, the replicas are asked again: they have it a moment later. */
const afterChangeMs = 50
const marksKept = 200
const writersKept = 10_000

type Options = {
  primary: Database
  url: string | undefined
  lagSeconds: number
  size: number
  events: Events
  onError: (error: Error) => void
}

/** Follows how far the replicas of a URL, one for each of its hosts, are behind the primary. */
export function followReplicas({ primary, url, lagSeconds, size, events, onError }: Options): Reads {
  if (!url) return { recentFor: () => primary, latestFor: () => primary, wrote: () => {}, stop: async () => {} }
  const replicas = urlsOf(url).map((each): Replica => ({ db: openReplica(each, size, onError), asOf: 0, receiver: null }))
  const writers = new LRUCache<string, number>({ max: writersKept })
  const marks: Mark[] = []
  let lastChange = Date.now()
  let isStopped = false
  let timer: NodeJS.Timeout | null = null
  let dueAt = Infinity
  let asking: Promise<void> | null = null

  const primaryPosition = async (): Promise<bigint> => {
    const { rows } = await primary.$client.query<{ position: string }>(`select (pg_current_wal_lsn() - '0/0')::text as position`)
    return BigInt(rows[0]!.position)
  }
  async function askReplica(replica: Replica): Promise<void> {
    const { rows } = await replica.db.$client.query<{ position: string | null; receiver: number | null }>(
      `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end - '0/0')::text as position,
         (select pid from pg_stat_wal_receiver) as receiver`,
    )
    const [{ position, receiver }] = rows as [(typeof rows)[number]]
    // A standby that diverged, as in a failover, may be further than the primary. Its receiver ends as soon as it has started.
    const isFollowing = position !== null && receiver !== null && receiver === replica.receiver
    replica.receiver = receiver
    replica.asOf = isFollowing ? (marks.findLast((mark) => mark.position <= BigInt(position))?.at ?? 0) : 0
  }
  async function ask(): Promise<void> {
    const at = Date.now()
    marks.push({ at, position: await primaryPosition() })
    if (marks.length > marksKept) marks.shift()
    // One that does not answer only becomes older.
    for (const replica of replicas)
      askReplica(replica).catch(() => {
        replica.asOf = 0
      })
  }
  function askIn(ms: number): void {
    if (isStopped || Date.now() + ms >= dueAt) return
    if (timer) clearTimeout(timer)
    dueAt = Date.now() + ms
    timer = setTimeout(() => {
      dueAt = Infinity
      asking ??= ask()
        .catch(() => {}) // the primary is away
        .finally(() => {
          asking = null
          askIn(everyMs)
        })
    }, ms)
  }
  events.onEvent(() => {
    lastChange = Date.now()
    askIn(afterChangeMs)
  })
  askIn(0)

  const since = (actor: string | null, change: number): Database => {
    const oldest = Math.max(Date.now() - lagSeconds * 1_000, change, (actor && writers.get(actor)) || 0)
    return replicas.find(({ asOf }) => asOf >= oldest)?.db ?? primary
  }
  return {
    recentFor: (actor) => since(actor, 0),
    latestFor: (actor) => since(actor, lastChange),
    wrote(actor) {
      writers.set(actor, Date.now())
      askIn(afterChangeMs)
    },
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await asking
      await Promise.allSettled(replicas.map(({ db }) => db.$client.end()))
    },
  }
}
