import { type DayHours, weekdayOf } from '../../../../platform/practice/rules.ts'

/** As the calendar takes them: Sunday is 0. On a day in columns, that day's in each of them. */
export function businessHours(hours: readonly DayHours[], day: string | null) {
  const everyDay = [0, 1, 2, 3, 4, 5, 6]
  const wanted = day === null ? hours : hours.filter(({ weekday }) => weekday === weekdayOf(day))
  const open = wanted.map(({ weekday, opens, closes }) => ({
    daysOfWeek: day === null ? [weekday % 7] : everyDay,
    startTime: opens,
    endTime: closes,
  }))
  // None at all would mean that it does not matter.
  return open.length > 0 ? open : [{ daysOfWeek: [], startTime: '00:00', endTime: '00:00' }]
}

/** A little before the earliest day begins, or what is booked before that, so that its hour can be read. `times`: 'HH:mm', of what is booked. */
export function scrollTime(hours: readonly DayHours[], times: readonly string[]): { minutes: number } {
  const opens = [...times, ...hours.map((day) => day.opens), ...(hours.length > 0 ? [] : ['08:00'])].toSorted()[0]!
  const [hour, minute] = opens.split(':').map(Number)
  return { minutes: Math.max(0, hour! * 60 + minute! - 40) }
}
