import { type DayHours, weekdayOf } from '../../platform/practice/rules.ts'
import { beginningOf, dayAt, daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import { contains, type Interval, type Intervals, intersect, subtract, toDate, toMinute, union } from './interval-rules.ts'

/** Regular hours of a person on a weekday, 1 (Monday) to 7. Several spans a day leave breaks between them. */
export interface WeeklySpan {
  weekday: number
  opens: string
  closes: string
  /** The days that they apply to; null: without a limit. */
  fromDay: string | null
  toDay: string | null
  /** Where they see patients; null: at every location. */
  locationId: string | null
}

/** Time off, or additional hours, on each day of a range. Without times, the whole day. */
export interface HoursException {
  kind: 'off' | 'extra'
  fromDay: string
  toDay: string
  opens: string | null
  closes: string | null
  locationId: string | null
}

export interface Schedule {
  weekly: readonly WeeklySpan[]
  exceptions: readonly HoursException[]
  /** When calendars elsewhere say that they are busy; none if undefined. */
  busy?: Intervals | undefined
}

export interface PracticeCalendar {
  hours: readonly DayHours[]
  closedDays: ReadonlySet<string>
  timeZone: string
}

/** A visit in minutes. The buffers are kept free before and after it. */
export interface VisitLength {
  minutes: number
  bufferBefore: number
  bufferAfter: number
}

export interface Candidate {
  id: string
  /** When no booking takes their time. */
  free: Intervals
}

export interface Person extends Candidate {
  schedule: Schedule
}

export interface Provider extends Person {
  /** How many bookings they have on a day that count towards the daily maximum. */
  countOn: (day: string) => number
}

/** A room, or a piece of equipment. */
export interface Room extends Candidate {
  locationId: string
}

/** A visit, and who and what it can take place with. */
export interface VisitSearch {
  calendar: PracticeCalendar
  visit: VisitLength
  /** Null: only a room is asked for, and the practice's hours apply. */
  providers: readonly Provider[] | null
  /** One of them is needed in addition to the provider; null: no one is. */
  seconds: readonly Person[] | null
  /** One of them is needed; null: none is. */
  rooms: readonly Room[] | null
  /** Of each of these lists, one piece of equipment is needed at the same location. */
  equipment: readonly (readonly Room[])[]
  /** How many visits a provider may have on a day; null: without a limit. */
  maxPerDay: number | null
}

export interface DaySlots {
  day: string
  /** No one who is asked for works on this day. */
  isClosed: boolean
  /** Possible starts in order. */
  starts: number[]
}

/** Minutes between offered starts. All offsets of time zones are multiples of this, so these are quarters of an hour on each clock. */
const step = 15

/** Whether patients may book a start themselves: on the grid, with the visit's minimum notice and within its horizon. */
export function isOffered(
  { noticeHours, horizonDays }: { noticeHours: number; horizonDays: number },
  startsAt: Date,
  now: Date,
  timeZone: string,
): boolean {
  const isOnGrid = startsAt.getTime() % (step * 60_000) === 0
  const isInTime = startsAt.getTime() >= now.getTime() + noticeHours * 3_600_000
  return isOnGrid && isInTime && dayAt(startsAt, timeZone) <= daysLater(dayAt(now, timeZone), horizonDays)
}

/** The practice's own hours: those of a person who has none. */
const practiceSchedule: Schedule = { weekly: [], exceptions: [] }

/** Minutes at which a day begins and ends, and its times of day. */
export interface DayClock extends Interval {
  day: string
  weekday: number
  at: (time: string) => number
}

const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The clocks of consecutive days. A time that the clock skips, or shows twice, is the one that `instantOf` finds. */
export function* clocksFrom(first: string, count: number, timeZone: string): Generator<DayClock> {
  let from = toMinute(beginningOf(first, timeZone))
  for (let [index, day] = [0, first]; index < count; index++) {
    const next = daysLater(day, 1)
    // Looking up a time zone's offset is slow, and most days have 24 hours.
    const dayAfter = toLocal(toDate(from + 24 * 60), timeZone)
    const isChanged = dayAfter.day !== next || dayAfter.time !== '00:00'
    const to = isChanged ? toMinute(beginningOf(next, timeZone)) : from + 24 * 60
    const [today, begins] = [day, from]
    const at = (time: string) => (isChanged ? toMinute(instantOf({ day: today, time }, timeZone)) : begins + minuteOfDay(time))
    yield { day, weekday: weekdayOf(day), from, to, at }
    ;[day, from] = [next, to]
  }
}

const covers = ({ fromDay, toDay }: { fromDay: string | null; toDay: string | null }, day: string): boolean =>
  (fromDay === null || fromDay <= day) && (toDay === null || day <= toDay)

/**
 * The hours that apply on a day: those of a range of dates that has the day, otherwise those without a range. A person without any hours
 * works the practice's.
 */
function weeklySpansOn(weekly: readonly WeeklySpan[], { day, weekday }: DayClock, { hours }: PracticeCalendar) {
  if (weekly.length === 0) return hours.filter((open) => open.weekday === weekday).map((open) => ({ ...open, locationId: null }))
  const dated = weekly.filter((span) => (span.fromDay !== null || span.toDay !== null) && covers(span, day))
  const applicable = dated.length > 0 ? dated : weekly.filter(({ fromDay, toDay }) => fromDay === null && toDay === null)
  return applicable.filter((span) => span.weekday === weekday)
}

/**
 * When a person works on a day: regular and additional hours without time off and what calendars elsewhere have, and nothing on a day on which the practice is closed.
 * `locationId`: only what they work there; undefined: anywhere.
 */
function workingTime(schedule: Schedule, clock: DayClock, calendar: PracticeCalendar, locationId?: string): Interval[] {
  const { day, at } = clock
  if (calendar.closedDays.has(day)) return []
  const isHere = (span: { locationId: string | null }) =>
    locationId === undefined || span.locationId === null || span.locationId === locationId
  const today = schedule.exceptions.filter((one) => covers(one, day))
  const toInterval = ({ opens, closes }: { opens: string | null; closes: string | null }): Interval => ({
    from: opens === null ? clock.from : at(opens),
    to: closes === null ? clock.to : at(closes),
  })
  const on = [...weeklySpansOn(schedule.weekly, clock, calendar), ...today.filter(({ kind }) => kind === 'extra')]
  const off = today.filter(({ kind }) => kind === 'off')
  const working = union(on.filter(isHere).map(toInterval))
  const left = off.length > 0 ? subtract(working, union(off.map(toInterval))) : working
  return schedule.busy ? subtract(left, schedule.busy) : left
}

/** Whether a person works through a whole interval that begins on the clock's day. */
export const worksThrough = (schedule: Schedule, clock: DayClock, calendar: PracticeCalendar, visit: Interval): boolean =>
  contains(workingTime(schedule, clock, calendar), visit)

/** The starts at which a visit and its buffers lie within the intervals. */
const startsIn = (all: Intervals, { minutes, bufferBefore, bufferAfter }: VisitLength): Interval[] =>
  all.flatMap(({ from, to }) => {
    const [first, last] = [from + bufferBefore, to - minutes - bufferAfter]
    return first <= last ? [{ from: first, to: last + 1 }] : []
  })

/** The starts at which any of them is free for a visit and its buffers. */
export const freeStarts = (all: readonly Candidate[], visit: VisitLength): Interval[] =>
  union(all.flatMap(({ free }) => startsIn(free, visit)))

/** Starts at which the visit lies within working time. Buffers may lie outside: a room can be prepared before the doors open. */
const startsWithin = (working: Intervals, { minutes }: VisitLength): Interval[] =>
  startsIn(working, { minutes, bufferBefore: 0, bufferAfter: 0 })

/** Starts at which any of the providers, or the practice without one (null), works through a visit: no others can be offered. */
export function workingStarts(
  providers: readonly Schedule[] | null,
  clocks: readonly DayClock[],
  calendar: PracticeCalendar,
  visit: VisitLength,
): Interval[] {
  // People often share their hours.
  const distinct = [...new Map((providers ?? [practiceSchedule]).map((schedule) => [JSON.stringify(schedule), schedule])).values()]
  const startsOn = (clock: DayClock) => distinct.flatMap((schedule) => startsWithin(workingTime(schedule, clock, calendar), visit))
  return union(clocks.flatMap((clock) => union(startsOn(clock))))
}

/** The rooms, and the pieces of each kind of equipment, of each of which one is needed. */
const placesOf = ({ rooms, equipment }: VisitSearch): (readonly Room[])[] => [...(rooms ? [rooms] : []), ...equipment]

/** Where the visit can take place; undefined: anywhere, because it needs neither a room nor equipment. */
function locationsOf(search: VisitSearch): (string | undefined)[] {
  const [first] = placesOf(search)
  return first ? [...new Set(first.map(({ locationId }) => locationId))] : [undefined]
}

const isFull = ({ countOn }: Provider, day: string, maxPerDay: number | null): boolean => maxPerDay !== null && countOn(day) >= maxPerDay

/** The slots of each day, one day at a time, so that a search can stop. `within`: the possible starts. */
export function* findSlots(search: VisitSearch, clocks: Iterable<DayClock>, within: Interval) {
  const { calendar, visit, providers, seconds, maxPerDay } = search
  const startsOf = new Map([...(providers ?? []), ...(seconds ?? [])].map((person) => [person.id, freeStarts([person], visit)]))
  /** By location; one without a location if neither a room nor equipment is needed. */
  const places: [string | undefined, Interval[] | null][] = locationsOf(search).map((locationId) => [
    locationId,
    placesOf(search)
      .map((there) =>
        freeStarts(
          there.filter((one) => one.locationId === locationId),
          visit,
        ),
      )
      .reduce<Interval[] | null>((all, starts) => (all === null ? starts : intersect(all, starts)), null),
  ])
  const working = (schedule: Schedule, clock: DayClock, locationId: string | undefined) =>
    startsWithin(workingTime(schedule, clock, calendar, locationId), visit)

  for (const clock of clocks) {
    const found: Interval[] = []
    const schedules = providers ? providers.map(({ schedule }) => schedule) : [practiceSchedule]
    const isClosed = schedules.every((schedule) => workingTime(schedule, clock, calendar).length === 0)
    const startsToday = (id: string) => intersect([clock], startsOf.get(id)!)
    // Hours are looked up last: on most days of a full calendar no one is free.
    const available = (isClosed ? [] : (providers ?? [null])).flatMap((provider) => {
      if (provider && isFull(provider, clock.day, maxPerDay)) return []
      const starts = provider ? startsToday(provider.id) : [clock]
      return starts.length > 0 ? [{ provider, starts }] : []
    })
    for (const [locationId, roomStarts] of available.length > 0 ? places : []) {
      const secondStarts = seconds?.map(({ id, schedule }) => ({
        id,
        starts: intersect(working(schedule, clock, locationId), startsToday(id)),
      }))
      for (const { provider, starts: providerStarts } of available) {
        let starts = intersect(working(provider?.schedule ?? practiceSchedule, clock, locationId), providerStarts)
        if (roomStarts) starts = intersect(starts, roomStarts)
        if (secondStarts)
          starts = intersect(starts, union(secondStarts.filter(({ id }) => id !== provider?.id).flatMap((second) => second.starts)))
        found.push(...starts)
      }
    }
    const starts: number[] = []
    for (const { from: first, to } of intersect(union(found), [within]))
      for (let start = Math.ceil(first / step) * step; start < to; start += step) starts.push(start)
    yield { day: clock.day, isClosed, starts } satisfies DaySlots
  }
}

/** Who and what a visit takes place with. */
export interface Assignment {
  providerId: string | null
  secondId: string | null
  roomId: string | null
  unitIds: string[]
}

/**
 * Chooses a provider, a second person, a room and equipment for a visit that starts at a minute: the provider with the fewest bookings on that day, and
 * of the others the first one that is free. Null if the visit is not possible then. `anyHours`: outside working hours too.
 */
export function assign(search: VisitSearch, start: number, clock: DayClock, anyHours = false): Assignment | null {
  const { calendar, visit, providers, seconds, rooms, equipment, maxPerDay } = search
  const taken = { from: start - visit.bufferBefore, to: start + visit.minutes + visit.bufferAfter }
  const isFree = ({ free }: Candidate) => contains(free, taken)
  const works = (schedule: Schedule, locationId: string | undefined) =>
    anyHours || contains(workingTime(schedule, clock, calendar, locationId), { from: start, to: start + visit.minutes })
  const byLoad = providers
    ?.filter((one) => isFree(one) && !isFull(one, clock.day, maxPerDay))
    .toSorted((a, b) => a.countOn(clock.day) - b.countOn(clock.day))
  const freeSeconds = seconds?.filter(isFree)
  const freeRooms = rooms?.filter(isFree)
  const freeUnits = equipment.map((units) => units.filter(isFree))
  for (const provider of byLoad ?? [null]) {
    for (const locationId of locationsOf(search)) {
      const room = freeRooms?.find((one) => one.locationId === locationId)
      if (rooms && !room) continue
      const units = freeUnits.map((all) => all.find((one) => one.locationId === locationId))
      if (units.includes(undefined) || !works(provider?.schedule ?? practiceSchedule, locationId)) continue
      const second = freeSeconds?.find(({ id, schedule }) => id !== provider?.id && works(schedule, locationId))
      if (seconds && !second) continue
      return {
        providerId: provider?.id ?? null,
        secondId: second?.id ?? null,
        roomId: room?.id ?? null,
        unitIds: units.map((unit) => unit!.id),
      }
    }
  }
  return null
}
