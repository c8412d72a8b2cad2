import { daysLater, instantOf, toLocal } from '../../shared/zoned-time.ts'
import type { Definition, PlainStep } from './definition-contract.ts'
import { week } from '../../shared/durations.ts'

/** Which days do not count as working days: weekdays (1 to 7) and dates on which the practice is closed. */
export interface Calendar {
  timeZone: string
  closedWeekdays: ReadonlySet<number>
  closedDays: ReadonlySet<string>
}

/** The anchors of a patient in a sequence. */
export interface Anchors {
  startedAt: Date
  /** When the appointment or surgery that started it begins; null: none, or it no longer takes place. */
  eventAt: Date | null
}

const minute = 60_000

/** How many days ahead a working day is looked for. */
const maxAhead = 400

/**
 * When a wait that began at a moment is over. Days are calendar days in the practice's time zone, at the same time of day or at the one that is
 * stated, also where the clock changes in between.
 */
export function endOfWait(wait: Extract<PlainStep, { kind: 'wait' }>, began: Date, calendar: Calendar): Date {
  if (wait.unit !== 'days') return new Date(began.getTime() + wait.amount * (wait.unit === 'hours' ? 60 : 1) * minute)
  const local = toLocal(began, calendar.timeZone)
  const day = wait.working ? workingDaysLater(local.day, wait.amount, calendar) : daysLater(local.day, wait.amount)
  if (wait.at === null) return day === local.day ? began : withMinutesOf(began, day, calendar)
  const end = instantOf({ day, time: wait.at }, calendar.timeZone)
  if (end > began) return end
  const next = wait.working ? workingDaysLater(day, 1, calendar) : daysLater(day, 1)
  return instantOf({ day: next, time: wait.at }, calendar.timeZone)
}

/** The same time on another day, seconds included. */
function withMinutesOf(began: Date, day: string, { timeZone }: Calendar): Date {
  const rest = began.getTime() % minute
  return new Date(instantOf({ day, time: toLocal(began, timeZone).time }, timeZone).getTime() + rest)
}

/** The day after so many days on which the practice is open; none: this day, or the first open one after it. */
function workingDaysLater(day: string, amount: number, calendar: Calendar): string {
  let at = day
  for (let ahead = 0; isClosed(at, calendar) && ahead < maxAhead; ahead++) at = daysLater(at, 1)
  for (let left = amount, ahead = 0; left > 0 && ahead < maxAhead; ahead++) {
    at = daysLater(at, 1)
    if (!isClosed(at, calendar)) left--
  }
  return at
}

function isClosed(day: string, { closedWeekdays, closedDays }: Calendar): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  return closedDays.has(day) || closedWeekdays.has(weekday)
}

/** When a step that waits for a day is over; null: never, since there is no appointment or surgery. */
export function endOfUntil(
  until: Extract<PlainStep, { kind: 'until' }>,
  { startedAt, eventAt }: Anchors,
  { timeZone }: Calendar,
): Date | null {
  const anchor = until.from === 'start' ? startedAt : eventAt
  if (!anchor) return null
  return instantOf({ day: daysLater(toLocal(anchor, timeZone).day, until.days), time: until.at }, timeZone)
}

/** The first moment from this one on that is within the hours, on the clock of a time zone. */
export function withinHours(at: Date, { from, to }: Definition['hours'], timeZone: string): Date {
  const { day, time } = toLocal(at, timeZone)
  if (time >= from && time < to) return at
  return instantOf({ day: time < from ? day : daysLater(day, 1), time: from }, timeZone)
}

/** When the patient may get another automatic message: at most so many in seven days. */
export function underCap(at: Date, sent: readonly Date[], perWeek: number): Date {
  const recent = sent
    .map((one) => one.getTime())
    .filter((one) => one > at.getTime() - week && one <= at.getTime())
    .toSorted((a, b) => a - b)
  if (recent.length < perWeek) return at
  return new Date(recent[recent.length - perWeek]! + week)
}
