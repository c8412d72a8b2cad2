import { eq } from 'drizzle-orm'
import { get, type PostFailure } from '../../integrations/webhooks/client.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { unseal } from '../../kernel/seal.ts'
import { createWorkerPool, WorkerError } from '../../kernel/workers/worker-pool.ts'
import { readBusyTimes } from '../../messages/mailbox/service.ts'
import { mailboxConnections } from '../../messages/mailbox/table.ts'
import { beginningOf, dayAt } from '../../shared/zoned-time.ts'
import type { CalendarWork } from './calendar-worker.ts'
import { joined, type Span } from './read-busy.ts'
import { calendarLimits, type CalendarProblem } from './rules.ts'
import { busyTimes, subscribedCalendars } from './table.ts'

/** What the address of a calendar is sealed for. */
export const sealedFor = 'subscribed calendar'

const inWorker = createWorkerPool<CalendarWork>(new URL('./calendar-worker.ts', import.meta.url), {
  name: 'reading calendars',
  timeoutMs: 20_000,
  maxMemoryMb: 300,
})

const problems: Record<PostFailure | 'size', CalendarProblem> = {
  address: 'address',
  status: 'refused',
  timeout: 'unreachable',
  network: 'unreachable',
  size: 'too-large',
}

/** Reads a calendar and replaces its busy times, which are kept if that fails. Nothing happens if it was removed. */
export async function fetchCalendar(scope: Scope, id: string): Promise<void> {
  const { db, env, now } = scope
  const [row] = await db.select().from(subscribedCalendars).where(eq(subscribedCalendars.id, id))
  if (!row) return
  const triedAt = now()
  const read =
    row.sealedUrl === null ? await readOfMailbox(scope, row.mailboxId!) : await readAt(scope, unseal(env, sealedFor, row.sealedUrl))
  await db.transaction(async (tx) => {
    const [kept] = await tx
      .update(subscribedCalendars)
      .set(typeof read === 'string' ? { triedAt, problem: read } : { triedAt, readAt: triedAt, problem: null })
      .where(eq(subscribedCalendars.id, id))
      .returning()
    if (!kept) return
    if (typeof read !== 'string') {
      await tx.delete(busyTimes).where(eq(busyTimes.calendarId, id))
      const resourceId = (kept.profileId ?? kept.roomId)!
      const rows = read.map(([from, to]) => ({ calendarId: id, resourceId, startsAt: new Date(from), endsAt: new Date(to) }))
      for (let at = 0; at < rows.length; at += batch) await tx.insert(busyTimes).values(rows.slice(at, at + batch))
    }
    await publish(tx, 'practice', id)
  })
}
const batch = 2_000

/** From the beginning of today, as far as openings are searched. */
function rangeOf({ env, now }: Scope): { from: number; to: number } {
  const from = beginningOf(dayAt(now(), env.PRACTICE_TIME_ZONE), env.PRACTICE_TIME_ZONE).getTime()
  return { from, to: from + calendarLimits.days * 86_400_000 }
}

async function readOfMailbox(scope: Scope, mailboxId: string): Promise<Span[] | CalendarProblem> {
  const [connection] = await scope.db.select().from(mailboxConnections).where(eq(mailboxConnections.id, mailboxId))
  // Disconnected since; the calendar is gone with it.
  if (!connection) return 'reconnect'
  const range = rangeOf(scope)
  const read = await readBusyTimes(scope, connection, range)
  if (typeof read === 'string') return read === 'away' ? 'unreachable' : read
  const within = read.map(([from, to]): Span => [Math.max(from, range.from), Math.min(to, range.to)]).filter(([from, to]) => from < to)
  const busy = joined(within)
  return busy.length > calendarLimits.busy ? 'too-complex' : busy
}

async function readAt(scope: Scope, url: string | null): Promise<Span[] | CalendarProblem> {
  const { env } = scope
  // Sealed with a secret of the installation that is no longer known.
  if (url === null) return 'address'
  const found = await get(
    url,
    { accept: 'text/calendar, text/plain;q=0.5', maxBytes: calendarLimits.size },
    { allowsLoopback: env.WEBHOOKS_LOCAL, timeoutMs: 20_000 },
  )
  if (!found.ok) return problems[found.kind]
  try {
    const read = await inWorker({
      ...rangeOf(scope),
      text: found.body.toString('utf8'),
      timeZone: env.PRACTICE_TIME_ZONE,
      own: `@${new URL(env.APP_URL).hostname}`,
    })
    return 'busy' in read ? read.busy : read.problem
  } catch (error) {
    if (error instanceof WorkerError && error.reason !== 'failed') return 'too-complex'
    throw error
  }
}
