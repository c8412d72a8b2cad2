import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { formatCount, formatMoney, formatPercent } from '../../../ui/format.ts'
import { changeOf, inDays, formatDuration } from '../../dashboard/web/embed/measures.ts'
import type { Measure, Unit } from '../report-rules.ts'
import type { Step } from '../rules.ts'

/** A number with its unit: '1,204', '$675.00', '33%', '4.2×', '2 h 10 min', '9.1 days'. */
export function formatFigure(value: number | null, unit: Unit): string {
  if (value === null) return 'None'
  switch (unit) {
    case 'count':
      return Number.isInteger(value) ? formatCount(value) : value.toFixed(1)
    case 'money':
      return formatMoney(value)
    case 'percent':
      return formatPercent(value)
    case 'rate':
      return `${value.toFixed(1)}%`
    case 'times':
      return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}×`
    case 'seconds':
      return formatDuration(value)
    case 'days':
      return `${inDays(value * 86_400)} days`
  }
}

/** Compact format: '$1.2M', '$45k', '12k'. */
export function inShort(value: number, unit: Unit): string {
  if (unit === 'percent') return formatPercent(value)
  if (unit !== 'count' && unit !== 'money') return formatFigure(value, unit)
  const whole = Math.abs(unit === 'money' ? value / 100 : value)
  const digits = whole >= 999_500 ? `${round(whole / 1_000_000)}M` : whole >= 1_000 ? `${round(whole / 1_000)}k` : round(whole)
  return `${value < 0 ? '−' : ''}${unit === 'money' ? '$' : ''}${digits}`
}

const round = (value: number): string => String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))

export interface Difference {
  text: string
  tone: 'good' | 'bad' | 'same'
}

/** Change from the previous number; percentages in points. Null without a previous number. */
export function differenceOf({ unit, better }: Measure, now: number | null, before: number | null): Difference | null {
  if (now === null || before === null || before < 0) return null
  const change = unit === 'percent' || unit === 'rate' ? pointsOf(now - before) : changeOf(now, before)
  if (!change) return null
  if (change.tone === 'same' || !better) return { text: change.text, tone: 'same' }
  return { text: change.text, tone: (change.tone === 'up') === (better === 'more') ? 'good' : 'bad' }
}

function pointsOf(points: number): ReturnType<typeof changeOf> {
  if (points === 0) return { text: 'Same as', tone: 'same' }
  const size = `${Math.round(Math.abs(points) * 10) / 10} ${Math.abs(points) === 1 ? 'point' : 'points'}`
  return points > 0 ? { text: `+${size}`, tone: 'up' } : { text: `−${size}`, tone: 'down' }
}

/** First day of a time step, in full and for a column label. */
export function formatDayLabel(day: string, step: Step): { long: string; short: string } {
  const date = parseISO(day)
  if (step === 'month') return { long: format(date, 'MMMM yyyy'), short: format(date, date.getMonth() === 0 ? "MMM ''yy" : 'MMM') }
  if (step === 'quarter') return { long: format(date, 'QQQ yyyy'), short: format(date, "QQQ ''yy") }
  const long = format(date, step === 'day' ? 'EEE, MMM d, yyyy' : "'Week of' MMM d, yyyy")
  return { long, short: format(date, 'MMM d') }
}
