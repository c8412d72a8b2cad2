import { sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { closedDays, practiceHours, rooms } from '../../platform/practice/table.ts'
import { beginningOf, dayAt, daysLater } from '../../shared/zoned-time.ts'
import { type Interval, toMinute } from './interval-rules.ts'
import { type DaySlots, findSlots, type PracticeCalendar, type Schedule, type VisitLength, type VisitSearch } from './slot-rules.ts'
import { readStaffHours } from './staff-hours.ts'

/** What is looked for: a visit, and who and what it can take place with, by id. */
export interface WantedVisit extends VisitLength {
  /** The visit type that counts towards the daily maximum; null: none does. */
  visitTypeId: string | null
  maxPerDay: number | null
  /** Null: no provider, second person or room is needed. */
  providerIds: readonly string[] | null
  secondIds: readonly string[] | null
  roomIds: readonly string[] | null
  /** The appointment that is being moved, or the booking that chooses another time, which is ignored. */
  except?: string | undefined
}

/** Days of a search for the next opening. */
const searchDays = 366
/** It reads these days first, as most searches end there. */
const chunks = [14, 46, 120, 186]

/** The practice's hours and closed days, and the hours of people. */
async function readSchedules(db: Db, zone: string, fromDay: string, ids: readonly string[]) {
  const [hours, closed, people] = await Promise.all([
    db.select().from(practiceHours),
    db.select({ day: closedDays.day }).from(closedDays),
    ids.length > 0 ? readStaffHours(db, fromDay, ids) : [],
  ])
  const calendar: PracticeCalendar = { hours, closedDays: new Set(closed.map(({ day }) => day)), timeZone: zone }
  return { calendar, scheduleOf: new Map<string, Schedule>(people.map((one) => [one.id, one])) }
}
export type Schedules = Awaited<ReturnType<typeof readSchedules>>

const idsOf = ({ providerIds, secondIds, roomIds }: WantedVisit): string[] => [
  ...new Set([...(providerIds ?? []), ...(secondIds ?? []), ...(roomIds ?? [])]),
]

/** Longer than any reservation: one that began earlier is over. */
const maxHold = '2 days'

/**
 * When people and rooms are free for long enough, by id. The database finds the gaps between their reservations, of which there are far
 * fewer than reservations once days are full; those of one person or room never overlap.
 */
async function readFree(db: Db, visit: WantedVisit, from: Date, to: Date): Promise<(id: string) => Interval[]> {
  const ids = idsOf(visit)
  const free = new Map<string, Interval[]>(ids.map((id) => [id, []]))
  if (ids.length > 0) {
    const needed = visit.bufferBefore + visit.minutes + visit.bufferAfter
    const [begin, end] = [from.toISOString(), to.toISOString()]
    const { rows } = await db.execute<{ id: string; from: number; to: number }>(sql`
      with asked as (select id from unnest(${sql.param(ids)}::uuid[]) as asked (id)),
      taken as (
        select id, '-infinity'::timestamptz as starts_at, ${begin}::timestamptz as ends_at from asked
        union all
        select asked.id, starts_at, ends_at from asked
        join time_holds on resource_id = asked.id and starts_at < ${end} and starts_at > ${begin}::timestamptz - interval '${sql.raw(maxHold)}'
        where ends_at > ${begin} ${visit.except ? sql`and coalesce(appointment_id, booking_hold_id) is distinct from ${visit.except}` : sql``}
      ),
      gaps as (
        select id, ends_at as begins, lead(starts_at, 1, ${end}::timestamptz) over (partition by id order by starts_at) as ends from taken
      )
      select id, ceil(extract(epoch from begins) / 60)::int as "from", floor(extract(epoch from ends) / 60)::int as "to"
      from gaps where ends - begins >= make_interval(mins => ${needed}) order by begins`)
    for (const { id, ...gap } of rows) free.get(id)!.push(gap)
  }
  return (id) => free.get(id)!
}

/** How many visits of this type each provider has on a day, as a function of both. */
async function readCounts(db: Db, { visitTypeId, except }: WantedVisit, zone: string, from: Date, to: Date) {
  if (visitTypeId === null) return () => 0
  const { rows } = await db.execute<{ id: string; day: string; count: number }>(sql`
    select provider_id as id, (starts_at at time zone ${zone})::date::text as day, count(*)::int as count from appointments
    where visit_type_id = ${visitTypeId} and starts_at >= ${from.toISOString()} and starts_at < ${to.toISOString()}
      and status in ('booked', 'confirmed', 'arrived', 'completed') ${except ? sql`and id <> ${except}` : sql``}
    group by 1, 2`)
  const counts = new Map(rows.map(({ id, day, count }) => [`${id} ${day}`, count]))
  return (id: string, day: string) => counts.get(`${id} ${day}`) ?? 0
}

/** Everything that decides about slots of some days. `counts`: also without a daily maximum, to share visits evenly. */
export async function readSearch(
  db: Db,
  zone: string,
  visit: WantedVisit,
  { from, days, schedules, counts = false }: { from: string; days: number; schedules?: Schedules; counts?: boolean },
): Promise<VisitSearch> {
  // A visit late on the last day may need a buffer on the next one.
  const [begin, end] = [beginningOf(daysLater(from, -1), zone), beginningOf(daysLater(from, days + 1), zone)]
  const people = [...(visit.providerIds ?? []), ...(visit.secondIds ?? [])]
  const [{ calendar, scheduleOf }, freeOf, countOf, places] = await Promise.all([
    schedules ?? readSchedules(db, zone, from, people),
    readFree(db, visit, begin, end),
    visit.maxPerDay !== null || counts ? readCounts(db, visit, zone, begin, end) : () => 0,
    visit.roomIds ? db.select({ id: rooms.id, locationId: rooms.locationId }).from(rooms) : [],
  ])
  const personOf = (id: string) => ({ id, schedule: scheduleOf.get(id)!, free: freeOf(id) })
  const locationOf = new Map(places.map(({ id, locationId }) => [id, locationId]))
  return {
    calendar,
    visit,
    maxPerDay: visit.maxPerDay,
    providers: visit.providerIds?.map((id) => ({ ...personOf(id), countOn: (day: string) => countOf(id, day) })) ?? null,
    seconds: visit.secondIds?.map(personOf) ?? null,
    rooms:
      visit.roomIds?.flatMap((id) => {
        const locationId = locationOf.get(id)
        return locationId === undefined ? [] : [{ id, locationId, free: freeOf(id) }]
      }) ?? null,
  }
}

/** The slots of some days, and the first one within a year. `noticeHours` and `horizonDays` are limits of patients who book themselves. */
export async function searchSlots(
  scope: Scope,
  visit: WantedVisit,
  { from, days, noticeHours = 0, horizonDays = searchDays }: { from: string; days: number; noticeHours?: number; horizonDays?: number },
): Promise<{ days: DaySlots[]; next: number | null }> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const now = scope.now()
  const today = dayAt(now, zone)
  const lastDay = daysLater(today, horizonDays)
  const earliest = toMinute(now) + noticeHours * 60
  const people = [...(visit.providerIds ?? []), ...(visit.secondIds ?? [])]
  const schedules = await readSchedules(scope.db, zone, from < today ? from : today, people)

  const read = async function* (first: string, count: number): AsyncGenerator<DaySlots> {
    const search = await readSearch(scope.db, zone, visit, { from: first, days: count, schedules })
    for (const slots of findSlots(search, { from: first, days: count, earliest }))
      yield slots.day > lastDay ? { ...slots, starts: [] } : slots
  }
  async function findNext(): Promise<number | null> {
    let first = today
    for (const count of chunks) {
      for await (const { day, starts } of read(first, count)) {
        if (day > lastDay) return null
        if (starts.length > 0) return starts[0]!
      }
      first = daysLater(first, count)
    }
    return null
  }
  const [next, shown] = await Promise.all([findNext(), Array.fromAsync(read(from, days))])
  return { days: shown, next }
}

/** The hours of a person, or of the practice without one, with its calendar. */
export async function readSchedule(db: Db, zone: string, day: string, profileId: string | null) {
  const { calendar, scheduleOf } = await readSchedules(db, zone, day, profileId === null ? [] : [profileId])
  return { calendar, schedule: (profileId !== null && scheduleOf.get(profileId)) || { weekly: [], exceptions: [] } }
}
