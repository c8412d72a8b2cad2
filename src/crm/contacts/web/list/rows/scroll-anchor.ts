/** The state of the list before and after its rows changed. */
interface RowChange {
  /** The hovered or current row, if any. */
  activeId: string | null
  /** The visible rows from the top; empty if the list is scrolled to the top, so that new rows appear there. */
  seen: readonly string[]
  /** The old and new index of a row; -1 if unknown. */
  before: (id: string) => number
  after: (id: string) => number
}

/**
 * The number of rows to scroll by, so that the active row keeps its position while rows above it are added or removed. Without an active
 * row, a scrolled list keeps its first visible row.
 */
export function rowsToMove({ activeId, seen, before, after }: RowChange): number {
  for (const id of activeId === null ? seen : [activeId, ...seen]) {
    const [from, to] = [before(id), after(id)]
    if (from >= 0 && to >= 0) return to - from
  }
  return 0
}

/**
 * Rows added above since the list last settled. Rows and total may arrive one after the other, and only one of them may include a change;
 * the other includes it after the refetch that the change triggers.
 */
export interface Above {
  /** The number counted until then. */
  counted: number
  /** The number of rows the list has moved by since. */
  moved: number
  totalBefore: number
  /** Moves or growth not yet matched by the other, and until when (performance.now) to wait for that; null if both agreed. */
  pending: { moved: number; grown: number; until: number } | null
}

/** Milliseconds: a change is fetched within one second, and the response arrives soon after. */
const pendingMs = 3000

export const nothingAbove = (total: number): Above => ({ counted: 0, moved: 0, totalBefore: total, pending: null })

/** The number of new rows above, without rows that only moved there from further down. */
export function countAbove(before: Above, by: number, total: number, isSettled: boolean, now: number): { unseen: number; above: Above } {
  const pending = before.pending && now <= before.pending.until ? before.pending : { moved: 0, grown: 0, until: 0 }
  const moved = before.moved + by
  const [totalMoved, totalGrown] = [moved + pending.moved, total - before.totalBefore + pending.grown]
  const came = Math.max(0, Math.min(totalMoved, totalGrown))
  const unseen = before.counted + came
  if (!isSettled) return { unseen, above: { ...before, moved } }
  const isNews = moved !== 0 || total !== before.totalBefore
  const left = {
    moved: Math.max(0, totalMoved - came),
    grown: Math.max(0, totalGrown - came),
    until: isNews ? now + pendingMs : pending.until,
  }
  const above = { counted: unseen, moved: 0, totalBefore: total, pending: left.moved + left.grown > 0 ? left : null }
  return { unseen, above }
}
