import { today } from '../../../ui/format.ts'

/** The entries of one calendar day in the practice's time zone. */
export interface Day<E> {
  /** 'yyyy-MM-dd' */
  day: string
  entries: E[]
}

/** Groups entries, newest first, by calendar day in the practice's time zone. */
export function groupByDay<E extends { date: string }>(entries: readonly E[], timeZone: string): Day<E>[] {
  const days: Day<E>[] = []
  for (const entry of entries) {
    const day = today({ now: entry.date, timeZone })
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}

interface Move {
  fromStageId: string | null
  toStageId: string
  changedAt: string
}

/** The times of a stage move and of its timeline entry differ by less than this. */
const maxTimeDifferenceMs = 5000

/** Milliseconds that a patient was in the previous stage before the move described by an entry. Null if the move is not in the history. */
export function previousStageDuration(entry: { date: string }, stageId: string, history: readonly Move[]): number | null {
  const at = Date.parse(entry.date)
  const index = history.findIndex((move) => move.toStageId === stageId && Math.abs(Date.parse(move.changedAt) - at) < maxTimeDifferenceMs)
  const [move, before] = [history[index], history[index - 1]]
  return move && before ? Date.parse(move.changedAt) - Date.parse(before.changedAt) : null
}
