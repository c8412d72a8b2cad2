import type { ThreadPage, ThreadRow } from './mailbox-data.ts'

/**
 * The rows of a list whose first page was reloaded. Earlier pages stay below: new email has pushed their rows down, and rows that left the
 * first page left the list.
 */
export function rowsOf(fresh: ThreadPage, before: readonly ThreadPage[]): ThreadRow[] {
  const last = fresh.data.at(-1)
  if (!last || fresh.nextCursor === null) return fresh.data
  const seen = new Set(fresh.data.map(({ id }) => id))
  const older = before.flatMap(({ data }) => data).filter((row) => Date.parse(row.date) <= Date.parse(last.date))
  return [...fresh.data, ...older.filter(({ id }) => !seen.has(id) && seen.add(id))]
}
