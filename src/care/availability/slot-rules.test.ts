import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { referenceSlots, type World } from '../../../test/care/slot-reference.ts'
import { daysLater, instantOf } from '../../shared/zoned-time.ts'
import { type Interval, type Intervals, intersect, subtract, toMinute, union } from './interval-rules.ts'
import {
  assign,
  type Candidate,
  clocksFrom,
  type DayClock,
  findSlots,
  freeStarts,
  type Person,
  type Provider,
  type VisitSearch,
  workingStarts,
  worksThrough,
} from './slot-rules.ts'

/** `SLOT_RUNS=10000 npm test -- --unit src/care/availability/slot-rules` runs the full test. */
const runs = Number(process.env.SLOT_RUNS ?? 300)

/** Zones with the days on which their clocks change, by an hour or (Lord Howe) by half an hour, and an ordinary day. */
const zones = {
  'America/Toronto': ['2026-03-08', '2026-11-01', '2026-06-10'],
  'America/St_Johns': ['2026-03-08', '2026-11-01', '2026-06-10'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2026-06-10'],
}

const time = fc
  .oneof(
    fc.integer({ min: 0, max: 4 * 4 }).map((quarters) => quarters * 15),
    fc.integer({ min: 0, max: 24 * 60 - 1 }),
  )
  .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
const times = fc
  .tuple(time, time)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => ({ opens: a < b ? a : b, closes: a < b ? b : a }))
const weekday = fc.integer({ min: 1, max: 7 })
const location = fc.constantFrom(null, 'a', 'b')

const worlds = fc
  .constantFrom(...(Object.keys(zones) as (keyof typeof zones)[]))
  .chain((timeZone) => fc.record({ timeZone: fc.constant(timeZone), change: fc.constantFrom(...zones[timeZone]) }))
  .chain(({ timeZone, change }) => {
    const day = fc.integer({ min: -2, max: 3 }).map((days) => daysLater(change, days))
    const range = fc.tuple(day, day).map(([a, b]) => ({ fromDay: a < b ? a : b, toDay: a < b ? b : a }))
    const noon = toMinute(instantOf({ day: change, time: '12:00' }, timeZone))
    const person = fc.record({
      weekly: fc.array(
        fc
          .record({ weekday, times, locationId: location, dates: fc.option(range, { freq: 2 }) })
          .map(({ times: span, dates, ...rest }) => ({ ...rest, ...span, ...(dates ?? { fromDay: null, toDay: null }) })),
        { maxLength: 12 },
      ),
      exceptions: fc.array(
        fc
          .record({ kind: fc.constantFrom('off' as const, 'extra' as const), dates: range, times: fc.option(times), locationId: location })
          .map(({ dates, times: span, ...rest }) => ({ ...rest, ...dates, ...(span ?? { opens: null, closes: null }) })),
        { maxLength: 3 },
      ),
      counts: fc.dictionary(day, fc.integer({ min: 0, max: 3 }), { maxKeys: 2 }),
    })
    const ids = ['p1', 'p2', 'n1', 'r1', 'r2', 'e0 1', 'e0 2', 'e1 1']
    const people = (names: string[]) =>
      fc.array(person, { minLength: 1, maxLength: names.length }).map((all) => all.map((one, index) => ({ ...one, id: names[index]! })))
    const spans = fc.array(
      fc
        .record({ id: fc.constantFrom(...ids), from: fc.integer({ min: -1500, max: 1500 }), length: fc.integer({ min: 5, max: 600 }) })
        .map(({ id, from, length }) => ({ id, from: noon + from, to: noon + from + length })),
      { maxLength: 8 },
    )
    return fc.record({
      from: fc.integer({ min: -1, max: 1 }).map((days) => daysLater(change, days)),
      days: fc.integer({ min: 1, max: 3 }),
      earliest: fc.integer({ min: -2 * 1440, max: 1440 }).map((minutes) => noon + minutes),
      world: fc.record({
        timeZone: fc.constant(timeZone as string),
        hours: fc
          .uniqueArray(fc.record({ weekday, times }), { selector: (one) => one.weekday, minLength: 1, maxLength: 7 })
          .map((all) => all.map(({ times: span, ...rest }) => ({ ...rest, ...span }))),
        closedDays: fc.uniqueArray(day, { maxLength: 1 }),
        minutes: fc.integer({ min: 5, max: 90 }),
        bufferBefore: fc.constantFrom(0, 5, 10, 30),
        bufferAfter: fc.constantFrom(0, 5, 15),
        maxPerDay: fc.option(fc.integer({ min: 1, max: 3 })),
        // A nurse, or the other provider, who cannot be the second person of their own visit.
        providers: fc.option(people(['p1', 'p2']), { freq: 9 }),
        seconds: fc.option(people(['n1', 'p1'])),
        rooms: fc.option(
          fc
            .array(fc.constantFrom('a', 'b'), { maxLength: 2 })
            .map((places) => places.map((locationId, i) => ({ id: `r${i + 1}`, locationId }))),
        ),
        equipment: fc
          .array(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }), { maxLength: 2 })
          .map((kinds) => kinds.map((places, kind) => places.map((locationId, i) => ({ id: `e${kind} ${i + 1}`, locationId })))),
        busy: spans,
        elsewhere: spans,
      }),
    })
  })

