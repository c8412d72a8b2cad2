import { TZDate } from '@date-fns/tz'
import { addDays } from 'date-fns/addDays'
import { addMonths } from 'date-fns/addMonths'
import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'

/** A local date and time as typed: 'yyyy-MM-dd' and 'HH:mm' in a time zone. */
export interface LocalMoment {
  day: string
  time: string
}

/**
 * The instant of a local time in a time zone. A time skipped by daylight saving in spring becomes an hour later; of a time that occurs twice in
 * autumn, the first is used.
 */
export function instantOf({ day, time }: LocalMoment, timeZone: string): Date {
  const [year, month, date] = day.split('-').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  return new Date(new TZDate(year ?? 0, (month ?? 1) - 1, date ?? 1, hours ?? 0, minutes ?? 0, timeZone).getTime())
}

/** The same, as ISO 8601. */
export const toInstant = (moment: LocalMoment, timeZone: string): string => instantOf(moment, timeZone).toISOString()

/** The local date and time at an instant. */
export function toLocal(instant: Date | string, timeZone: string): LocalMoment {
  const date = new TZDate(new Date(instant).getTime(), timeZone)
  return { day: format(date, 'yyyy-MM-dd'), time: format(date, 'HH:mm') }
}

/** The calendar day at an instant, in a time zone. */
export const dayAt = (instant: Date, timeZone: string): string => toLocal(instant, timeZone).day

/** The instant at which a day begins in a time zone, including days with a clock change. */
export const beginningOf = (day: string, timeZone: string): Date => instantOf({ day, time: '00:00' }, timeZone)

export const daysLater = (day: string, days: number): string => format(addDays(parseISO(day), days), 'yyyy-MM-dd')

export const monthsLater = (day: string, months: number): string => format(addMonths(parseISO(day), months), 'yyyy-MM-dd')
