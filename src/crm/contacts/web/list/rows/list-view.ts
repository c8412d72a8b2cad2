import type { ContactRow } from '../../embed/contact-data.ts'
import { pageSize } from '../../embed/list-search.ts'

/** What is known of a list: how many rows it has, and those of its pages that have been loaded. */
export interface ListView {
  /** Names the search and the order that these are the rows of. */
  key: string
  pages: ReadonlyMap<number, readonly ContactRow[]>
  total: number
  totalIsExact: boolean
}

/** Pages are counted from 1, rows from 0. */
export const pageOfRow = (index: number): number => Math.floor(index / pageSize) + 1

export const firstOfPage = (page: number): number => (page - 1) * pageSize

export const rowAt = (view: ListView, index: number): ContactRow | undefined => view.pages.get(pageOfRow(index))?.[index % pageSize]

/** Where a patient stands, as far as that has been loaded; -1 otherwise. */
export function indexOf(view: ListView, id: string): number {
  for (const [page, rows] of view.pages) {
    const index = rows.findIndex((row) => row.id === id)
    if (index >= 0) return firstOfPage(page) + index
  }
  return -1
}

/** How many rows to scroll through. While a search is still being counted, there may be more than are known. */
export function rowCount({ total, totalIsExact, pages }: ListView): number {
  if (totalIsExact) return total
  const furthest = Math.max(0, ...[...pages].filter(([, rows]) => rows.length === pageSize).map(([page]) => page + 1))
  return Math.max(total, firstOfPage(furthest))
}

/** What came of asking for a page. */
export interface AskedPage {
  page: number
  rows: readonly ContactRow[] | undefined
  total: number
  totalIsExact: boolean
  /** On its way, for the first time or again. */
  isFetching: boolean
  /** When it came. */
  at: number
}

/**
 * The list with what has come. Until the first page of another search is there, what was shown stays. When pages are asked for again because
 * something changed, they change all at once: rows that moved from one page to the next would be there twice, or not at all. The total is that
 * of the page that came first: one that comes into view later may know of more, which the others will, once they are asked for again.
 */
export function withPages(before: ListView | null, key: string, asked: readonly AskedPage[]): ListView | null {
  const loaded = asked.filter((page) => page.rows !== undefined)
  const byAge = loaded.toSorted((a, b) => a.at - b.at)
  const [oldest, newest] = [byAge[0], byAge.at(-1)]
  if (!oldest || !newest) return before
  const known = before?.key === key ? before : null
  const isRefreshing = known !== null && loaded.some(({ page, isFetching }) => isFetching && known.pages.has(page))
  const pages = new Map(loaded.map(({ page, rows }) => [page, (isRefreshing && known.pages.get(page)) || rows!]))
  const { total, totalIsExact } = isRefreshing ? known : oldest.totalIsExact ? oldest : newest
  const isAsKnown = known?.total === total && known.totalIsExact === totalIsExact && isSame(known.pages, pages)
  return isAsKnown ? known : { key, pages, total, totalIsExact }
}

function isSame(a: ListView['pages'], b: ListView['pages']): boolean {
  return a.size === b.size && [...a].every(([page, rows]) => b.get(page) === rows)
}
