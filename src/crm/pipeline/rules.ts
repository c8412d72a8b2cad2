import type { StageKind } from './contract.ts'

interface Move {
  fromStageId: string | null
  toStageId: string
  changedAt: string | Date
}

/** A move reversed within this time was accidental: Undo is shown for ten seconds, longer while the pointer rests on it. */
const accidentalMs = 60_000

/** Drops moves that were reversed at once, which would make a patient look as if they had just entered the old stage. */
export function withoutAccidentalMoves<M extends Move>(history: readonly M[]): M[] {
  const kept: M[] = []
  for (const move of history) {
    const last = kept.at(-1)
    const isReversal = last && last.fromStageId === move.toStageId && last.toStageId === move.fromStageId
    if (isReversal && timeOf(move) - timeOf(last) < accidentalMs) kept.pop()
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

/** Whether a stage must stay active: new leads start in it, or it is the last active one where booked surgeries end (spec 1). */
export const isNeeded = (stages: readonly Stage[], { id, kind, isInitial }: Stage): boolean =>
  isInitial || (kind === 'won' && !stages.some((other) => other.id !== id && other.kind === 'won' && other.isActive))

/** The stages that a patient may be moved to: the active ones and the patient's current one. */
export const assignableStages = <S extends { id: string; isActive: boolean }>(stages: readonly S[], currentId?: string | null): S[] =>
  stages.filter(({ id, isActive }) => isActive || id === currentId)

/** Moves one row before another, or to the end. Moving a row before itself changes nothing. */
export function reorder<R extends { id: string }>(rows: readonly R[], id: string, before: string | null): R[] {
  const moved = rows.find((row) => row.id === id)
  if (!moved || before === id) return [...rows]
  const others = rows.filter((row) => row.id !== id)
  const at = before === null ? others.length : others.findIndex((row) => row.id === before)
  return others.toSpliced(at === -1 ? others.length : at, 0, moved)
}

/** The value by which API calls refer to a new stage: its name in lower case with underscores, plus a number if that is already in use. */
export function uniqueStageValue(name: string, known: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  const base = plain === '' ? 'stage' : plain
  for (let n = 1; ; n++) {
    const value = n === 1 ? base : `${base}_${n}`
    if (!known.includes(value)) return value
  }
}
