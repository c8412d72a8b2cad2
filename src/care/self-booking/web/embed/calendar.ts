/** Calendar arithmetic on days ('2026-12-03') and months ('2026-12'), without time zones. */

const parse = (day: string): Date => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

export const monthOf = (day: string): string => day.slice(0, 7)
export const addDays = (day: string, count: number): string => {
  const date = parse(day)
  date.setUTCDate(date.getUTCDate() + count)
  return dayOf(date)
}
export const addMonths = (month: string, count: number): string => {
  const date = parse(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + count)
  return monthOf(dayOf(date))
}

/** The days of a month in order. */
export function daysOf(month: string): string[] {
  const days: string[] = []
  for (let day = `${month}-01`; monthOf(day) === month; day = addDays(day, 1)) days.push(day)
  return days
}

/** The weeks of a month that are not over, Sunday first; null where a week has days of another month. */
export function weeksOf(month: string, today: string): (string | null)[][] {
  const days = daysOf(month)
  const padded = [...Array.from({ length: parse(days[0]!).getUTCDay() }, () => null), ...days]
  const weeks = Array.from({ length: Math.ceil(padded.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, column) => padded[week * 7 + column] ?? null),
  )
  return weeks.filter((week) => week.some((day) => day !== null && day >= today))
}

/** The day of an instant in a time zone. */
export const dayIn = (at: Date | string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(at))

/** The hour of an instant in a time zone, 0 to 23. */
export const hourIn = (at: string, timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en-CA', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(new Date(at)))
