import type { ContactSort, ListInput } from '../../contract.ts'
import { filterFields, readFilter, writeFilter } from '../../filter.ts'
import type { BoardOrder } from '../../rules.ts'

/** What the list shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface ListSearch {
  search?: string
  /** In the language of filter.ts. */
  filter?: string
  sort?: ContactSort
  page?: number
  /** The columns of a saved view, where they are not the user's own. */
  columns?: string
  /** The view that is open. Without anything else, it is asked for: the page opens it. */
  view?: string
  /** The board rather than the list; the order of its columns is its own. */
  layout?: 'board'
  order?: BoardOrder
}

/** What the sort menu calls each order, the usual one first. */
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

/** Spec 8. The contract has it too, but to load it here would bring all its shapes along; a test compares the two. */
export const loadFailed = 'Failed to load contacts'
/** Spec 9, likewise. */
export const pageSize = 50

/** The contract's limits; what is beyond them is left out of the address rather than sent and refused. */
const [maxTermLength, lastPage, maxColumnsLength] = [200, 1_000_000, 500]

/**
 * Reads an address that anyone may have typed: what makes no sense is as if it were not there. It is said to be undefined, for the router would
 * take what is left out from the address as it stands.
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

/** The filters of the contract's list and count. */
export function filtersOf({ search, filter }: ListSearch): { search?: string; filter?: string } {
  return { ...(search && { search }), ...(filter && { filter }) }
}

export function listInputOf(search: ListSearch): Partial<ListInput> {
  return { ...filtersOf(search), page: search.page ?? 1, sort: search.sort ?? 'newest' }
}

export const isFiltered = ({ search, filter }: ListSearch): boolean => Boolean(search ?? filter)

/** The names of the filters that are on, for an empty list: '2 filters are on: Stage, Tag.' */
export function formatFilters({ filter }: ListSearch): string | null {
  const names = readFilter(filter ?? '').conditions.map(({ field }) => filterFields[field].label)
  if (names.length === 0) return null
  return `${names.length === 1 ? '1 filter is' : `${names.length} filters are`} on: ${names.join(', ')}.`
}
