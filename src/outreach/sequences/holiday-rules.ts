/*
 * Ontario's public holidays (Employment Standards Act, 2000, s. 1). Pure: a year goes in.
 */

const iso = (year: number, month: number, day: number): string => new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
/** 0 (Sunday) to 6. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
const later = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const monday = 1

/** The first, second, third … Monday of a month. */
function nthMonday(year: number, month: number, nth: number): string {
  const first = iso(year, month, 1)
  return later(first, ((monday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1))
}

/** Easter Sunday, by the Gregorian computus of Meeus, Jones and Butcher. */
function easter(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e, f] = [Math.floor(b / 4), b % 4, Math.floor((b + 8) / 25)]
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return iso(year, month, ((h + l - 7 * m + 114) % 31) + 1)
}

/** Ontario's nine public holidays of a year, in order. */
export function ontarioHolidays(year: number): { day: string; name: string }[] {
  // The Monday before May 25.
  const may24 = iso(year, 5, 24)
  const victoria = later(may24, -((weekdayOf(may24) - monday + 7) % 7))
  return [
    { day: iso(year, 1, 1), name: 'New Year’s Day' },
    { day: nthMonday(year, 2, 3), name: 'Family Day' },
    { day: later(easter(year), -2), name: 'Good Friday' },
    { day: victoria, name: 'Victoria Day' },
    { day: iso(year, 7, 1), name: 'Canada Day' },
    { day: nthMonday(year, 9, 1), name: 'Labour Day' },
    { day: nthMonday(year, 10, 2), name: 'Thanksgiving Day' },
    { day: iso(year, 12, 25), name: 'Christmas Day' },
    { day: iso(year, 12, 26), name: 'Boxing Day' },
  ]
}

export interface ClosedDay {
  day: string
  name: string
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && later(text, 0) === text

/** At most so many days, as in the contract. */
export const maxClosedDays = 400

/** Pasted lines such as '2026-12-24 Christmas Eve' as days; a line without a name is 'Closed'. `wrong`: the first line that is none. */
export function readClosedDays(text: string): { days: ClosedDay[] } | { wrong: string } {
  const days: ClosedDay[] = []
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === '') continue
    const [, day = '', name = ''] = /^(\S+?)[\s,;]*(?:\s(.*))?$/.exec(line) ?? []
    if (!isDay(day)) return { wrong: line.slice(0, 60) }
    days.push({
      day,
      name:
        name
          .replace(/^[\s,;]+/, '')
          .slice(0, 100)
          .trim() || 'Closed',
    })
  }
  return { days }
}

/** Both lists as one, by day; of a day that is in both, the first list's name stays. */
export function withDays(known: readonly ClosedDay[], added: readonly ClosedDay[]): ClosedDay[] {
  const byDay = new Map([...added, ...known].map((one) => [one.day, one]))
  return [...byDay.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
