import { formatCount } from '../../../../ui/format.ts'

/** Direction and percentage of change from the previous number; null if that was zero. */
export function changeOf(count: number, before: number): { text: string; tone: 'up' | 'down' | 'same' } | null {
  if (before === 0) return null
  const percent = Math.round(((count - before) / before) * 100)
  if (percent === 0) return { text: count === before ? 'Same as' : '±0% on', tone: 'same' }
  return percent > 0 ? { text: `+${formatCount(percent)}%`, tone: 'up' } : { text: `−${formatCount(-percent)}%`, tone: 'down' }
}

/** A duration in at most two units: 1 h 12 min, 9 days. */
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

/** Formats as '2 h 40 min' with non-breaking spaces. */
export const formatDuration = (seconds: number): string =>
  lengthParts(seconds)
    .map((part) => part.join('\u00a0'))
    .join('\u00a0')

/** Days to one decimal, for a table column: '4.5'. */
export const inDays = (seconds: number): string => (Math.round(seconds / 8_640) / 10).toFixed(1)

/** A share in whole percent; a nonzero share never shows as 0%. */
export function percentOf(count: number, total: number): string {
  if (total === 0) return '0%'
  const percent = Math.round((count / total) * 100)
  return percent === 0 && count > 0 ? '<1%' : `${percent}%`
}
