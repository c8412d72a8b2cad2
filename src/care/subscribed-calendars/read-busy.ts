import ICAL from 'ical.js'
import { instantOf } from '../../shared/zoned-time.ts'
import { calendarLimits } from './rules.ts'

/** From an instant up to, but not including, another one, in milliseconds since 1970. */
export type Span = [from: number, to: number]

export interface CalendarToRead {
  text: string
  /** Milliseconds since 1970. */
  from: number
  to: number
  /** The practice's time zone: of whole days, and of times without one. */
  timeZone: string
  /** Events whose UID ends with this are our own appointments, which have come back. */
  own: string
}

export type ReadBusy = { busy: Span[] } | { problem: 'not-a-calendar' | 'too-complex' }

class TooComplex extends Error {}

/**
 * When the owner of a calendar (RFC 5545) is busy: events that are not cancelled and not marked as free, with their repetitions. Whole days count
 * from midnight to midnight. Spans are in order and do not overlap.
 */
export function readBusy({ text, from, to, timeZone, own }: CalendarToRead): ReadBusy {
  let calendar: ICAL.Component
  try {
    calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  } catch {
    return { problem: 'not-a-calendar' }
  }
  if (calendar.name !== 'vcalendar') return { problem: 'not-a-calendar' }
  const zones = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((one) => [
        String(one.getFirstPropertyValue('tzid')),
        new ICAL.Timezone({ component: one, tzid: String(one.getFirstPropertyValue('tzid')) }),
      ]),
  )
  const all = calendar.getAllSubcomponents('vevent')
  if (all.length > calendarLimits.events) return { problem: 'too-complex' }
  const spans: Span[] = []
  let repetitions = 0

  /** An instant of a time of this property, whose zone the file may define, or whose name may be known. */
  function instant(time: ICAL.Time, property: ICAL.Property | null): number {
    const [day, clock] = time.isDate ? [time.toString(), '00:00'] : time.toString().split('T')
    const local = { day: day!, time: clock!.slice(0, 5) }
    if (time.isDate) return instantOf(local, timeZone).getTime()
    if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000
    const name = property?.getFirstParameter('tzid')
    if (typeof name === 'string' && isKnown(name)) return instantOf(local, name).getTime()
    const zone = typeof name === 'string' ? zones.get(name) : undefined
    if (!zone) return instantOf(local, timeZone).getTime()
    const there = time.clone()
    there.zone = zone
    return there.toUnixTime() * 1000
  }
  const isBusy = (event: ICAL.Component) =>
    String(event.getFirstPropertyValue('status') ?? '').toUpperCase() !== 'CANCELLED' &&
    String(event.getFirstPropertyValue('transp') ?? '').toUpperCase() !== 'TRANSPARENT' &&
    String(event.getFirstPropertyValue('x-microsoft-cdo-busystatus') ?? '').toUpperCase() !== 'FREE'

  function add(begin: number, end: number): void {
    const [first, last] = [Math.max(begin, from), Math.min(end, to)]
    if (first < last) spans.push([first, last])
  }
  /** How long an event takes, in milliseconds, and when it begins. */
  function timesOf(component: ICAL.Component): { event: ICAL.Event; begin: number; length: number } | null {
    const event = new ICAL.Event(component)
    const start = component.getFirstProperty('dtstart')
    if (!start || !event.startDate) return null
    const begin = instant(event.startDate, start)
    const end = component.getFirstProperty('dtend')
    const length = end ? instant(event.endDate, end) - begin : event.duration.toSeconds() * 1000
    return { event, begin, length }
  }
  function addSeries(master: ICAL.Component, changed: readonly ICAL.Component[]): void {
    const times = timesOf(master)
    if (!times) return
    const { event, begin, length } = times
    if (!event.isRecurring()) return isBusy(master) ? add(begin, begin + length) : undefined
    // Each is moved or cancelled by an event of its own.
    const replaced = new Set(
      changed.map((one) => instant(one.getFirstPropertyValue('recurrence-id') as ICAL.Time, one.getFirstProperty('recurrence-id'))),
    )
    const start = master.getFirstProperty('dtstart')
    const steps = event.iterator()
    for (let next = steps.next() as ICAL.Time | null; next; next = steps.next() as ICAL.Time | null) {
      if (++repetitions > calendarLimits.repetitions) throw new TooComplex()
      const at = instant(next, start)
      if (at >= to) break
      if (isBusy(master) && !replaced.has(at)) add(at, at + length)
    }
  }

  try {
    for (const [uid, ofUid] of Map.groupBy(all, (one) => String(one.getFirstPropertyValue('uid') ?? ''))) {
      if (uid.endsWith(own)) continue
      const changed = ofUid.filter((one) => one.hasProperty('recurrence-id'))
      for (const master of ofUid) {
        if (master.hasProperty('recurrence-id')) continue
        addSeries(master, changed)
      }
      for (const one of changed) {
        const times = isBusy(one) ? timesOf(one) : null
        if (times) add(times.begin, times.begin + times.length)
      }
    }
  } catch (error) {
    return { problem: error instanceof TooComplex ? 'too-complex' : 'not-a-calendar' }
  }
  const busy = joined(spans)
  return busy.length > calendarLimits.busy ? { problem: 'too-complex' } : { busy }
}

const names = new Map<string, boolean>()

/** Whether it is a name of the time zone database, such as Europe/Paris. */
function isKnown(name: string): boolean {
  const known = names.get(name)
  if (known !== undefined) return known
  let is = true
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    is = false
  }
  names.set(name, is)
  return is
}

/** In order; times that overlap or touch are one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
