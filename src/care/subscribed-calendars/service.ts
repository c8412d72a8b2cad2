import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { problemOfUrl } from '../../integrations/webhooks/client.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal } from '../../kernel/seal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { calendarMessages, type SubscribedCalendar } from './contract.ts'
import { fetchCalendar, sealedFor } from './fetch.ts'
import { readCalendar } from './jobs.ts'
import { calendarLimits } from './rules.ts'
import { subscribedCalendars } from './table.ts'

const { id, name, profileId, roomId, host, readAt, problem } = subscribedCalendars
const select = (db: Db, now: Date) =>
  db
    .select({
      id,
      name,
      profileId,
      roomId,
      host,
      readAt,
      problem,
      busyTimes: sql<number>`(select count(*)::int from busy_times where calendar_id = subscribed_calendars.id and ends_at > ${now.toISOString()})`,
    })
    .from(subscribedCalendars)

export const listCalendars = ({ db, now }: Scope): Promise<SubscribedCalendar[]> =>
  select(db, now()).orderBy(asc(sql`fold(${name})`), asc(id))

const getCalendar = async (db: Db, now: Date, wanted: string): Promise<SubscribedCalendar | null> =>
  (await select(db, now).where(eq(id, wanted)))[0] ?? null

interface NewCalendar {
  name: string
  url: string
  ownerKind: 'person' | 'room'
  ownerId: string
}

/** Subscribes to a calendar, which is read at once by a job. */
export const addCalendar = (scope: Scope, { name: title, url, ownerKind, ownerId }: NewCalendar) =>
  scope.db.transaction(async (tx) => {
    const { env, now } = scope
    const wrong = problemOfUrl(url, { allowsLoopback: env.WEBHOOKS_LOCAL })
    if (wrong) return invalidReference({ url: wrong })
    const isPerson = ownerKind === 'person'
    const found = isPerson
      ? await tx.$count(profiles, and(eq(profiles.id, ownerId), eq(profiles.status, 'active')))
      : await tx.$count(rooms, and(eq(rooms.id, ownerId), eq(rooms.isActive, true)))
    if (found === 0) return invalidReference({ ownerId: isPerson ? calendarMessages.noPerson : calendarMessages.noRoom })
    await tx.execute(sql`lock table ${subscribedCalendars} in share row exclusive mode`)
    if ((await tx.$count(subscribedCalendars)) >= calendarLimits.all) return refuse('TOO_MANY')
    const [row] = await tx
      .insert(subscribedCalendars)
      .values({
        name: title,
        ...(isPerson ? { profileId: ownerId } : { roomId: ownerId }),
        sealedUrl: seal(env, sealedFor, url),
        host: new URL(url).host,
        createdBy: staff(scope).id,
        createdAt: now(),
      })
      .returning()
    const { sealedUrl: _, ...after } = row!
    await recordChange(tx, scope, { action: 'created', kind: 'subscribed calendar', contactIds: [], after })
    await enqueue(tx, readCalendar, { id: row!.id }, `${readCalendar.name} ${row!.id}`)
    await publish(tx, 'practice', row!.id)
    return (await getCalendar(tx, now(), row!.id))!
  })

/** Removes a calendar with its busy times; null: it does not exist. */
export const removeCalendar = (scope: Scope, wanted: string) =>
  scope.db.transaction(async (tx) => {
    const [row] = await tx.delete(subscribedCalendars).where(eq(id, wanted)).returning()
    if (!row) return null
    const { sealedUrl: _, ...before } = row
    await recordChange(tx, scope, { action: 'deleted', kind: 'subscribed calendar', contactIds: [], before })
    await publish(tx, 'practice', wanted)
    return true
  })

/** Reads a calendar now; null: it does not exist. */
export async function readNow(scope: Scope, wanted: string): Promise<SubscribedCalendar | null> {
  await fetchCalendar(scope, wanted)
  return getCalendar(scope.db, scope.now(), wanted)
}
