import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { VisitType } from './contract.ts'
import { toDate, toMinute } from './interval-rules.ts'
import { readSchedule, readSearchAt, searchSlots, type WantedVisit } from './search.ts'
import { assign, type Assignment, clocksFrom, worksThrough } from './slot-rules.ts'
import { unitsOf } from './equipment.ts'
import { getVisitType } from './visit-types.ts'

export { searchDays, searchSlots } from './search.ts'
export { isOffered } from './slot-rules.ts'
export { getVisitType, listVisitTypes } from './visit-types.ts'

/** A visit type with its people, rooms and equipment that are active. If none of those that it needs is, it is not possible. */
export interface OfferedVisit extends VisitType {
  needsSecond: boolean
  /** The active pieces of each kind of equipment that it needs. */
  unitIds: string[][]
  needsRoom: boolean
}

/** A visit type that is offered; null if there is no such one. */
export async function readVisitType(db: Db, id: string): Promise<OfferedVisit | null> {
  const found = await getVisitType(db, id)
  if (!found?.isActive) return null
  const [staff, places, unitIds] = await Promise.all([
    db
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(inArray(profiles.id, [...found.providerIds, ...found.secondIds]), eq(profiles.status, 'active'))),
    db
      .select({ id: rooms.id })
      .from(rooms)
      .where(and(inArray(rooms.id, found.roomIds), eq(rooms.isActive, true))),
    unitsOf(db, found.equipmentIds),
  ])
  const active = new Set([...staff, ...places].map(({ id: one }) => one))
  const onlyActive = (ids: readonly string[]) => ids.filter((one) => active.has(one))
  return {
    ...found,
    providerIds: onlyActive(found.providerIds),
    secondIds: onlyActive(found.secondIds),
    roomIds: onlyActive(found.roomIds),
    unitIds,
    needsSecond: found.secondIds.length > 0,
    needsRoom: found.roomIds.length > 0,
  }
}

interface Given {
  minutes: number
  providerId?: string | null | undefined
  secondPersonId?: string | null | undefined
  roomId?: string | null | undefined
  except?: string | undefined
}

/** A visit type that patients may book themselves; null if there is no such one. */
export async function readOffer(db: Db, id: string): Promise<OfferedVisit | null> {
  const type = await readVisitType(db, id)
  return type?.isOnline ? type : null
}

/** What a visit needs: who and what is given, and otherwise what its type offers. */
export function visitNeeds(type: OfferedVisit | null, { minutes, providerId, secondPersonId, roomId, except }: Given): WantedVisit {
  const either = (id: string | null | undefined, offered: readonly string[] | null) => (id ? [id] : offered)
  return {
    visitTypeId: type?.id ?? null,
    maxPerDay: type?.maxPerDay ?? null,
    minutes,
    bufferBefore: type?.bufferBefore ?? 0,
    bufferAfter: type?.bufferAfter ?? 0,
    providerIds: either(providerId, type && type.providerIds),
    secondIds: either(secondPersonId, type?.needsSecond ? type.secondIds : null),
    roomIds: either(roomId, type?.needsRoom ? type.roomIds : null),
    unitIds: type?.unitIds ?? [],
    except,
  }
}

/** The times of some days at which patients may book a visit, and the next one within its horizon. */
export async function openingsForPatients(
  scope: Scope,
  type: OfferedVisit,
  { providerId, except, ...days }: { providerId?: string | null | undefined; except?: string; from: string; days: number },
) {
  const { minutes, noticeHours, horizonDays } = type
  const found = await searchSlots(scope, visitNeeds(type, { minutes, providerId, except }), { ...days, noticeHours, horizonDays })
  const next = found.next === null ? null : toDate(found.next)
  return {
    days: found.days.filter(({ starts }) => starts.length > 0).map(({ day, starts }) => ({ day, starts: starts.map(toDate) })),
    next: next && { day: dayAt(next, scope.env.PRACTICE_TIME_ZONE), startsAt: next },
  }
}

/**
 * Chooses who and what a visit takes place with at a time. Call it once the candidates are locked. `anyHours`: outside working hours too.
 * Null if the visit is not possible then.
 */
export async function assignVisit(db: Db, zone: string, visit: WantedVisit, startsAt: Date, anyHours: boolean): Promise<Assignment | null> {
  const start = toMinute(startsAt)
  const search = await readSearchAt(db, zone, visit, start)
  const [clock] = clocksFrom(dayAt(startsAt, zone), 1, zone)
  // Staff may go beyond the daily maximum, as they may beyond the hours.
  return assign(anyHours ? { ...search, maxPerDay: null } : search, start, clock!, anyHours)
}

/** Whether a provider, or the practice without one, works through a time. */
export async function isWorking(
  db: Db,
  zone: string,
  { providerId, startsAt, endsAt }: { providerId: string | null; startsAt: Date; endsAt: Date },
): Promise<boolean> {
  const day = dayAt(startsAt, zone)
  const { calendar, schedule } = await readSchedule(db, zone, day, providerId)
  const [clock] = clocksFrom(day, 1, zone)
  return worksThrough(schedule, clock!, calendar, { from: toMinute(startsAt), to: Math.ceil(endsAt.getTime() / 60_000) })
}
