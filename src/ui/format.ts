import { parseDay, wallClock } from '../shared/zoned-time.ts'

export { formatPhone } from '../shared/phone.ts'

/** An instant: a Date, an ISO string from the API, or milliseconds. */
export type Instant = Date | string | number

/** The practice's clock: times are formatted in its zone, whatever the browser's. */
export interface Clock {
  now: Instant
  /** An IANA name, 'America/Toronto'. */
  timeZone: string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const millisecondsOf = (instant: Instant): number => (typeof instant === 'string' ? Date.parse(instant) : instant.valueOf())

let latest = { ms: 0, timeZone: 'UTC', local: new Date(0) }

/** The wall clock at an instant. Caches the last one, since a list formats its day, then its time. */
function inZone(instant: Instant, timeZone: string): Date {
  const ms = millisecondsOf(instant)
  if (latest.ms !== ms || latest.timeZone !== timeZone) latest = { ms, timeZone, local: valid(wallClock(ms, timeZone)) }
  return latest.local
}

function valid(date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new RangeError('Invalid time value')
  return date
}

const nows = new WeakMap<Clock, Date>()

/** Now in the practice's zone: cached per clock, since every list cell needs it. */
function nowOf(clock: Clock): Date {
  const now = nows.get(clock) ?? inZone(clock.now, clock.timeZone)
  nows.set(clock, now)
  return now
}

const passedSince = (instant: Instant, clock: Clock): number => millisecondsOf(clock.now) - millisecondsOf(instant)

/** '10:15 a.m.' */
export function formatTime(instant: Instant, timeZone: string): string {
  return clockTime(inZone(instant, timeZone))
}

/** A stored time, 'HH:mm', as '2:30 p.m.' */
export function formatTimeOfDay(time: string): string {
  return clockTime(valid(new Date(`2000-01-01T${time}Z`)))
}

function clockTime(date: Date): string {
  const hours = date.getUTCHours()
  return `${hours % 12 || 12}:${String(date.getUTCMinutes()).padStart(2, '0')} ${hours < 12 ? 'a.m.' : 'p.m.'}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** 'Nov 20' */
const monthAndDay = (date: Date): string => `${months[date.getUTCMonth()]} ${date.getUTCDate()}`

/** 'Nov 20, 2026' */
const fullDate = (date: Date): string => `${monthAndDay(date)}, ${String(date.getUTCFullYear()).padStart(4, '0')}`

/** 'Nov 23' in the year of `now`, otherwise 'Nov 23, 2025'. */
const shortDate = (date: Date, now: Date): string => (date.getUTCFullYear() === now.getUTCFullYear() ? monthAndDay : fullDate)(date)

const weekday = (date: Date): string => weekdays[date.getUTCDay()]!

/** Both as wall clocks. */
const calendarDays = (from: Date, to: Date): number => Math.floor(to.getTime() / day) - Math.floor(from.getTime() / day)

/** 'Nov 20, 2026' */
export function formatDate(instant: Instant, timeZone: string): string {
  return fullDate(inZone(instant, timeZone))
}

/** 'November 2026' */
export function formatMonth(instant: Instant, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { month: 'long', year: 'numeric', timeZone }).format(millisecondsOf(instant))
}

/** A stored calendar day, 'yyyy-MM-dd', as 'Nov 20, 2026'. It has no time zone, so none may shift it. Throws for anything else. */
export function formatDay(isoDay: string): string {
  return fullDate(valid(parseDay(isoDay)))
}

/** 'Nov 23' in the year of `now`, otherwise 'Nov 23, 2025': for list columns. */
export function formatShortDate(instant: Instant, clock: Clock): string {
  return shortDate(inZone(instant, clock.timeZone), nowOf(clock))
}

/** 'Thu, Nov 26, 10:15 a.m.', with the year if it differs. Exact: also for titles on hover. */
export function formatDateTime(instant: Instant, clock: Clock): string {
  const date = inZone(instant, clock.timeZone)
  return `${weekday(date).slice(0, 3)}, ${shortDate(date, nowOf(clock))}, ${clockTime(date)}`
}

/** 'Today, 2:30 p.m.', 'Tomorrow, 9:00 a.m.', 'Yesterday, 4:00 p.m.', otherwise the short date: for follow-ups and due dates. */
export function formatDue(instant: Instant, clock: Clock): string {
  const date = inZone(instant, clock.timeZone)
  const names = new Map([
    [0, 'Today'],
    [1, 'Tomorrow'],
    [-1, 'Yesterday'],
  ])
  const name = names.get(calendarDays(nowOf(clock), date))
  return name ? `${name}, ${clockTime(date)}` : formatShortDate(instant, clock)
}

/** Heading of a timeline day: 'Today', 'Yesterday', 'Tuesday, Nov 17', with the year if it differs. */
export function formatDayHeading(instant: Instant, clock: Clock): string {
  const date = inZone(instant, clock.timeZone)
  const now = nowOf(clock)
  const days = calendarDays(now, date)
  if (days === 0) return 'Today'
  if (days === -1) return 'Yesterday'
  return `${weekday(date)}, ${shortDate(date, now)}`
}

/** Within a day '41 min ago' or '3 h ago', then 'Yesterday', then the short date. Put the exact time into the title. */
export function formatAgo(instant: Instant, clock: Clock): string {
  const passed = passedSince(instant, clock)
  if (passed < minute) return 'Just now'
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`
  if (passed < day) return `${Math.floor(passed / hour)} h ago`
  if (daysBetween(instant, clock) === 1) return 'Yesterday'
  return formatShortDate(instant, clock)
}

/** The same within a sentence: 'just now', 'yesterday', 'Nov 3'. */
export const formatAgoInSentence = (instant: Instant, clock: Clock): string =>
  formatAgo(instant, clock).replace(/^(Just|Yesterday)/, (word) => word.toLowerCase())

/** A duration for a narrow column: '41 min', '2 h', '5 d', '1 mo', '2 y'. */
export function formatAge(since: Instant, clock: Clock): string {
  const passed = Math.max(0, passedSince(since, clock))
  if (passed < hour) return `${Math.floor(passed / minute)} min`
  if (passed < day) return `${Math.floor(passed / hour)} h`
  const days = Math.floor(passed / day)
  if (days < 35) return `${days} d`
  if (days < 365) return `${Math.floor(days / 30.44)} mo`
  return `${Math.floor(days / 365.25)} y`
}

/** How late: '2 days late', '1 day late', '4 h late', '10 min late'. */
export function formatLate(due: Instant, clock: Clock): string {
  const passed = passedSince(due, clock)
  if (passed < hour) return `${Math.max(1, Math.floor(passed / minute))} min late`
  if (passed < day) return `${Math.floor(passed / hour)} h late`
  const days = Math.floor(passed / day)
  return `${days} ${days === 1 ? 'day' : 'days'} late`
}

/** Calendar days from the instant to now, in the practice's zone. Negative for the future. */
export function daysBetween(instant: Instant, clock: Clock): number {
  return calendarDays(wallClock(millisecondsOf(instant), clock.timeZone), nowOf(clock))
}

/** Today in the practice's zone, 'yyyy-MM-dd': for the minimum of a picker and for file names. */
export function today(clock: Clock): string {
  return nowOf(clock).toISOString().slice(0, 10)
}

const minus = '−'
const dollars = new Intl.NumberFormat('en-CA', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const counts = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 0 })

/** Integer cents as '$13,337.50' or '−$632.15'. */
export function formatMoney(cents: number): string {
  return `${cents < 0 ? minus : ''}$${dollars.format(Math.abs(cents) / 100)}`
}

/** '2,514' */
export function formatCount(count: number): string {
  return count < 0 ? minus + counts.format(-count) : counts.format(count)
}

/** A percentage: 13 gives '13%'. */
export function formatPercent(percent: number): string {
  const rounded = Math.round(percent * 100) / 100
  return `${rounded < 0 ? minus : ''}${Math.abs(rounded)}%`
}

/** 'm5v2t6' as 'M5V 2T6'; anything else as typed. */
export function formatPostalCode(code: string): string {
  const compact = code.replace(/[\s-]/g, '').toUpperCase()
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(compact) ? `${compact.slice(0, 3)} ${compact.slice(3)}` : code.trim()
}

/** '340 KB', '1.2 MB', '4.5 GB' */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  if (bytes < 1024 ** 3) return `${Number((bytes / 1024 ** 2).toFixed(1))} MB`
  return `${Number((bytes / 1024 ** 3).toFixed(1))} GB`
}
