import { sql } from 'drizzle-orm'
import { type Db, onePlan } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { DayHours } from '../../platform/practice/rules.ts'
import { beginningOf, dayAt, daysFrom, daysLater } from '../../shared/zoned-time.ts'
import type { StaffHours } from './contract.ts'
import { type Interval, type Intervals, intersect, subtract, toDate, toMinute, union } from './interval-rules.ts'
import {
  clocksFrom,
  type DaySlots,
  findSlots,
  freeStarts,
  type PracticeCalendar,
  type Room,
  type Schedule,
  type VisitLength,
  type VisitSearch,
  workingStarts,
} from './slot-rules.ts'
import { selectStaffHours } from './staff-hours.ts'

/** What is looked for: a visit, and who and what it can take place with, by id. */
export interface WantedVisit extends VisitLength {
  /** The visit type that counts towards the daily maximum; null: none does. */
  visitTypeId: string | null
  maxPerDay: number | null
  /** Null: no provider, second person or room is needed. */
  providerIds: readonly string[] | null
  secondIds: readonly string[] | null
  roomIds: readonly string[] | null
  /** Pieces of each kind of equipment; of each, one is needed. */
  unitIds: readonly (readonly string[])[]
  /** The appointment that is being moved, or the booking that chooses another time, which is ignored. */
  except?: string | undefined
}

/** A search for the next opening reads as far as these days from today in turn: most end with the first. */
const stages = [14, 60, 366]

interface ScheduleRow extends Record<string, unknown> {
  hours: DayHours[] | null
  closed: string[] | null
  places: Record<string, string> | null
  people: StaffHours[] | null
  busy: Record<string, [from: number, to: number][]> | null
}

/** The practice's hours, closed days and rooms' locations, the hours of people, and when calendars elsewhere block people and rooms. */
async function readSchedules(db: Db, zone: string, fromDay: string, ids: readonly string[], roomIds: readonly string[] = []) {
  const { rows } = await db.execute<ScheduleRow>(sql`${onePlan}
    select (select json_agg(practice_hours) from practice_hours) as hours,
      (select array_agg(day::text) from closed_days where day >= ${fromDay}) as closed,
      (select json_object_agg(id, location_id) from (select id, location_id from rooms union all select id, location_id from equipment_units) as all_places) as places,
      (select json_agg(people) from (${selectStaffHours(fromDay, ids)}) as people) as people,
      (select json_object_agg(id, spans) from (
        select resource_id as id, json_agg(json_build_array(floor(date_part('epoch', starts_at) / 60), ceil(date_part('epoch', ends_at) / 60))) as spans
        from busy_times where resource_id = any(${sql.param([...ids, ...roomIds])}::uuid[]) and ends_at > ${beginningOf(fromDay, zone).toISOString()}
        group by 1
      ) as calendars) as busy`)
  const { hours, closed, places, people, busy } = rows[0]!
  const busyOf = new Map(Object.entries(busy ?? {}).map(([id, spans]) => [id, union(spans.map(([from, to]) => ({ from, to })))]))
  const calendar: PracticeCalendar = { hours: hours ?? [], closedDays: new Set(closed), timeZone: zone }
  return {
    calendar,
    locationOf: new Map(Object.entries(places ?? {})),
    scheduleOf: new Map<string, Schedule>(people?.map(({ id, ...schedule }) => [id, { ...schedule, busy: busyOf.get(id) }])),
    busyOf,
  }
}
type Schedules = Awaited<ReturnType<typeof readSchedules>>

const peopleOf = ({ providerIds, secondIds }: WantedVisit): string[] => [...new Set([...(providerIds ?? []), ...(secondIds ?? [])])]

/**
 * Rooms for a search of at most so many minutes, a month of a calendar, are read with people: to wait for a second answer takes longer. The second
 * stage is longer, as the first has found no one.
 */
const maxAtOnce = 42 * 24 * 60

/** Longer than any reservation: one that began earlier is over. */
const maxHold = '2 days'

/**
 * When people or rooms are free, by id: the gaps between reservations in which the visit can begin at one of the starts. The database finds
 * them, as almost none are left once days are full; reservations of one person or room never overlap.
 */
