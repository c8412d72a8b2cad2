/*
 * What slots are, minute by minute: slow, and without a line of the engine (src/care/availability/slot-rules.ts), which has to find the same.
 */

interface Span {
  weekday: number
  opens: string
  closes: string
  fromDay: string | null
  toDay: string | null
  locationId: string | null
}
interface Exception {
  kind: 'off' | 'extra'
  fromDay: string
  toDay: string
  opens: string | null
  closes: string | null
  locationId: string | null
}
interface ReferencePerson {
  id: string
  weekly: Span[]
  exceptions: Exception[]
  /** Visits by day. */
  counts: Record<string, number>
}

export interface World {
  timeZone: string
  hours: { weekday: number; opens: string; closes: string }[]
  closedDays: string[]
  minutes: number
  bufferBefore: number
  bufferAfter: number
  maxPerDay: number | null
  providers: ReferencePerson[] | null
  seconds: ReferencePerson[] | null
  rooms: { id: string; locationId: string }[] | null
  /** Of each of these lists, one piece is needed. */
  equipment: { id: string; locationId: string }[][]
  busy: { id: string; from: number; to: number }[]
  /** What calendars elsewhere have. */
  elsewhere: { id: string; from: number; to: number }[]
}

const known = new Map<string, string>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock shows at a minute: 'yyyy-MM-dd HH:mm'. */
function shown(minute: number, timeZone: string): string {
  const key = `${timeZone} ${minute}`
  if (!known.has(key)) {
    if (!formats.has(timeZone))
      formats.set(timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' }))
    known.set(key, formats.get(timeZone)!.format(minute * 60_000))
  }
  return known.get(key)!
}

const found = new Map<string, number>()

/** The first minute at which the clock shows this. A time that is skipped comes later, by as much as the clock skips. */
function minuteAt(day: string, time: string, timeZone: string): number {
  const key = `${timeZone} ${day} ${time}`
  if (!found.has(key)) found.set(key, lookUp(`${day} ${time}`, day, timeZone))
  return found.get(key)!
}
function lookUp(wanted: string, day: string, timeZone: string): number {
  const begin = Date.parse(`${day}T00:00Z`) / 60_000 - 15 * 60
  const asMinutes = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`) / 60_000
  for (let minute = begin; minute < begin + 54 * 60; minute++) {
    const now = shown(minute, timeZone)
    if (now === wanted) return minute
    if (minute > begin && now > wanted && shown(minute - 1, timeZone) < wanted)
      return minute + asMinutes(wanted) - asMinutes(shown(minute - 1, timeZone)) - 1
  }
  throw new Error(`${wanted} is not shown`)
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

export function referenceSlots(world: World, from: string, days: number, earliest: number) {
  const { timeZone, minutes, bufferBefore, bufferAfter } = world
  const isIn = (all: World['busy'], id: string, minute: number) => all.some((one) => one.id === id && one.from <= minute && minute < one.to)
  const isBusy = (id: string, minute: number) => isIn(world.busy, id, minute)

  /** Whether someone works at a minute of a day, at a location or (undefined) anywhere; null stands for the practice. */
  function works(person: ReferencePerson | null, day: string, minute: number, location: string | undefined): boolean {
    if (world.closedDays.includes(day)) return false
    if (person && isIn(world.elsewhere, person.id, minute)) return false
    const weekday = new Date(`${day}T00:00Z`).getUTCDay() || 7
    const isOn = ({ opens, closes }: { opens: string | null; closes: string | null }) =>
      minuteAt(day, opens ?? '00:00', timeZone) <= minute &&
      minute < (closes === null ? minuteAt(dayAfter(day, 1), '00:00', timeZone) : minuteAt(day, closes, timeZone))
    const isHere = (place: string | null) => location === undefined || place === null || place === location
    const today = person?.exceptions.filter(({ fromDay, toDay }) => fromDay <= day && day <= toDay) ?? []
    if (today.some((one) => one.kind === 'off' && isOn(one))) return false
    if (today.some((one) => one.kind === 'extra' && isHere(one.locationId) && isOn(one))) return true
    if (!person || person.weekly.length === 0) return world.hours.some((open) => open.weekday === weekday && isOn(open))
    const isDated = (span: Span) => span.fromDay !== null || span.toDay !== null
    const dated = person.weekly.filter((span) => isDated(span) && (span.fromDay ?? '0000') <= day && day <= (span.toDay ?? '9999'))
    const spans = dated.length > 0 ? dated : person.weekly.filter((span) => !isDated(span))
    return spans.some((span) => span.weekday === weekday && isHere(span.locationId) && isOn(span))
  }

  const every = (from: number, to: number, test: (minute: number) => boolean) => {
    for (let minute = from; minute < to; minute++) if (!test(minute)) return false
    return true
  }

  return Array.from({ length: days }, (_, index) => {
    const day = dayAfter(from, index)
    const [begin, end] = [minuteAt(day, '00:00', timeZone), minuteAt(dayAfter(day, 1), '00:00', timeZone)]
    const people = world.providers ?? [null]
    const starts: number[] = []
    for (let start = begin; start < end; start++) {
      if (Number(shown(start, timeZone).slice(-2)) % 15 !== 0 || start < earliest) continue
      const isFree = (id: string) => every(start - bufferBefore, start + minutes + bufferAfter, (minute) => !isBusy(id, minute))
      const isWorking = (person: ReferencePerson | null, location: string | undefined) =>
        every(start, start + minutes, (minute) => works(person, day, minute, location))
      const isPossible = people.some((provider) => {
        if (provider && world.maxPerDay !== null && (provider.counts[day] ?? 0) >= world.maxPerDay) return false
        if (provider && !isFree(provider.id)) return false
        const isUsable = (id: string) =>
          isFree(id) && every(start - bufferBefore, start + minutes + bufferAfter, (minute) => !isIn(world.elsewhere, id, minute))
        return ['a', 'b', undefined].some((location) => {
          const needed = [...(world.rooms ? [world.rooms] : []), ...world.equipment]
          if (needed.length > 0 === (location === undefined)) return false
          if (!needed.every((all) => all.some((one) => one.locationId === location && isUsable(one.id)))) return false
          if (!isWorking(provider, location)) return false
          return (
            world.seconds === null ||
            world.seconds.some((second) => second.id !== provider?.id && isFree(second.id) && isWorking(second, location))
          )
        })
      })
      if (isPossible) starts.push(start)
    }
    const isClosed = people.every((person) => every(begin, end, (minute) => !works(person, day, minute, undefined)))
    return { day, isClosed, starts }
  })
}
