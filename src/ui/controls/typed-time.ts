import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { daysLater, monthsLater } from '../../shared/zoned-time.ts'
import { formatDay } from '../format.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fullMonths = months.map((_, index) => format(new Date(2000, index, 1), 'MMMM').toLowerCase())
const fullWeekdays = weekdays.map((_, index) => format(new Date(2000, 0, 2 + index), 'EEEE').toLowerCase())

/** Index of a name typed in full or by at least three letters; -1 if none. */
const placeOf = (word: string, names: readonly string[]): number =>
  word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word) || (name === 'september' && word === 'sept'))

/** Null for an impossible day, such as February 30. */
function dayOf(year: number, month: number, date: number): string | null {
  const day = new Date(year, month - 1, date)
  if (year < 1900 || year > 2199 || day.getMonth() !== month - 1 || day.getDate() !== date) return null
  return format(day, 'yyyy-MM-dd')
}

const fullYear = (typed: string): number => Number(typed) + (typed.length === 2 ? 2000 : 0)

interface DayContext {
  /** 'yyyy-MM-dd' */
  today: string
  /** Reference day for dates without a year: the field's value; today by default. */
  near?: string
  /** Dates without a year fall within these bounds if possible. */
  min?: string
  max?: string
}

/**
 * Parses a typed date to 'yyyy-MM-dd': 'nov 26', '26 November 2026', '26/11', '2026-11-26', 'tomorrow', 'fri', '+10', 'in 2 weeks'. Two
 * numbers are month and day in the order of the practice's format, unless only the other order is a date. Null if it is not a date.
 */
export function parseDay(typed: string, context: DayContext): string | null {
  const { today } = context
  const text = typed
    .toLowerCase()
    .replace(/[,.]/g, ' ')
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1')
    .trim()
    .replace(/\s+/g, ' ')
  if (text === 'today' || text === 'now') return today
  if (['tomorrow', 'tmr', 'tmrw', 'tom'].includes(text)) return daysLater(today, 1)
  if (text === 'yesterday') return daysLater(today, -1)

  const ahead = /^(?:\+|in )\s?(\d{1,3})\s?(d|days?|w|wks?|weeks?|m|mo|months?)?$/.exec(text)
  if (ahead) {
    const count = Number(ahead[1])
    const unit = ahead[2]?.[0] ?? 'd'
    return unit === 'm' ? monthsLater(today, count) : daysLater(today, count * (unit === 'w' ? 7 : 1))
  }

  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? /^(\d{4})[-/ ](\d{1,2})[-/ ](\d{1,2})$/.exec(text)
  if (compact) return dayOf(Number(compact[1]), Number(compact[2]), Number(compact[3]))

  const weekday = /^(?:next )?([a-z]+)$/.exec(text)
  const wanted = weekday ? placeOf(weekday[1]!, fullWeekdays) : -1
  if (wanted >= 0) return daysLater(today, ((wanted - parseISO(today).getDay() + 6) % 7) + 1)

  const numbers = /^(\d{1,2})[-/ ](\d{1,2})(?:[-/ ](\d{4}|\d\d))?$/.exec(text)
  if (numbers) {
    const [one, other, year] = [Number(numbers[1]), Number(numbers[2]), numbers[3]]
    return withYear(one, other, year, context) ?? withYear(other, one, year, context)
  }

  // A weekday before the date adds no information.
  const words = /^(?:([a-z]+) )?(?:([a-z]+) ?(\d{1,2})|(\d{1,2})[- ]?([a-z]+))(?:[- ](\d{4}|\d\d))?$/.exec(text)
  if (!words) return null
  if (words[1] && placeOf(words[1], fullWeekdays) < 0) return null
  const month = placeOf((words[2] ?? words[5])!, fullMonths)
  return month < 0 ? null : withYear(month + 1, Number(words[3] ?? words[4]), words[6], context)
}

/** Without a year: the nearest such day, within the bounds if possible. */
function withYear(month: number, date: number, year: string | undefined, { today, near = today, min, max }: DayContext): string | null {
  if (year) return dayOf(fullYear(year), month, date)
  const around = Number(near.slice(0, 4))
  // A leap day may be up to eight years away.
  const days = Array.from({ length: 17 }, (_, index) => dayOf(around - 8 + index, month, date)).filter((day) => day !== null)
  const within = days.filter((day) => (!min || day >= min) && (!max || day <= max))
  const distance = (day: string) => Math.abs(differenceInCalendarDays(parseISO(day), parseISO(near)))
  return (within.length > 0 ? within : days).toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

/** Text of a date field: 'Thu, Nov 26', or 'Nov 26, 2025' in another year. */
export function formatTypedDay(day: string, today: string): string {
  return day.slice(0, 4) === today.slice(0, 4) ? format(parseISO(day), 'EEE, MMM d') : formatDay(day)
}

/**
 * Parses a typed time to 'HH:mm': '3pm', '3:30 p.m.', '15:00', '1030', 'noon'. A single digit from 1 to 6 without a.m. is in the
 * afternoon: no one comes at 3 in the morning. Null if it is not a time.
 */
export function parseTime(typed: string): string | null {
  const text = typed.toLowerCase().replace(/\s/g, '')
  if (text === 'noon') return '12:00'
  if (text === 'midnight') return '00:00'
  const parts = /^(\d{1,2})(?:[:.h](\d\d)|h)?(?:([ap])\.?(?:m\.?)?)?$/.exec(text) ?? /^(\d{1,2})(\d\d)(?:([ap])\.?(?:m\.?)?)?$/.exec(text)
  if (!parts) return null
  const [hour, minute, half] = [Number(parts[1]), Number(parts[2] ?? 0), parts[3]]
  if (minute > 59 || hour > 23 || (half && (hour === 0 || hour > 12))) return null
  const isAfternoon = half ? half === 'p' : parts[1]!.length === 1 && hour >= 1 && hour <= 6
  const hours = half || isAfternoon ? (hour % 12) + (isAfternoon ? 12 : 0) : hour
  return `${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
