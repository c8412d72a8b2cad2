import { today } from '../../../ui/format.ts'

/** The entries of one calendar day of the practice. */
export interface Day<E> {
  /** 'yyyy-MM-dd' */
  day: string
  entries: E[]
}

/** Groups entries, which come newest first, by the practice's calendar days. */
export function byDay<E extends { date: string }>(entries: readonly E[], timeZone: string): Day<E>[] {
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

/** The entry of a move and the move itself are written one after the other. */
const sameMoment = 5000

/** Milliseconds that a patient was in the stage before the move that an entry tells of; null when it is not among the moves. */
export function stayBefore(entry: { date: string }, stageId: string, history: readonly Move[]): number | null {
  const at = Date.parse(entry.date)
  const index = history.findIndex((move) => move.toStageId === stageId && Math.abs(Date.parse(move.changedAt) - at) < sameMoment)
  const [move, before] = [history[index], history[index - 1]]
  return move && before ? Date.parse(move.changedAt) - Date.parse(before.changedAt) : null
}
