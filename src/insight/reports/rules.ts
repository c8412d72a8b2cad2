import { daysLater, monthsLater } from '../../shared/zoned-time.ts'

/** Named periods; `custom` has its own days. */
export const periodNames = [
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-12-months',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
  'custom',
] as const
export type PeriodName = (typeof periodNames)[number]

/** Calendar days of the practice, inclusive. */
export interface DayRange {
  from: string
  to: string
}

/** Maximum days of a report: just over ten years. */
export const maxDays = 3_700

const monthOf = (day: string): string => `${day.slice(0, 8)}01`
const quarterOf = (day: string): string =>
  `${day.slice(0, 5)}${String(Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
const yearOf = (day: string): string => `${day.slice(0, 5)}01-01`

/** Inclusive number of days. */
export const lengthOf = ({ from, to }: DayRange): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1

interface Compared {
  now: DayRange
  before: DayRange
}

/**
 * The days of a period and of its comparison. A period in progress is compared with the same part of the previous one; a whole month,
 * quarter or year with the whole previous one, whatever its length; anything else with as many days right before it.
 */
export function comparedPeriods(name: PeriodName, today: string, custom: DayRange | null): Compared {
  switch (name) {
    case 'last-7-days':
      return lastDays(7, today)
    case 'last-30-days':
      return lastDays(30, today)
    case 'last-90-days':
      return lastDays(90, today)
    case 'last-12-months': {
      const first = monthsLater(daysLater(today, 1), -12)
      return { now: { from: first, to: today }, before: { from: monthsLater(daysLater(today, 1), -24), to: daysLater(first, -1) } }
    }
    case 'this-month':
      return underWay(monthOf(today), 1, today)
    case 'this-quarter':
      return underWay(quarterOf(today), 3, today)
    case 'this-year':
      return underWay(yearOf(today), 12, today)
    case 'last-month':
      return whole(monthOf(today), 1)
    case 'last-quarter':
      return whole(quarterOf(today), 3)
    case 'last-year':
      return whole(yearOf(today), 12)
    case 'custom':
      return custom ? withBefore(custom) : lastDays(30, today)
  }
}

const withBefore = (now: DayRange): Compared => ({
  now,
  before: { from: daysLater(now.from, -lengthOf(now)), to: daysLater(now.from, -1) },
})

const lastDays = (days: number, today: string): Compared => withBefore({ from: daysLater(today, 1 - days), to: today })

/** `months` long and in progress: compared with the same days of the previous one, which may have fewer. */
function underWay(first: string, months: number, today: string): Compared {
  const before = monthsLater(first, -months)
  const [sameDay, lastDay] = [monthsLater(today, -months), daysLater(first, -1)]
  return { now: { from: first, to: today }, before: { from: before, to: sameDay < lastDay ? sameDay : lastDay } }
}

/** The period of `months` that ended before `first`. */
function whole(first: string, months: number): Compared {
  const from = monthsLater(first, -months)
  return { now: { from, to: daysLater(first, -1) }, before: { from: monthsLater(first, -2 * months), to: daysLater(from, -1) } }
}

export const steps = ['day', 'week', 'month', 'quarter'] as const
export type Step = (typeof steps)[number]

/** Time steps of a chart: as many columns as can be told apart. */
export function stepOf(range: DayRange): Step {
  const days = lengthOf(range)
  return days <= 31 ? 'day' : days <= 26 * 7 ? 'week' : 'month'
}

/** The steps of a breakdown over time. */
export const stepFor = (time: 'fitting' | 'month' | 'quarter', range: DayRange): Step => (time === 'fitting' ? stepOf(range) : time)

/** First days of the steps a period touches, in order; the first is the period's own. Weeks start on Monday. */
export function stepsOf({ from, to }: DayRange, step: Step): string[] {
  const begins = [from]
  for (let next = nextStep(from, step); next <= to; next = nextStep(next, step)) begins.push(next)
  return begins
}

function nextStep(day: string, step: Step): string {
  if (step === 'day') return daysLater(day, 1)
  if (step === 'month') return monthsLater(monthOf(day), 1)
  if (step === 'quarter') return monthsLater(quarterOf(day), 3)
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return daysLater(day, 7 - weekday)
}