/** The same world as the engine takes it. Someone who is both a provider and a second person has one schedule. */
function toSearch(world: World): VisitSearch {
  const all = { from: 0, to: 2 ** 31 }
  const freeOf = (id: string) => subtract([all], union(world.busy.filter((one) => one.id === id)))
  const elsewhereOf = (id: string) => union(world.elsewhere.filter((one) => one.id === id))
  const person = ({ id, weekly, exceptions }: NonNullable<World['seconds']>[number]): Person => ({
    id,
    free: freeOf(id),
    schedule: { weekly, exceptions, busy: elsewhereOf(id) },
  })
  const place = ({ id, locationId }: { id: string; locationId: string }) => ({
    id,
    locationId,
    free: subtract(freeOf(id), elsewhereOf(id)),
  })
  return {
    calendar: { hours: world.hours, closedDays: new Set(world.closedDays), timeZone: world.timeZone },
    visit: world,
    maxPerDay: world.maxPerDay,
    providers: world.providers?.map((one): Provider => ({ ...person(one), countOn: (day) => one.counts[day] ?? 0 })) ?? null,
    seconds: world.seconds?.map(person) ?? null,
    rooms: world.rooms?.map(place) ?? null,
    equipment: world.equipment.map((units) => units.map(place)),
  }
}

/** The same search with only the free time that the database returns: gaps with a start that someone works at, or (rooms) is free at. */
function narrow(search: VisitSearch, clocks: DayClock[], earliest: number): VisitSearch {
  const { calendar, visit } = search
  const schedules = search.providers?.map(({ schedule }) => schedule) ?? null
  const starts = intersect(workingStarts(schedules, clocks, calendar, visit), [{ from: earliest, to: Infinity }])
  const within = <One extends Candidate>(all: readonly One[] | null, wanted: Intervals) =>
    all?.map((one) => ({
      ...one,
      free: one.free.filter((gap) => intersect(freeStarts([{ ...one, free: [gap] }], visit), wanted).length > 0),
    })) ?? null
  const providers = within(search.providers, starts)
  const roomStarts = providers ? intersect(starts, freeStarts(providers, visit)) : starts
  return {
    ...search,
    providers,
    seconds: within(search.seconds, starts),
    rooms: within(search.rooms, roomStarts),
    equipment: search.equipment.map((units) => within(units, roomStarts) ?? []),
  }
}

