import type { ContactSort, ListInput } from '../../contract.ts'

/** What the list shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface ListSearch {
  search?: string
  stage?: string
  tag?: string
  sort?: ContactSort
  page?: number
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

/** Spec 8. The contract has it too, but to load it here would bring all its shapes along; a test compares the two. */
export const loadFailed = 'Failed to load contacts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The contract's limits; what is beyond them is left out of the address rather than sent and refused. */
const [longestTerm, lastPage] = [200, 1_000_000]

/** Reads an address that anybody may have typed: what makes no sense is as if it were not there. */
export function readListSearch(from: Record<string, unknown>): ListSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : '')
  const id = (key: string) => (uuid.test(text(key)) ? text(key).toLowerCase() : undefined)
  const sort = text('sort')
  const page = /^\d{1,7}$/.test(text('page')) ? Number(text('page')) : 1
  const found: ListSearch = {
    search: text('search').slice(0, longestTerm).toWellFormed().replaceAll('\0', '') || undefined,
    stage: id('stage'),
    tag: id('tag'),
    sort: isSort(sort) && sort !== 'newest' ? sort : undefined,
    page: page > 1 && page <= lastPage ? page : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const isSort = (text: string): text is ContactSort => Object.hasOwn(sortLabels, text)

/** The filters of the contract's list and count. */
export function filtersOf({ search, stage, tag }: ListSearch): { search?: string; stageId?: string; tagId?: string } {
  return { ...(search && { search }), ...(stage && { stageId: stage }), ...(tag && { tagId: tag }) }
}

export function listInputOf(search: ListSearch): Partial<ListInput> {
  return { ...filtersOf(search), page: search.page ?? 1, sort: search.sort ?? 'newest' }
}

export const isFiltered = ({ search, stage, tag }: ListSearch): boolean => Boolean(search ?? stage ?? tag)

/** The names of the filters that are on, for an empty list: '2 filters are on: Stage, Tag.' */
export function filtersInWords({ stage, tag }: ListSearch): string | null {
  const names = [stage && 'Stage', tag && 'Tag'].filter(Boolean)
  if (names.length === 0) return null
  return `${names.length === 1 ? '1 filter is' : `${names.length} filters are`} on: ${names.join(', ')}.`
}
