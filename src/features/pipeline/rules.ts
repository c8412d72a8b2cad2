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