it(
  `finds the slots of the reference model, in any zone and across changes of the clock (${runs} rule sets)`,
  { timeout: 3_600_000 },
  () => {
    fc.assert(
      fc.property(worlds, ({ world, from, days, earliest }) => {
        const search = toSearch(world)
        const clocks = [...clocksFrom(from, days, world.timeZone)]
        const slots = [...findSlots(narrow(search, clocks, earliest), clocks, { from: earliest, to: Infinity })]
        expect(slots).toEqual(referenceSlots(world, from, days, earliest))
        // A visit can be assigned at exactly these starts.
        const offered = new Set(slots.flatMap(({ starts }) => starts))
        for (const clock of clocks) {
          for (let start = Math.ceil(Math.max(clock.from, earliest) / 15) * 15; start < clock.to; start += 15)
            expect([start, assign(search, start, clock) !== null]).toEqual([start, offered.has(start)])
        }
      }),
      { numRuns: runs },
    )
  },
)

it('agrees with sets of minutes when intervals are united, intersected and subtracted', () => {
  const intervals = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 15 })).map(([from, length]) => ({ from, to: from + length })),
    { maxLength: 8 },
  )
  const minutesOf = (all: readonly Interval[]) =>
    new Set(all.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)))
  fc.assert(
    fc.property(intervals, intervals, (one, other) => {
      const [a, b] = [union(one), union(other)]
      expect(minutesOf(a)).toEqual(new Set([...minutesOf(one)].toSorted((x, y) => x - y)))
      expect(a.every(({ from }, index) => index === 0 || a[index - 1]!.to < from)).toBe(true)
      expect(minutesOf(intersect(a, b))).toEqual(minutesOf(a).intersection(minutesOf(b)))
      expect(minutesOf(subtract(a, b))).toEqual(minutesOf(a).difference(minutesOf(b)))
    }),
  )
})

const timeZone = 'America/Toronto'
const weekdays = [1, 2, 3, 4, 5].map((day) => ({ weekday: day, opens: '09:00', closes: '12:00' }))
const always = [{ from: 0, to: 2 ** 31 }]
const provider = (given: Partial<Provider> = {}): Provider => ({
  id: 'p',
  free: always,
  schedule: { weekly: [], exceptions: [] },
  countOn: () => 0,
  ...given,
})
const search = (given: Partial<VisitSearch> = {}): VisitSearch => ({
  calendar: { hours: weekdays, closedDays: new Set(), timeZone },
  visit: { minutes: 60, bufferBefore: 0, bufferAfter: 0 },
  providers: [provider()],
  seconds: null,
  rooms: null,
  equipment: [],
  maxPerDay: null,
  ...given,
})
const at = (day: string, clock: string) => toMinute(instantOf({ day, time: clock }, timeZone))
const monday = '2026-11-30'
function timesOf(given: Partial<VisitSearch>, day = monday): string[] {
  const [slots] = [...findSlots(search(given), clocksFrom(day, 1, timeZone), { from: 0, to: Infinity })]
  return slots!.starts.map((start) =>
    new Date(start * 60_000).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
  )
}
const weekly = { weekday: 1, fromDay: null, toDay: null, locationId: null }
const dated = { fromDay: monday, toDay: monday, opens: null, closes: null, locationId: null }

