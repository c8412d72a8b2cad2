import { withoutSlips } from '../../rules.ts'

/** A move as the contract gives it, its instant as text. */
interface Move {
  fromStageId: string | null
  toStageId: string
  changedAt: string
}

/** Since when a patient is in the present stage: the last move that stands, or the contact's own word where the moves tell another story. */
export function enteredAt(history: readonly Move[], current: { stageId: string; enteredAt: string }): number {
  const last = withoutSlips(history).at(-1)
  return Date.parse(last?.toStageId === current.stageId ? last.changedAt : current.enteredAt)
}

/** Milliseconds that a patient spent in each stage, all visits together, from the moves in order. The last visit lasts until now. */
export function timeInStages(history: readonly Move[], now: number): Map<string, number> {
  const times = new Map<string, number>()
  const moves = withoutSlips(history)
  moves.forEach(({ toStageId, changedAt }, index) => {
    const since = Date.parse(changedAt)
    const next = moves[index + 1]
    const until = next ? Date.parse(next.changedAt) : now
    times.set(toStageId, (times.get(toStageId) ?? 0) + Math.max(0, until - since))
  })
  return times
}

/** A visit to a stage. */
export interface Stay {
  stageId: string
  since: number
  /** Null while it lasts. */
  until: number | null
  /** Milliseconds, until now where it lasts. */
  length: number
  /** Who moved the patient there; null when the system did. */
  by: string | null
  /** Why the lead was lost, of a move that lost it. */
  reason: string | null
}

/** Every visit to a stage, the present one first; those that were a slip are among them, as they happened. */
export function stays(history: readonly (Move & { changedBy: string | null; lostReason: string | null })[], now: number): Stay[] {
  return history
    .map(({ toStageId, changedAt, changedBy, lostReason }, index): Stay => {
      const since = Date.parse(changedAt)
      const next = history[index + 1]
      const until = next ? Date.parse(next.changedAt) : null
      return { stageId: toStageId, since, until, length: Math.max(0, (until ?? now) - since), by: changedBy, reason: lostReason }
    })
    .toReversed()
}

/** Days are counted as days for as long as a clinic counts them so, then as months. */
const maxDays = 100

/** '3 days', '2 hours', '4 months': a length of time in words, for where there is room. */
export const formatStageTime = (milliseconds: number): string => {
  const [count, unit] = measure(milliseconds)
  if (count === 0) return 'less than a minute'
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The same for a narrow place: '3 d', '2 h', '4 mo'. */
export function inShort(milliseconds: number): string {
  const [count, unit] = measure(milliseconds)
  if (count === 0) return '< 1 min'
  return `${count} ${{ minute: 'min', hour: 'h', day: 'd', month: 'mo', year: 'y' }[unit]}`
}

function measure(milliseconds: number): [number, 'minute' | 'hour' | 'day' | 'month' | 'year'] {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)]
  if (hours === 0) return [minutes, 'minute']
  if (days === 0) return [hours, 'hour']
  if (days < maxDays) return [days, 'day']
  return days < 730 ? [Math.floor(days / 30.44), 'month'] : [Math.floor(days / 365.25), 'year']
}
