import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { type Days, type Period, readDays } from '../filter.ts'

/** The range of calendar days in the practice's time zone, both ends included; null is an open end. */
export function daysOf(value: Period | 'overdue' | (string & {}), today: string): Days {
  const day = (by: number, from: Date = parseISO(today)) => format(addDays(from, by), 'yyyy-MM-dd')
  const from = (first: number, last: number): Days => ({ from: day(first), to: day(last) })
  const week = (by: number): Days => {
    const monday = startOfWeek(parseISO(today), { weekStartsOn: 1 })
    return { from: day(7 * by, monday), to: day(7 * by + 6, monday) }
  }
  const month = (by: number): Days => {
    const first = addMonths(startOfMonth(parseISO(today)), by)
    return { from: day(0, first), to: day(-1, addMonths(first, 1)) }
  }
  switch (value) {
    // A follow-up is for a day: it is overdue from the next day on.
    case 'overdue':
      return { from: null, to: day(-1) }
    case 'today':
      return from(0, 0)
    case 'yesterday':
      return from(-1, -1)
    case 'tomorrow':
      return from(1, 1)
    case 'this-week':
      return week(0)
    case 'last-week':
      return week(-1)
    case 'next-week':
      return week(1)
    case 'this-month':
      return month(0)
    case 'last-month':
      return month(-1)
    case 'next-month':
      return month(1)
    case 'last-7-days':
      return from(-6, 0)
    case 'last-30-days':
      return from(-29, 0)
    case 'last-90-days':
      return from(-89, 0)
    case 'next-7-days':
      return from(0, 6)
    case 'next-30-days':
      return from(0, 29)
    default:
      return readDays(value) ?? { from: null, to: null }
  }
}
