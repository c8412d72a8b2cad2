import { maxRows, type ReportAnswer } from '../contract.ts'
import type { By, Reading } from './facts.ts'
import type { Names } from '../names.ts'
import type { Breakdown, Measure, ReportDefinition } from '../report-rules.ts'
import { stepFor, stepsOf } from '../rules.ts'
import type { Asked } from './sql.ts'

type Group = Reading['groups'][string]
type Rows = Pick<ReportAnswer['breakdowns'][number], 'rows' | 'isTruncated'>
type Time = NonNullable<Breakdown['time']>

/** First days of the rows of a breakdown over time. */
const daysOfSteps = ({ range }: Asked, time: Time): string[] => stepsOf(range, stepFor(time, range))

/** Maps a row key of the response to the facts' key: for time, the number of the step that starts on that day. */
export function keyInFacts({ names }: By, row: string | null, asked: Asked): string | null {
  if (typeof names !== 'object') return row
  return String(daysOfSteps(asked, names.time).indexOf(row ?? '') + 1)
}

/** Rows of a breakdown in order, each number with its previous value. */
export function rowsOf(
  { measures }: ReportDefinition,
  breakdown: Breakdown,
  by: By,
  both: { now: Asked; before: Asked },
  names: Names,
  now: Group,
  before: Group,
): Rows {
  const { columns } = breakdown
  // For an empty row, counts and sums are 0, and shares, quotients and medians null.
  const isSum = ({ unit, isRatio }: Measure) => (unit === 'count' || unit === 'money') && !isRatio
  const nothing = Object.fromEntries(columns.map((key) => [key, isSum(measures[key]!) ? 0 : null]))
  const pick = (numbers: Record<string, number | null> | undefined) =>
    numbers ? Object.fromEntries(columns.map((key) => [key, numbers[key] ?? null])) : nothing
  const unknown = Object.fromEntries(columns.filter((key) => measures[key]!.isOfNow).map((key) => [key, null]))
  const pickBefore = (numbers: Record<string, number | null> | undefined) => ({ ...pick(numbers), ...unknown })

  if (typeof by.names === 'object') {
    const earlier = daysOfSteps(both.before, by.names.time)
    return {
      isTruncated: false,
      rows: daysOfSteps(both.now, by.names.time).map((day, index) => ({
        key: day,
        name: day,
        now: pick(now.get(String(index + 1))),
        before: index < earlier.length ? pickBefore(before.get(String(index + 1))) : null,
      })),
    }
  }

  const listed = by.all ?? (by.names === 'stage' ? [...names.stage.keys()].filter((id) => now.has(id)) : null)
  const keys = listed ?? [...new Set([...now.keys(), ...before.keys()])]
  const rows = keys.map((key) => ({ key, name: nameOf(by, names, key), now: pick(now.get(key)), before: pickBefore(before.get(key)) }))
  if (!listed) {
    const most = columns.find((key) => ['count', 'money'].includes(measures[key]!.unit)) ?? columns[0]
    const size = (row: (typeof rows)[number]) => row.now[most] ?? 0
    rows.sort((a, b) => size(b) - size(a) || a.name.localeCompare(b.name))
  }
  return { rows: rows.slice(0, maxRows), isTruncated: rows.length > maxRows }
}

/** Text keys have the prefix '~', unlike ids. */
function nameOf({ names, none }: By, known: Names, key: string | null): string {
  if (key === null) return none ?? (names === 'staff' ? 'No one' : 'None')
  if (key.startsWith('~') && names === 'procedure') return key.slice(1)
  if (names === 'text' || typeof names === 'object') return key
  return known[names].get(key) ?? 'No longer available'
}
