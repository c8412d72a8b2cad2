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

/**
 * What has come above since the list last stood still. Its rows and its total may come one after the other, and be read on both sides of a
 * change: what the one knows of already, the other knows once it is asked for again, which that change brings about.
 */
export interface Above {
  /** How many had come until then. */
  counted: number
  /** By how many rows the list has moved since. */
  moved: number
  totalBefore: number
  /** By what it had moved or grown then without the other, and until when that is waited for, by this page's clock; null where it added up. */
  owed: { moved: number; grown: number; until: number } | null
}

/** Milliseconds: a change is asked for within one second, and its answer is there soon after that. */
const owedFor = 3000

export const nothingAbove = (total: number): Above => ({ counted: 0, moved: 0, totalBefore: total, owed: null })

/** How many rows are new above: those that only went there from further down, as the order had it, are not. */
export function countAbove(before: Above, by: number, total: number, isSettled: boolean, now: number): { unseen: number; above: Above } {
  const owed = before.owed && now <= before.owed.until ? before.owed : { moved: 0, grown: 0, until: 0 }
  const moved = before.moved + by
  const [allMoved, allGrown] = [moved + owed.moved, total - before.totalBefore + owed.grown]
  const came = Math.max(0, Math.min(allMoved, allGrown))
  const unseen = before.counted + came
  if (!isSettled) return { unseen, above: { ...before, moved } }
  const isNews = moved !== 0 || total !== before.totalBefore
  const left = {
    moved: Math.max(0, allMoved - came),
    grown: Math.max(0, allGrown - came),
    until: isNews ? now + owedFor : owed.until,
  }
  const above = { counted: unseen, moved: 0, totalBefore: total, owed: left.moved + left.grown > 0 ? left : null }
  return { unseen, above }
}
