import type { ViewedList } from './contract.ts'

/** The URL parameters that a view stores. Two lists are equal if these are. */
const listKeys = ['search', 'filter', 'sort', 'layout', 'order', 'columns'] as const satisfies (keyof ViewedList)[]

/** The URL parameters that a view stores, without the page for example. */
export function listOf(address: ViewedList): ViewedList {
  return Object.fromEntries(listKeys.filter((key) => address[key] !== undefined).map((key) => [key, address[key]]))
}

export const isSameList = (a: ViewedList, b: ViewedList): boolean => listKeys.every((key) => a[key] === b[key])

export const isEmptyList = (list: ViewedList): boolean => isSameList(list, {})

/** The parameters of a built-in view: layout, order and columns are up to the user. */
export const withoutLayout = ({ search, filter, sort }: ViewedList): ViewedList => ({ search, filter, sort })

export interface BuiltInView {
  id: string
  name: string
  list: ViewedList
}

/** The built-in views. 'me' and 'overdue' are resolved for the current user and day. */
export const builtInViews: readonly BuiltInView[] = [
  { id: 'all', name: 'All patients', list: {} },
  { id: 'mine', name: 'My patients', list: { filter: 'owner:me' } },
  { id: 'overdue', name: 'Overdue follow-ups', list: { filter: 'follow-up:overdue', sort: 'follow-up' } },
  { id: 'new', name: 'New leads', list: { filter: 'added:last-7-days' } },
  { id: 'unassigned', name: 'Unassigned', list: { filter: 'owner:none' } },
]
