import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { startOfMonth } from 'date-fns/startOfMonth'
import { startOfWeek } from 'date-fns/startOfWeek'
import { daysLater, monthsLater } from '../../../../shared/zoned-time.ts'
import type { View } from './calendar-search.ts'

const toIsoDay = (date: Date): string => format(date, 'yyyy-MM-dd')
const mondayOf = (day: string): string => toIsoDay(startOfWeek(parseISO(day), { weekStartsOn: 1 }))

/** Days in the list view. */
const listDays = 14

/** The first visible day and the day after the last one. A month includes all of its weeks. */
export function daysShown(view: View, day: string): { from: string; to: string } {
  switch (view) {
    case 'month': {
      const from = mondayOf(toIsoDay(startOfMonth(parseISO(day))))
      const last = daysLater(monthsLater(`${day.slice(0, 8)}01`, 1), -1)
      return { from, to: daysLater(mondayOf(last), 7) }
    }
    case 'week':
      return { from: mondayOf(day), to: daysLater(mondayOf(day), 7) }
    case 'day':
      return { from: day, to: daysLater(day, 1) }
    case 'list':
      return { from: day, to: daysLater(day, listDays) }
  }
}

/** The same for an export, where the last day is inclusive. */
export function daysToExport(view: View, day: string): { from: string; to: string } {
  const { from, to } = daysShown(view, day)
  return { from, to: daysLater(to, -1) }
}

/** A day in the next (1) or previous (-1) period. */
export function stepFrom(view: View, day: string, by: 1 | -1): string {
  switch (view) {
    case 'month':
      return monthsLater(`${day.slice(0, 8)}01`, by)
    case 'week':
      return daysLater(mondayOf(day), 7 * by)
    case 'day':
      return daysLater(day, by)
    case 'list':
      return daysLater(day, listDays * by)
  }
}

/** 'November 2026', 'Nov 16 – 22, 2026', 'Nov 30 – Dec 6, 2026', 'Sunday, Nov 22, 2026' */
export function titleOf(view: View, day: string): string {
  if (view === 'month') return format(parseISO(day), 'MMMM yyyy')
  if (view === 'day') return format(parseISO(day), 'EEEE, MMM d, yyyy')
  const shown = daysShown(view, day)
  const [from, to] = [parseISO(shown.from), parseISO(daysLater(shown.to, -1))]
  const sameYear = from.getFullYear() === to.getFullYear()
  const sameMonth = sameYear && from.getMonth() === to.getMonth()
  return `${format(from, sameYear ? 'MMM d' : 'MMM d, yyyy')} – ${format(to, sameMonth ? 'd, yyyy' : 'MMM d, yyyy')}`
}

/** Whether the period of `day` includes the wanted day. */
export function showsDay(view: View, day: string, wanted: string): boolean {
  if (view === 'month') return day.slice(0, 7) === wanted.slice(0, 7)
  if (view === 'list') return day === wanted
  const { from, to } = daysShown(view, day)
  return from <= wanted && wanted < to
}
