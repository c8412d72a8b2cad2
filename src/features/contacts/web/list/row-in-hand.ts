/** What the list looked like just before its rows changed. */
interface Held {
  before: readonly string[]
  after: readonly string[]
  /** The row under the pointer or under the keyboard, if any. */
  inHand: string | null
  scrollTop: number
  /** Every row is as high as the others. */
  rowHeight: number
}

/**
 * How many rows the list has to move by, so that the row in hand stays where it is while others come or go above it. Without one, a list that
 * has been scrolled keeps its first visible row; one that stands at its top shows what is new there.
 */
export function rowsToMove({ before, after, inHand, scrollTop, rowHeight }: Held): number {
  const firstVisible = scrollTop > 0 ? Math.floor(scrollTop / rowHeight) : null
  const candidates = [inHand, ...(firstVisible === null ? [] : before.slice(firstVisible))]
  for (const id of candidates) {
    if (id === null) continue
    const [from, to] = [before.indexOf(id), after.indexOf(id)]
    if (from >= 0 && to >= 0) return to - from
  }
  return 0
}

/** How many rows were not there before and stand above this one. */
export function newRowsAbove(before: readonly string[], after: readonly string[], firstVisible: number): number {
  const known = new Set(before)
  return after.slice(0, firstVisible).filter((id) => !known.has(id)).length
}
