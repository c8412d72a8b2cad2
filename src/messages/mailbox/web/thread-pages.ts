import type { ThreadPage, ThreadRow } from './mailbox-data.ts'

/**
 * The rows of a list whose first page was read again. Pages that were read before hold on below it: what came in the meantime has pushed their rows
 * down, and what left the first page has left the list.
 */
export function rowsOf(fresh: ThreadPage, before: readonly ThreadPage[]): ThreadRow[] {
  const last = fresh.data.at(-1)
  if (!last || fresh.nextCursor === null) return fresh.data
  const seen = new Set(fresh.data.map(({ id }) => id))
  const older = before.flatMap(({ data }) => data).filter((row) => Date.parse(row.date) <= Date.parse(last.date))
  return [...fresh.data, ...older.filter(({ id }) => !seen.has(id) && seen.add(id))]
}