async function readFree(db: Db, visit: WantedVisit, ids: readonly string[], starts: Intervals): Promise<(id: string) => Interval[]> {
  const free = new Map<string, Interval[]>(ids.map((id) => [id, []]))
  const [first, last] = [starts[0], starts.at(-1)]
  if (ids.length > 0 && first && last) {
    const { except, minutes, bufferBefore, bufferAfter } = visit
    const [begin, end] = [first.from - bufferBefore, last.to + minutes + bufferAfter].map((minute) => toDate(minute).toISOString())
    const [before, rest] = [bufferBefore, minutes + bufferAfter].map((count) => sql`${`${count} minutes`}::interval`)
    const ranges = starts.map(({ from, to }) => `[${toDate(from).toISOString()},${toDate(to - 1).toISOString()}]`)
    // Found by its start in the index that is read: to look at each row for its appointment takes four times as long.
    const others = sql`and starts_at is distinct from (
      select moved.starts_at from time_holds as moved
      where (moved.appointment_id = ${except} or moved.booking_hold_id = ${except}) and moved.resource_id = asked.id)`
    // A function in the select list keeps no copy of the gaps, as one in the from list would. `case`, unlike `and`, checks first that the range is not reversed.
    const { rows } = await db.execute<{ id: string; from: number; to: number }>(sql`${onePlan}
      select id, ceil(date_part('epoch', begins) / 60)::int as "from", floor(date_part('epoch', ends) / 60)::int as "to"
      from (
        select id, unnest(${begin}::timestamptz || all_ends) as begins, unnest(all_starts || ${end}::timestamptz) as ends
        from unnest(${sql.param([...ids])}::uuid[]) as asked (id),
        lateral (
          select array_agg(starts_at) as all_starts, array_agg(ends_at) as all_ends from (
            select starts_at, ends_at from time_holds
            where resource_id = asked.id and starts_at < ${end} and starts_at > ${begin}::timestamptz - interval '${sql.raw(maxHold)}'
              ${except ? others : sql``}
            order by starts_at
          ) as holds
        ) as taken
      ) as gaps
      where case when ends - ${rest} >= begins + ${before}
        then tstzrange(begins + ${before}, ends - ${rest}, '[]') && ${`{${ranges.join()}}`}::tstzmultirange end
      order by "from"`)
    for (const { id, ...gap } of rows) free.get(id)!.push(gap)
  }
  return (id) => free.get(id)!
}

/** How many visits of this type each provider has on a day with starts, as a function of both. */
async function readCounts(db: Db, { visitTypeId, except }: WantedVisit, zone: string, starts: Intervals) {
  const [first, last] = [starts[0], starts.at(-1)]
  if (visitTypeId === null || !first || !last) return () => 0
  const [from, to] = [dayAt(toDate(first.from), zone), daysLater(dayAt(toDate(last.to), zone), 1)].map((day) => beginningOf(day, zone))
  const { rows } = await db.execute<{ id: string; day: string; count: number }>(sql`
    select provider_id as id, (starts_at at time zone ${zone})::date::text as day, count(*)::int as count from appointments
    where visit_type_id = ${visitTypeId} and starts_at >= ${from!.toISOString()} and starts_at < ${to!.toISOString()}
      and status in ('booked', 'confirmed', 'arrived', 'completed') ${except ? sql`and id <> ${except}` : sql``}
    group by 1, 2`)
  const counts = new Map(rows.map(({ id, day, count }) => [`${id} ${day}`, count]))
  return (id: string, day: string) => counts.get(`${id} ${day}`) ?? 0
}

/** Everything that decides about a visit at the starts. `counts`: also without a daily maximum, to share visits evenly. */
async function readSearch(
  db: Db,
  visit: WantedVisit,
  starts: Intervals,
  { calendar, locationOf, scheduleOf, busyOf }: Schedules,
  counts = false,
): Promise<VisitSearch> {
  const roomIds = [...(visit.roomIds ?? []), ...visit.unitIds.flat()]
  const isAtOnce = starts.length > 0 && starts.at(-1)!.to - starts[0]!.from <= maxAtOnce
  const freeOf = await readFree(db, visit, [...peopleOf(visit), ...(isAtOnce ? roomIds : [])], starts)
  const placesOf = (ids: readonly string[]): Room[] =>
    ids.flatMap((id) => {
      const locationId = locationOf.get(id)
      return locationId === undefined ? [] : [{ id, locationId, free: subtract(roomFreeOf(id), busyOf.get(id) ?? []) }]
    })
  const personOf = (id: string) => ({ id, schedule: scheduleOf.get(id)!, free: freeOf(id) })
  const people = visit.providerIds?.map(personOf) ?? null
  // Rooms and the daily maximum only matter when a provider is free.
  const possible = people ? intersect(starts, freeStarts(people, visit)) : starts
  const [roomFreeOf, countOf] = await Promise.all([
    isAtOnce ? freeOf : readFree(db, visit, roomIds, possible),
    visit.maxPerDay !== null || counts ? readCounts(db, visit, calendar.timeZone, possible) : () => 0,
  ])
  return {
    calendar,
    visit,
    maxPerDay: visit.maxPerDay,
    providers: people?.map((one) => ({ ...one, countOn: (day: string) => countOf(one.id, day) })) ?? null,
    seconds: visit.secondIds?.map(personOf) ?? null,
    rooms: visit.roomIds && placesOf(visit.roomIds),
    equipment: visit.unitIds.map(placesOf),
  }
}

