import { withoutAccidentalMoves } from '../../rules.ts'

/** A stage move from the API; `changedAt` is an ISO string. */
interface Move {
  fromStageId: string | null
  toStageId: string
  changedAt: string
}

/**
 * When the patient entered the current stage: the last move that was not accidental, or the contact record's time if the moves end
 * elsewhere.
 */
export function enteredAt(history: readonly Move[], current: { stageId: string; enteredAt: string }): number {
  const last = withoutAccidentalMoves(history).at(-1)
  return Date.parse(last?.toStageId === current.stageId ? last.changedAt : current.enteredAt)
}

/** Milliseconds that a patient spent in each stage over all visits. `history` is oldest first; the last visit lasts until now. */
export function timeInStages(history: readonly Move[], now: number): Map<string, number> {
  const times = new Map<string, number>()
  const moves = withoutAccidentalMoves(history)
  moves.forEach(({ toStageId, changedAt }, index) => {
    const since = Date.parse(changedAt)
    const next = moves[index + 1]
    const until = next ? Date.parse(next.changedAt) : now
    times.set(toStageId, (times.get(toStageId) ?? 0) + Math.max(0, until - since))
  })
  return times
}

/** A visit to a stage. */
export interface StageVisit {
  stageId: string
  since: number
  /** Null for the current visit. */
  until: number | null
  /** Milliseconds; for the current visit, until now. */
  length: number
  /** Who moved the patient there; null for the system. */
  by: string | null
  /** Why the lead was lost, for a move to a lost stage. */
  reason: string | null
}

/** Every visit to a stage, the current one first. Includes accidental moves. */
export function stageVisits(
  history: readonly (Move & { changedBy: string | null; lostReason: string | null })[],
  now: number,
): StageVisit[] {
  return history
    .map(({ toStageId, changedAt, changedBy, lostReason }, index): StageVisit => {
      const since = Date.parse(changedAt)
      const next = history[index + 1]
      const until = next ? Date.parse(next.changedAt) : null
      return { stageId: toStageId, since, until, length: Math.max(0, (until ?? now) - since), by: changedBy, reason: lostReason }
    })
    .toReversed()
}

/** Longer durations are shown in months: clinics count in days up to about this many. */
const maxDays = 100

/** A duration in words: '3 days', '2 hours', '4 months'. */
export const formatStageTime = (milliseconds: number): string => {
  const [count, unit] = measure(milliseconds)
  if (count === 0) return 'less than a minute'
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** A duration in short form: '3 d', '2 h', '4 mo'. */
export function formatStageTimeShort(milliseconds: number): string {
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
