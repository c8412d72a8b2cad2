import type { ContactRow } from '../../embed/contact-data.ts'
import { pageSize } from '../../embed/list-search.ts'

/** The loaded state of a list: its total and its loaded pages. */
export interface ListView {
  /** The key of the search and order of these rows. */
  key: string
  pages: ReadonlyMap<number, readonly ContactRow[]>
  total: number
  totalIsExact: boolean
}

/** Pages are counted from 1, rows from 0. */
export const pageOfRow = (index: number): number => Math.floor(index / pageSize) + 1

export const firstOfPage = (page: number): number => (page - 1) * pageSize

export const rowAt = (view: ListView, index: number): ContactRow | undefined => view.pages.get(pageOfRow(index))?.[index % pageSize]

/** The index of a patient in the loaded pages, or -1. */
export function indexOf(view: ListView, id: string): number {
  for (const [page, rows] of view.pages) {
    const index = rows.findIndex((row) => row.id === id)
    if (index >= 0) return firstOfPage(page) + index
  }
  return -1
}

/** The number of rows to scroll through. While the exact total is unknown, there may be more than counted. */
export function rowCount({ total, totalIsExact, pages }: ListView): number {
  if (totalIsExact) return total
  const furthest = Math.max(0, ...[...pages].filter(([, rows]) => rows.length === pageSize).map(([page]) => page + 1))
  return Math.max(total, firstOfPage(furthest))
}

/** The state of a requested page. */
export interface AskedPage {
  page: number
  rows: readonly ContactRow[] | undefined
  total: number
  totalIsExact: boolean
  /** Whether it is being fetched or refetched. */
  isFetching: boolean
  /** When it was loaded. */
  at: number
}

/**
 * The list with the loaded pages. The previous rows stay until the first page of a new search has loaded. When pages are refetched after a
 * change, they are replaced together, because rows that moved between pages would appear twice or not at all. The total is that of the
 * oldest page: a page loaded later may count more rows, which the others will include after a refetch.
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