/** What a search reads with: in a transaction, its connection. */
interface Reading extends Pick<Scope, 'env' | 'now'> {
  db: Db
}

/** The slots from one day until before another, whose schedules have been read. `within`: the starts that are allowed, in minutes. */
async function readSlots(
  scope: Reading,
  visit: WantedVisit,
  schedules: Schedules,
  first: string,
  end: string,
  within: Interval,
): Promise<Iterable<DaySlots>> {
  const clocks = [...clocksFrom(first, daysFrom(first, end), scope.env.PRACTICE_TIME_ZONE)]
  const hours = visit.providerIds?.map((id) => schedules.scheduleOf.get(id)!) ?? null
  const starts = intersect(workingStarts(hours, clocks, schedules.calendar, visit), [within])
  return findSlots(await readSearch(scope.db, visit, starts, schedules), clocks, within)
}

/** The starts of some days in order, from now on, in minutes. */
export async function searchDays(scope: Reading, visit: WantedVisit, from: string, days: number): Promise<number[]> {
  const schedules = await readSchedules(scope.db, scope.env.PRACTICE_TIME_ZONE, from, peopleOf(visit), visit.roomIds ?? [])
  const within = { from: toMinute(scope.now()), to: Infinity }
  const found = await readSlots(scope, visit, schedules, from, daysLater(from, days), within)
  return [...found].flatMap(({ starts }) => starts)
}

/** The slots of some days, and the first one within a year. `noticeHours` and `horizonDays` are limits for patients who book themselves. */
export async function searchSlots(
  scope: Scope,
  visit: WantedVisit,
  { from, days, noticeHours = 0, horizonDays = Infinity }: { from: string; days: number; noticeHours?: number; horizonDays?: number },
): Promise<{ days: DaySlots[]; next: number | null }> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const now = scope.now()
  const today = dayAt(now, zone)
  const within = {
    from: toMinute(now) + noticeHours * 60,
    to: horizonDays === Infinity ? Infinity : toMinute(beginningOf(daysLater(today, horizonDays + 1), zone)),
  }
  const schedules = await readSchedules(scope.db, zone, from < today ? from : today, peopleOf(visit), visit.roomIds ?? [])
  const read = (first: string, end: string) => readSlots(scope, visit, schedules, first, end, within)
  const stageEnds = stages.map((count) => daysLater(today, count))
  const shownEnd = daysLater(from, days)
  // Days that are shown are mostly those in which the next opening is looked for first: they are read once.
  const isNear = from <= stageEnds[0]! && shownEnd >= today
  const begin = isNear && from < today ? from : today
  let end = isNear && shownEnd > stageEnds[0]! ? shownEnd : stageEnds[0]!
  const [near, far] = await Promise.all([read(begin, end).then(Array.from<DaySlots>), isNear ? [] : read(from, shownEnd)])
  let next = firstStart(near)
  for (const stageEnd of stageEnds) {
    if (next !== null || stageEnd <= end) continue
    next = firstStart(await read(end, stageEnd))
    end = stageEnd
  }
  return { days: isNear ? near.filter(({ day }) => from <= day && day < shownEnd) : [...far], next }
}

function firstStart(slots: Iterable<DaySlots>): number | null {
  for (const { starts } of slots) if (starts.length > 0) return starts[0]!
  return null
}

/** Everything that decides whether a visit can start at a minute, and who and what it can take place with then. */
export async function readSearchAt(db: Db, zone: string, visit: WantedVisit, start: number): Promise<VisitSearch> {
  const schedules = await readSchedules(db, zone, dayAt(toDate(start), zone), peopleOf(visit), visit.roomIds ?? [])
  return readSearch(db, visit, [{ from: start, to: start + 1 }], schedules, true)
}

/** The hours of a person, or of the practice without one, with its calendar. */
export async function readSchedule(db: Db, zone: string, day: string, profileId: string | null) {
  const { calendar, scheduleOf } = await readSchedules(db, zone, day, profileId === null ? [] : [profileId])
  return { calendar, schedule: (profileId !== null && scheduleOf.get(profileId)) || { weekly: [], exceptions: [] } }
}
