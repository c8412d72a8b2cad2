import { TZDate } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'

/** A moment as it is typed: a calendar day, 'yyyy-MM-dd', and a time of day, 'HH:mm', on the clock of a time zone. */
export interface LocalMoment {
  day: string
  time: string
}

/**
 * The instant of a moment on a time zone's clock. A time that the clocks skip in spring is taken an hour later; of one that they show twice in
 * autumn the first is taken.
 */
export function instantOf({ day, time }: LocalMoment, timeZone: string): Date {
  const [year, month, date] = day.split('-').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  return new Date(new TZDate(year ?? 0, (month ?? 1) - 1, date ?? 1, hours ?? 0, minutes ?? 0, timeZone).getTime())
}

/** The same, as ISO 8601. */
export const toInstant = (moment: LocalMoment, timeZone: string): string => instantOf(moment, timeZone).toISOString()

/** What a time zone's clock and calendar say at an instant. */
export function toLocal(instant: Date | string, timeZone: string): LocalMoment {
  const date = new TZDate(new Date(instant).getTime(), timeZone)
  return { day: format(date, 'yyyy-MM-dd'), time: format(date, 'HH:mm') }
}

/** The calendar day at an instant, in a time zone. */
export const dayAt = (instant: Date, timeZone: string): string => toLocal(instant, timeZone).day

/** The instant at which a day begins in a time zone: on the day of a change of clocks, too. */
export const beginningOf = (day: string, timeZone: string): Date => instantOf({ day, time: '00:00' }, timeZone)

export const daysLater = (day: string, days: number): string => format(addDays(parseISO(day), days), 'yyyy-MM-dd')

export const monthsLater = (day: string, months: number): string => format(addMonths(parseISO(day), months), 'yyyy-MM-dd')
