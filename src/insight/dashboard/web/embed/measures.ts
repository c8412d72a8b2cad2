import { formatCount } from '../../../../ui/format.ts'

/** 'up', 'down' or neither: by how many percent a number differs from the one before; null where there was none to compare with. */
export function changeOf(count: number, before: number): { text: string; tone: 'up' | 'down' | 'same' } | null {
  if (before === 0) return null
  const percent = Math.round(((count - before) / before) * 100)
  if (percent === 0) return { text: count === before ? 'Same as' : '±0% on', tone: 'same' }
  return percent > 0 ? { text: `+${formatCount(percent)}%`, tone: 'up' } : { text: `−${formatCount(-percent)}%`, tone: 'down' }
}

/** A length of time in at most two numbers with their units: 1 h 12 min, 9 days. */
export function lengthParts(seconds: number): [string, string][] {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return [[String(minutes), 'min']]
  if (minutes < 24 * 60) return withRest([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
  const hours = Math.round(seconds / 3600)
  if (hours < 48) return withRest([1, 'day'], [hours - 24, 'h'])
  return [[formatCount(Math.round(seconds / 86_400)), 'days']]
}

const withRest = ([whole, unit]: [number, string], [rest, smaller]: [number, string]): [string, string][] =>
  rest === 0
    ? [[String(whole), unit]]
    : [
        [String(whole), unit],
        [String(rest), smaller],
      ]

/** '2 h 40 min', which is never broken between lines. */
export const formatDuration = (seconds: number): string =>
  lengthParts(seconds)
    .map((part) => part.join('\u00a0'))
    .join('\u00a0')

/** Days to one digit, for a column of them: '4.5'. */
export const inDays = (seconds: number): string => (Math.round(seconds / 8_640) / 10).toFixed(1)

/** A share in whole percent; something that rounds to nothing is still there. */
export function percentOf(count: number, total: number): string {
  if (total === 0) return '0%'
  const percent = Math.round((count / total) * 100)
  return percent === 0 && count > 0 ? '<1%' : `${percent}%`
}
