import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { problemOfUrl } from '../../integrations/webhooks/client.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal } from '../../kernel/seal.ts'
import { type Connection, connectionOf } from '../../messages/mailbox/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { calendarMessages, type OwnCalendar, type SubscribedCalendar } from './contract.ts'
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
    await lock(tx)
    const added = await insert(tx, scope, {
      name: title,
      ...(isPerson ? { profileId: ownerId } : { roomId: ownerId }),
      sealedUrl: seal(env, sealedFor, url),
      host: new URL(url).host,
    })
    return added ? (await getCalendar(tx, now(), added))! : refuse('TOO_MANY')
  })

const lock = (tx: Db) => tx.execute(sql`lock table ${subscribedCalendars} in share row exclusive mode`)

/** Adds a calendar, which is read at once by a job; the caller has locked the table. Its id; null: there are too many. */
async function insert(
  tx: Db,
  scope: Scope,
  values: Omit<typeof subscribedCalendars.$inferInsert, 'createdBy' | 'createdAt'>,
): Promise<string | null> {
  if ((await tx.$count(subscribedCalendars)) >= calendarLimits.all) return null
  const [row] = await tx
    .insert(subscribedCalendars)
    .values({ ...values, createdBy: staff(scope).id, createdAt: scope.now() })
    .returning()
  const { sealedUrl: _, ...after } = row!
  await recordChange(tx, scope, { action: 'created', kind: 'subscribed calendar', contactIds: [], after })
  await enqueue(tx, readCalendar, { id: row!.id }, `${readCalendar.name} ${row!.id}`)
  await publish(tx, 'practice', row!.id)
  return row!.id
}

/** The actor's mailbox whose calendar can be read, and whether it blocks the actor's openings. */
export const ownCalendar = async (scope: Scope): Promise<OwnCalendar> => stateOf(scope.db, await connectionOf(scope.db, staff(scope).id))

async function stateOf(db: Db, connection: Connection | null): Promise<OwnCalendar> {
  if (connection?.provider !== 'nylas') return { email: null, isOn: false }
  return { email: connection.email, isOn: (await db.$count(subscribedCalendars, eq(subscribedCalendars.mailboxId, connection.id))) > 0 }
}

/** Lets the calendar of the actor's mailbox block the actor's openings, or no longer. Doing it again changes nothing. */
export const setOwnCalendar = (scope: Scope, isOn: boolean) =>
  scope.db.transaction(async (tx) => {
    await lock(tx)
    const connection = await connectionOf(tx, staff(scope).id)
    const own = await stateOf(tx, connection)
    if (!connection || own.email === null) return isOn ? refuse('NOT_CONNECTED') : own
    if (own.isOn === isOn) return own
    if (!isOn) await remove(tx, scope, eq(subscribedCalendars.mailboxId, connection.id))
    else {
      const { id: mailboxId, userId, email } = connection
      if (!(await insert(tx, scope, { name: 'Mailbox calendar', profileId: userId, mailboxId, host: email }))) return refuse('TOO_MANY')
    }
    return { ...own, isOn }
  })

/** Removes a calendar with its busy times; null: it does not exist. */
export const removeCalendar = (scope: Scope, wanted: string) => scope.db.transaction((tx) => remove(tx, scope, eq(id, wanted)))

async function remove(tx: Db, scope: Scope, which: SQL): Promise<true | null> {
  const [row] = await tx.delete(subscribedCalendars).where(which).returning()
  if (!row) return null
  const { sealedUrl: _, ...before } = row
  await recordChange(tx, scope, { action: 'deleted', kind: 'subscribed calendar', contactIds: [], before })
  await publish(tx, 'practice', row.id)
  return true
}

/** Reads a calendar now; null: it does not exist. */
export async function readNow(scope: Scope, wanted: string): Promise<SubscribedCalendar | null> {
  await fetchCalendar(scope, wanted)
  return getCalendar(scope.db, scope.now(), wanted)
}
