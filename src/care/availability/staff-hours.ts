import { and, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { beginningOf, dayAt, daysLater, toLocal } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { locations } from '../../platform/practice/table.ts'
import { timeHolds } from '../reservations/table.ts'
import { availabilityMessages, type StaffException, type StaffHours } from './contract.ts'
import { mayAddException } from './policy.ts'
import { hoursLimits } from './rules.ts'
import { staffExceptions, staffHours } from './table.ts'

const exceptionColumns = {
  id: staffExceptions.id,
  kind: staffExceptions.kind,
  fromDay: staffExceptions.fromDay,
  toDay: staffExceptions.toDay,
  opens: staffExceptions.opens,
  closes: staffExceptions.closes,
  locationId: staffExceptions.locationId,
  note: staffExceptions.note,
}

/** Reads the hours and exceptions from a day on, as `StaffHours`, of some people or of everyone who has any. */
export function selectStaffHours(fromDay: string, ids?: readonly string[]): SQL {
  const everyone = ids
    ? sql`unnest(${sql.param([...ids])}::uuid[])`
    : sql`(select profile_id from staff_hours union select profile_id from staff_exceptions where to_day >= ${fromDay})`
  return sql`
    select id,
      (select coalesce(json_agg(json_build_object('weekday', weekday, 'opens', opens, 'closes', closes, 'fromDay', from_day, 'toDay', to_day,
        'locationId', location_id) order by from_day nulls first, weekday, opens, staff_hours.id), '[]')
       from staff_hours where profile_id = person.id) as weekly,
      (select coalesce(json_agg(json_build_object('id', staff_exceptions.id, 'kind', kind, 'fromDay', from_day, 'toDay', to_day, 'opens', opens,
        'closes', closes, 'locationId', location_id, 'note', note) order by from_day, opens, staff_exceptions.id), '[]')
       from staff_exceptions where profile_id = person.id and to_day >= ${fromDay}) as exceptions
    from ${everyone} as person (id)`
}

async function readStaffHours(db: Db, fromDay: string, ids?: readonly string[]): Promise<StaffHours[]> {
  const { rows } = await db.execute<StaffHours & Record<string, unknown>>(selectStaffHours(fromDay, ids))
  return rows
}

const todayOf = ({ now, env }: Scope): string => dayAt(now(), env.PRACTICE_TIME_ZONE)

export const listStaffHours = (scope: Scope): Promise<StaffHours[]> => readStaffHours(scope.db, todayOf(scope))

const hoursOf = async (scope: Scope, tx: Db, id: string): Promise<StaffHours> => (await readStaffHours(tx, todayOf(scope), [id]))[0]!

/** Locks a person, so that simultaneous changes of their hours do not mix. False if they are not active. */
async function lockPerson(tx: Db, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.id, id), eq(profiles.status, 'active')))
    .for('no key update')
  return rows.length > 0
}

/** Replaces the regular hours of a person; null if they do not exist. */
export const setStaffHours = (scope: Scope, { id, weekly }: Pick<StaffHours, 'id' | 'weekly'>) =>
  scope.db.transaction(async (tx) => {
    if (!(await lockPerson(tx, id))) return null
    if (!(await areActive(tx, weekly))) return invalidReference({ weekly: availabilityMessages.noLocation })
    const before = await hoursOf(scope, tx, id)
    await tx.delete(staffHours).where(eq(staffHours.profileId, id))
    if (weekly.length > 0) await tx.insert(staffHours).values(weekly.map((span) => ({ ...span, profileId: id })))
    const after = await hoursOf(scope, tx, id)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'staff hours',
      contactIds: [],
      before: { id, weekly: before.weekly },
      after: { id, weekly: after.weekly },
    })
    await publish(tx, 'practice', 'staff-hours')
    return after
  })

/**
 * Adds time off or additional hours of a person, or of the caller; null if the person does not exist. Bookings in time off stay, and are counted.
 */
export const addException = (
  scope: Scope,
  { profileId = staff(scope).id, ...given }: Omit<StaffException, 'id'> & { profileId?: string | undefined },
) =>
  scope.db.transaction(async (tx) => {
    if (!mayAddException(staff(scope), { profileId, kind: given.kind })) return refuse('FORBIDDEN')
    if (!(await lockPerson(tx, profileId))) return null
    if (!(await areActive(tx, [given]))) return invalidReference({ locationId: availabilityMessages.noLocation })
    const current = and(eq(staffExceptions.profileId, profileId), gte(staffExceptions.toDay, todayOf(scope)))
    if ((await tx.$count(staffExceptions, current)) >= hoursLimits.exceptions) return refuse('TOO_MANY')
    const [row] = await tx
      .insert(staffExceptions)
      .values({ ...given, profileId, createdAt: scope.now() })
      .returning(exceptionColumns)
    await recordChange(tx, scope, { action: 'created', kind: 'staff hours', contactIds: [], after: { ...row, profileId } })
    await publish(tx, 'practice', 'staff-hours')
    return { ...row!, bookings: given.kind === 'off' ? await countBookings(tx, scope, profileId, given) : 0 }
  })

/** Removes an exception; null if it does not exist, or is someone else’s. */
export const removeException = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(staffExceptions).where(eq(staffExceptions.id, id)).for('update')
    if (!before || !mayAddException(staff(scope), before)) return null
    await tx.delete(staffExceptions).where(eq(staffExceptions.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'staff hours', contactIds: [], before })
    await publish(tx, 'practice', 'staff-hours')
    return undefined
  })

async function areActive(tx: Db, spans: readonly { locationId: string | null }[]): Promise<boolean> {
  const ids = [...new Set(spans.flatMap(({ locationId }) => locationId ?? []))]
  const found = ids.length > 0 ? await tx.$count(locations, and(inArray(locations.id, ids), eq(locations.isActive, true))) : 0
  return found === ids.length
}

async function countBookings(tx: Db, { env }: Scope, profileId: string, off: Omit<StaffException, 'id'>): Promise<number> {
  const zone = env.PRACTICE_TIME_ZONE
  const holds = await tx
    .select({ startsAt: timeHolds.startsAt, endsAt: timeHolds.endsAt })
    .from(timeHolds)
    .where(
      and(
        eq(timeHolds.resourceId, profileId),
        gt(timeHolds.endsAt, beginningOf(off.fromDay, zone)),
        lt(timeHolds.startsAt, beginningOf(daysLater(off.toDay, 1), zone)),
      ),
    )
  const { opens, closes } = off
  if (opens === null || closes === null) return holds.length
  return holds.filter(({ startsAt, endsAt }) => toLocal(startsAt, zone).time < closes && toLocal(endsAt, zone).time > opens).length
}
