import type { ContactSort, ListInput } from '../../list-contract.ts'
import { filterFields, readFilter, writeFilter } from '../../filter.ts'
import type { BoardOrder } from '../../rules.ts'

/** The state of the list in the URL, for sharing and the back button. Defaults are left out. */
export interface ListSearch {
  search?: string
  /** In the syntax of filter.ts. */
  filter?: string
  sort?: ContactSort
  page?: number
  /** The columns of a saved view, if not the user's own. */
  columns?: string
  /** The open view. If there are no other parameters, the page opens it. */
  view?: string
  /** The board instead of the list; it has its own order. */
  layout?: 'board'
  order?: BoardOrder
}

/** The labels of the sort menu, default first. */
export const sortLabels: Record<ContactSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  'follow-up': 'Next follow-up',
  'last-contact': 'Last contact',
  name: 'Last name, A to Z',
  'name-desc': 'Last name, Z to A',
}

/** The same for the columns of the board. */
export const orderLabels: Record<BoardOrder, string> = {
  latest: 'Recently moved',
  longest: 'Longest in stage',
}

/** Spec 8. Copied from the contract, because importing that would load all its schemas; a test compares the two. */
export const loadFailed = 'Failed to load contacts'
/** Spec 9, likewise. */
export const pageSize = 50

/** The contract's limits; values beyond them are dropped instead of being sent and refused. */
const [maxTermLength, lastPage, maxColumnsLength] = [200, 1_000_000, 500]

/**
 * Parses URL parameters leniently: invalid ones are ignored. Those are returned as undefined, because the router would keep missing ones
 * from the current URL.
 */
export function readListSearch(from: Record<string, unknown>): ListSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : '')
  const sort = text('sort')
  const page = /^\d{1,7}$/.test(text('page')) ? Number(text('page')) : 1
  const order = text('order')
  return {
    search: text('search').slice(0, maxTermLength).toWellFormed().replaceAll('\0', '') || undefined,
    filter: writeFilter(readFilter(text('filter'))) ?? undefined,
    sort: isSort(sort) && sort !== 'newest' ? sort : undefined,
    columns: /^[a-zA-Z]+(,[a-zA-Z]+){0,30}$/.test(text('columns')) ? text('columns').slice(0, maxColumnsLength) : undefined,
    view: /^[0-9a-z-]{1,40}$/.test(text('view')) ? text('view') : undefined,
    page: page > 1 && page <= lastPage ? page : undefined,
    layout: text('layout') === 'board' ? 'board' : undefined,
    order: isOrder(order) && order !== 'latest' ? order : undefined,
  }
}

const isSort = (text: string): text is ContactSort => Object.hasOwn(sortLabels, text)
const isOrder = (text: string): text is BoardOrder => Object.hasOwn(orderLabels, text)

/** The filter parameters of the API's list and count. */
export function filtersOf({ search, filter }: ListSearch): { search?: string; filter?: string } {
  return { ...(search && { search }), ...(filter && { filter }) }
}

export function listInputOf(search: ListSearch): Partial<ListInput> {
  return { ...filtersOf(search), page: search.page ?? 1, sort: search.sort ?? 'newest' }
}

export const isFiltered = ({ search, filter }: ListSearch): boolean => Boolean(search ?? filter)

/** The active filters, for an empty list: '2 filters are on: Stage, Tag.' */
export function formatFilters({ filter }: ListSearch): string | null {
  const names = readFilter(filter ?? '').conditions.map(({ field }) => filterFields[field].label)
  if (names.length === 0) return null
  return `${names.length === 1 ? '1 filter is' : `${names.length} filters are`} on: ${names.join(', ')}.`
}