describe('working hours', () => {
  it('are the practice’s for a provider who has none', () => {
    expect(timesOf({})).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00', '10:15', '10:30', '10:45', '11:00'])
    expect(timesOf({}, '2026-11-29')).toEqual([])
  })

  it('leave breaks between the spans of a day', () => {
    const spans = [
      { ...weekly, opens: '08:00', closes: '09:00' },
      { ...weekly, opens: '17:00', closes: '18:15' },
    ]
    expect(timesOf({ providers: [provider({ schedule: { weekly: spans, exceptions: [] } })] })).toEqual(['08:00', '17:00', '17:15'])
  })

  it('of a range of dates replace those without a range', () => {
    const spans = [
      { ...weekly, opens: '08:00', closes: '12:00' },
      { ...weekly, weekday: 2, fromDay: monday, toDay: null, opens: '08:00', closes: '12:00' },
    ]
    const providers = [provider({ schedule: { weekly: spans, exceptions: [] } })]
    expect(timesOf({ providers }, '2026-11-23')).not.toEqual([])
    expect(timesOf({ providers })).toEqual([])
  })

  it('end with time off and begin with additional hours, but not on a day on which the practice is closed', () => {
    const off = { ...dated, kind: 'off' as const, opens: '09:00', closes: '10:30' }
    const extra = { ...dated, kind: 'extra' as const, opens: '18:00', closes: '19:00' }
    const providers = [provider({ schedule: { weekly: [], exceptions: [off, extra] } })]
    expect(timesOf({ providers })).toEqual(['10:30', '10:45', '11:00', '18:00'])
    const calendar = { hours: weekdays, closedDays: new Set([monday]), timeZone }
    expect(timesOf({ providers, calendar })).toEqual([])
  })

  it('have to contain the visit, while buffers may lie outside', () => {
    const free = [{ from: at(monday, '08:45'), to: at(monday, '10:30') }]
    const visit = { minutes: 60, bufferBefore: 15, bufferAfter: 15 }
    expect(timesOf({ visit, providers: [provider({ free })] })).toEqual(['09:00', '09:15'])
  })

  it('at one location offer the rooms of that location', () => {
    const spans = [{ ...weekly, opens: '09:00', closes: '10:00', locationId: 'a' }]
    const providers = [provider({ schedule: { weekly: spans, exceptions: [] } })]
    expect(timesOf({ providers, rooms: [{ id: 'r', locationId: 'b', free: always }] })).toEqual([])
    expect(timesOf({ providers, rooms: [{ id: 'r', locationId: 'a', free: always }] })).toEqual(['09:00'])
  })

  it('decide whether a booking is within them', () => {
    const [clock] = [...clocksFrom(monday, 1, timeZone)]
    const isWithin = (from: string, to: string) =>
      worksThrough({ weekly: [], exceptions: [] }, clock!, search().calendar, { from: at(monday, from), to: at(monday, to) })
    expect([isWithin('09:00', '12:00'), isWithin('08:59', '10:00'), isWithin('11:30', '12:01')]).toEqual([true, false, false])
  })
})

describe('a visit', () => {
  const [clock] = [...clocksFrom(monday, 1, timeZone)]

  it('is not offered beyond a provider’s daily maximum', () => {
    const providers = [provider({ countOn: () => 2 })]
    expect(timesOf({ providers, maxPerDay: 2 })).toEqual([])
    expect(timesOf({ providers, maxPerDay: 3 })).not.toEqual([])
  })

  it('goes to the provider with the fewest bookings on that day who is free', () => {
    const [busy, quiet, away] = [
      provider({ id: 'busy', countOn: () => 3 }),
      provider({ id: 'quiet', countOn: () => 1 }),
      provider({ id: 'away', free: [] }),
    ]
    const start = at(monday, '10:07')
    expect(assign(search({ providers: [busy, quiet, away] }), start, clock!)).toEqual({
      providerId: 'quiet',
      secondId: null,
      roomId: null,
      unitIds: [],
    })
    expect(assign(search({ providers: [away] }), start, clock!)).toBeNull()
  })

  it('outside working hours is only assigned when that is asked for', () => {
    expect(assign(search(), at(monday, '20:00'), clock!)).toBeNull()
    expect(assign(search(), at(monday, '20:00'), clock!, true)).toMatchObject({ providerId: 'p' })
  })

  it('needs a second person who is not the provider', () => {
    const both = provider({ id: 'p' })
    expect(timesOf({ seconds: [both] })).toEqual([])
    expect(assign(search({ seconds: [both, provider({ id: 'nurse' })] }), at(monday, '10:00'), clock!)).toMatchObject({ secondId: 'nurse' })
  })
})
