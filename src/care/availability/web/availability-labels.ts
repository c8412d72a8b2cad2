import type { Person } from '../../../platform/auth/people-contract.ts'
import { weekdays } from '../../../platform/practice/web/embed/labels.ts'
import { formatDay, formatMoney, formatTimeOfDay } from '../../../ui/format.ts'
import type { PatientKind } from '../rules.ts'
import type { DepositKind } from '../terms-rules.ts'
import type { ExceptionData, VisitTypeData, WeeklySpanData } from './embed/useAvailability.ts'

export const patientLabels: Record<PatientKind, string> = {
  all: 'All patients',
  new: 'New patients',
  known: 'Known patients',
}

export const depositLabels: Record<DepositKind, string> = {
  none: 'None',
  amount: 'Fixed amount',
  percent: 'Percentage of the price',
  card: 'Card on file only',
}

/** '$75.00 deposit', '50% deposit', 'card on file'; empty where patients leave nothing. */
export function formatDeposit({ isOnline, depositKind, depositCents, depositPercent }: VisitTypeData): string {
  if (!isOnline || depositKind === 'none') return ''
  if (depositKind === 'card') return 'card on file'
  return `${depositKind === 'amount' ? formatMoney(depositCents ?? 0) : `${depositPercent}%`} deposit`
}

/** 'Dr. Okafor', 'Dr. Okafor and 2 others' */
export function formatPeople(ids: readonly string[], people: readonly Person[]): string {
  const names = ids.map((id) => people.find((one) => one.id === id)?.fullName ?? 'Former staff')
  if (names.length <= 2) return names.join(' and ')
  return `${names[0]} and ${names.length - 1} others`
}

const formatTimes = (opens: string, closes: string): string => `${formatTimeOfDay(opens)} to ${formatTimeOfDay(closes)}`

/** Hours with the same dates, in order of days. */
export interface HoursPeriod {
  fromDay: string | null
  toDay: string | null
  spans: WeeklySpanData[]
}

/** The hours of a person by the dates that they apply to, those without dates first. */
export function periodsOf(weekly: readonly WeeklySpanData[]): HoursPeriod[] {
  const groups = Map.groupBy(weekly, ({ fromDay, toDay }) => `${fromDay ?? ''} ${toDay ?? ''}`)
  return [...groups.values()]
    .map((spans) => ({ fromDay: spans[0]!.fromDay, toDay: spans[0]!.toDay, spans }))
    .toSorted((a, b) => (a.fromDay ?? a.toDay ?? '').localeCompare(b.fromDay ?? b.toDay ?? ''))
}

/** 'Regular hours', 'Jan 4, 2027 to Feb 26, 2027', 'From Jan 4, 2027', 'Until Feb 26, 2027' */
export function formatPeriod({ fromDay, toDay }: Pick<HoursPeriod, 'fromDay' | 'toDay'>): string {
  if (fromDay === null) return toDay === null ? 'Regular hours' : `Until ${formatDay(toDay)}`
  if (toDay === null) return `From ${formatDay(fromDay)}`
  return fromDay === toDay ? formatDay(fromDay) : `${formatDay(fromDay)} to ${formatDay(toDay)}`
}

/** The hours of each weekday that has any: 'Monday', '9:00 a.m. to 12:00 p.m., 1:00 p.m. to 5:00 p.m.' */
export const weekdayLines = ({ spans }: HoursPeriod, locationName: (id: string | null) => string | null) =>
  weekdays.flatMap((name, index) => {
    const today = spans.filter(({ weekday }) => weekday === index + 1).toSorted((a, b) => a.opens.localeCompare(b.opens))
    if (today.length === 0) return []
    const times = today.map(({ opens, closes, locationId }) => {
      const place = locationName(locationId)
      return `${formatTimes(opens, closes)}${place ? ` (${place})` : ''}`
    })
    return [{ name, hours: times.join(', ') }]
  })

/** 'Dec 24, 2026 to Jan 2, 2027', 'Dec 24, 2026, 1:00 p.m. to 5:00 p.m.' */
export const formatException = ({ fromDay, toDay, opens, closes }: ExceptionData): string =>
  `${formatPeriod({ fromDay, toDay })}${opens !== null && closes !== null ? `, ${formatTimes(opens, closes)}` : ''}`
