import { TZDate } from '@date-fns/tz'
import type { DateOrder } from '../contract.ts'

const yes = new Set(['yes', 'y', 'true', 't', '1', 'x', 'on', 'opted in', 'opt in', 'subscribed', 'oui', 'checked'])
const no = new Set(['no', 'n', 'false', 'f', '0', 'off', 'opted out', 'opt out', 'unsubscribed', 'non', 'unchecked'])

/** Undefined if it is neither yes nor no. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

/** A cell may have a million characters. Dates and amounts are never longer than this, and the patterns below are slow for long texts. */
const maxLength = 100

/**
 * Parses an amount in any common notation ('$1,234.50', '1 234,50 $', 'CAD 1234', '1.234,50') to cents. Undefined if it is not an amount or
 * is ambiguous ('1.234'). Digits are joined as text, so that money is never a float.
 */
export function readCents(text: string): number | undefined {
  if (text.length > maxLength) return undefined
  const typed = text.replace(/^(CA?D?|US)?\s*[$€£]\s*|^(CAD|USD|EUR|GBP)\s+|\s*([$€£]|CAD|USD|EUR|GBP)$/gi, '')
  const match =
    /^(\d{1,12}|\d{1,3}(?:[, \u00a0\u202f]\d{3})+)(?:\.(\d{1,2}))?$/.exec(typed) ??
    /^(\d{1,12}|\d{1,3}(?:[. \u00a0\u202f]\d{3})+),(\d{1,2})$/.exec(typed)
  if (!match) return undefined
  return Number(`${match[1]!.replace(/\D/g, '')}${(match[2] ?? '').padEnd(2, '0')}`)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const parseMonth = (name: string) => months.indexOf(name.slice(0, 3).toLowerCase()) + 1
/** Two-digit years are read as at most this year, which covers surgery and follow-up dates. */
const latestYear = 2069
function fullYear(year: string, latest: number): number {
  if (year.length === 4) return Number(year)
  const thisCentury = 2000 + Number(year)
  return thisCentury > latest ? thisCentury - 100 : thisCentury
}

type Day = { year: number; month: number; day: number; rest: string }

function readDayParts(text: string, order: DateOrder, latest = latestYear): Day | undefined {
  if (text.length > maxLength) return undefined
  const iso = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/.exec(text)
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), rest: text.slice(iso[0].length) }
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/.exec(text)
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])]
    const [month, day] = order === 'mdy' ? [first, second] : [second, first]
    return { year: fullYear(numbers[3]!, latest), month, day, rest: text.slice(numbers[0].length) }
  }
  const weekday = /^[A-Za-z]{3,9},\s*/.exec(text)?.[0] ?? ''
  const named = text.slice(weekday.length)
  const monthFirst = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/.exec(named)
  if (monthFirst)
    return {
      year: Number(monthFirst[3]),
      month: parseMonth(monthFirst[1]!),
      day: Number(monthFirst[2]),
      rest: named.slice(monthFirst[0].length),
    }
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([A-Za-z]{3,9})\.?,?[\s-]+(\d{4})(?!\d)/.exec(named)
  if (dayFirst)
    return { year: Number(dayFirst[3]), month: parseMonth(dayFirst[2]!), day: Number(dayFirst[1]), rest: named.slice(dayFirst[0].length) }
  return undefined
}

/** Whether the day exists, between 1900 and 2200. */
function isValidDay({ year, month, day }: Day): boolean {
  if (year < 1900 || year > 2200 || month < 1) return false
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const padTwo = (value: number) => String(value).padStart(2, '0')

/**
 * Parses a calendar day in any common notation to YYYY-MM-DD and ignores a time after it. Undefined if it is not a day. `latest` is the
 * latest year that a two-digit year can mean.
 */
export function readDay(text: string, order: DateOrder, latest = latestYear): string | undefined {
  const day = readDayParts(text, order, latest)
  if (!day || !isValidDay(day)) return undefined
  if (day.rest !== '' && !/^[T,\s]/.test(day.rest)) return undefined
  return `${day.year}-${padTwo(day.month)}-${padTwo(day.day)}`
}

/** Parses a time of day ('14:30', '2:30 PM', '2:30:00 p.m.', '2 pm') to HH:MM. Undefined if it is not a time. */
export function readTime(text: string): string | undefined {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?m\.?)?$/i.exec(text)
  if (!match || (match[2] === undefined && match[3] === undefined)) return undefined
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)]
  const half = match[3]?.[0]?.toLowerCase()
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return undefined
  return `${padTwo(half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour)}:${padTwo(minute)}`
}

/** The time for a day without one, as in the form. */
const defaultTime = '09:00'

const midnight = /[T\s]+0?0:00(?::00(?:\.0+)?)?\s*(?:Z|UTC|[+-]00:?00)?$/i

/** Removes midnight, because software often writes a day without a time as midnight, usually in UTC. */
export const withoutMidnight = (text: string): string => (text.length > maxLength ? text : text.replace(midnight, ''))

/** Parses a day with an optional time, in the practice's time zone unless it has its own offset. Undefined if it is not valid. */
export function readInstant(text: string, order: DateOrder, timeZone: string): Date | undefined {
  const parts = readDayParts(text, order)
  if (!parts || !isValidDay(parts)) return undefined
  const rest = parts.rest.replace(/^(T|,?\s+)/, '')
  const offset = /\s*(Z|UTC|[+-]\d{2}:?\d{2})$/i.exec(rest)
  const time = rest === '' ? defaultTime : readTime(offset ? rest.slice(0, offset.index) : rest)
  if (!time) return undefined
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  if (offset) {
    const zone = /^(Z|UTC)$/i.test(offset[1]!) ? 'Z' : offset[1]!.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2')
    const date = new Date(`${parts.year}-${padTwo(parts.month)}-${padTwo(parts.day)}T${time}:00${zone}`)
    return Number.isNaN(date.getTime()) ? undefined : date
  }
  return new Date(new TZDate(parts.year, parts.month - 1, parts.day, hour, minute, timeZone).getTime())
}

/** Splits a full name: 'Silva, Ana Maria' or 'Ana Maria Silva'. A single word is a first name. */
export function splitName(text: string): { firstName: string; lastName: string } {
  const name = text.replace(/\s+/g, ' ')
  const comma = name.indexOf(',')
  if (comma > 0) return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() }
  const words = name.split(' ')
  // 'van der Berg' and 'de Silva' are single last names.
  const particle = words.findIndex(
    (word, i) => i > 0 && i < words.length - 1 && /^(van|von|de|del|della|di|da|dos|du|la|le|bin|al|el|ter|st\.?)$/i.test(word),
  )
  const at = words.length === 1 ? 1 : particle > 0 ? particle : words.length - 1
  return { firstName: words.slice(0, at).join(' '), lastName: words.slice(at).join(' ') }
}

/** Splits tag names separated by ; or , and removes duplicates. */
export function splitTags(text: string): string[] {
  const names = text.split(text.includes(';') ? ';' : ',').map((name) => name.trim().replace(/\s+/g, ' '))
  const seen = new Map(names.filter(Boolean).map((name) => [name.toLowerCase(), name]))
  return [...seen.values()]
}
