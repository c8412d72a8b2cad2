/** What the list looked like just before its rows changed. */
interface Held {
  /** The row under the pointer or under the keyboard, if any. */
  inHand: string | null
  /** The rows in sight, from the top; none where the list stands at its top, which shows what is new there. */
  seen: readonly string[]
  /** Where a row was, and where it is now; -1 where that is not known. */
  before: (id: string) => number
  after: (id: string) => number
}

/**
 * How many rows the list has to move by, so that the row in hand stays where it is while others come or go above it. Without one, a list that
 * has been scrolled keeps its first visible row.
 */
export function rowsToMove({ inHand, seen, before, after }: Held): number {
  for (const id of inHand === null ? seen : [inHand, ...seen]) {
    const [from, to] = [before(id), after(id)]
    if (from >= 0 && to >= 0) return to - from
  }
  return 0
}

/** What has come above since the list last stood still; its rows and its total may come one after the other. */
export interface Above {
  /** How many had come until then. */
  counted: number
  /** By how many rows the list has moved since. */
  moved: number
  totalBefore: number
}

/** How many rows are new above: those that only went there from further down, as the order had it, are not. */
export function countAbove(above: Above, by: number, total: number, isSettled: boolean): { unseen: number; above: Above } {
  const moved = above.moved + by
  const unseen = above.counted + Math.max(0, Math.min(moved, total - above.totalBefore))
  return { unseen, above: isSettled ? { counted: unseen, moved: 0, totalBefore: total } : { ...above, moved } }
}
