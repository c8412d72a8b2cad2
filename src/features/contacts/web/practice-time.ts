import { TZDate } from '@date-fns/tz'
import { addDays, addMonths, format, parseISO } from 'date-fns'

/** A moment as it is typed: a calendar day, 'yyyy-MM-dd', and a time of day, 'HH:mm', on the practice's clock. */
export interface LocalMoment {
  day: string
  time: string
}

/** The instant of a moment on the practice's clock, as ISO 8601. A time that the clocks skip in spring is taken an hour later. */
export function toInstant({ day, time }: LocalMoment, timeZone: string): string {
  const [year, month, date] = day.split('-').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  return new Date(new TZDate(year ?? 0, (month ?? 1) - 1, date ?? 1, hours ?? 0, minutes ?? 0, timeZone).getTime()).toISOString()
}

/** What the practice's clock and calendar say at an instant. */
export function toLocal(instant: string, timeZone: string): LocalMoment {
  const date = new TZDate(Date.parse(instant), timeZone)
  return { day: format(date, 'yyyy-MM-dd'), time: format(date, 'HH:mm') }
}

export const daysLater = (day: string, days: number): string => format(addDays(parseISO(day), days), 'yyyy-MM-dd')

export const monthsLater = (day: string, months: number): string => format(addMonths(parseISO(day), months), 'yyyy-MM-dd')
