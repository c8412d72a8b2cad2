import type { StageKind } from './contract.ts'

interface Move {
  fromStageId: string | null
  toStageId: string
  changedAt: string | Date
}

/** A move that is taken back this soon was a slip: "Undo" is there for ten seconds, longer while the pointer rests on it. */
const slip = 60_000

/** The moves without those that were taken back at once, which would make a patient look as if just arrived in the old stage. */
export function withoutSlips<M extends Move>(history: readonly M[]): M[] {
  const kept: M[] = []
  for (const move of history) {
    const last = kept.at(-1)
    const takesBack = last && last.fromStageId === move.toStageId && last.toStageId === move.fromStageId
    if (takesBack && timeOf(move) - timeOf(last) < slip) kept.pop()
    else kept.push(move)
  }
  return kept
}

const timeOf = ({ changedAt }: Move): number => new Date(changedAt).getTime()

interface Stage {
  id: string
  kind: StageKind
  isInitial: boolean
  isActive: boolean
}

/** Whether a stage has to stay in use: new leads begin in it, or it is the last where booked surgeries end (spec 1). */
export const isNeeded = (stages: readonly Stage[], { id, kind, isInitial }: Stage): boolean =>
  isInitial || (kind === 'won' && !stages.some((other) => other.id !== id && other.kind === 'won' && other.isActive))

/** The stages that someone may be put into, and the one where they stand. */
export const offered = <S extends { id: string; isActive: boolean }>(stages: readonly S[], currentId?: string | null): S[] =>
  stages.filter(({ id, isActive }) => isActive || id === currentId)

/** The rows with one of them put before another, or last. Before itself it stays where it is. */
export function placed<R extends { id: string }>(rows: readonly R[], id: string, before: string | null): R[] {
  const moved = rows.find((row) => row.id === id)
  if (!moved || before === id) return [...rows]
  const others = rows.filter((row) => row.id !== id)
  const at = before === null ? others.length : others.findIndex((row) => row.id === before)
  return others.toSpliced(at === -1 ? others.length : at, 0, moved)
}

/** The stage value of a new stage, by which calls may name it: its name in small letters and underscores, and a number where that is known. */
export function valueOf(name: string, known: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  const base = plain === '' ? 'stage' : plain
  for (let n = 1; ; n++) {
    const value = n === 1 ? base : `${base}_${n}`
    // Its own name in small letters is no obstacle, and is not among the known ones yet.
    if (!known.includes(value)) return value
  }
}
