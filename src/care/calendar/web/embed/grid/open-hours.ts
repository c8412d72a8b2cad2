import { type DayHours, weekdayOf } from '../../../../../platform/practice/rules.ts'

/** Business hours for FullCalendar, where Sunday is 0. In the column view, `day`'s hours apply to every column. */
export function businessHours(hours: readonly DayHours[], day: string | null) {
  const everyDay = [0, 1, 2, 3, 4, 5, 6]
  const wanted = day === null ? hours : hours.filter(({ weekday }) => weekday === weekdayOf(day))
  const open = wanted.map(({ weekday, opens, closes }) => ({
    daysOfWeek: day === null ? [weekday % 7] : everyDay,
    startTime: opens,
    endTime: closes,
  }))
  // An empty list would mean no business hours are set, so use a period of no length.
  return open.length > 0 ? open : [{ daysOfWeek: [], startTime: '00:00', endTime: '00:00' }]
}

/** 40 minutes before the earliest opening or booking, so that its hour label is visible. `times`: 'HH:mm', starts of bookings. */
export function scrollTime(hours: readonly DayHours[], times: readonly string[]): { minutes: number } {
  const opens = [...times, ...hours.map((day) => day.opens), ...(hours.length > 0 ? [] : ['08:00'])].toSorted()[0]!
  const [hour, minute] = opens.split(':').map(Number)
  return { minutes: Math.max(0, hour! * 60 + minute! - 40) }
}
