import type { ViewedList } from './contract.ts'

/** What a view shows, as it stands in the list's address. Two lists are the same when these are. */
const listKeys = ['search', 'filter', 'sort', 'layout', 'order', 'columns'] as const satisfies (keyof ViewedList)[]

/** The part of an address that a view holds; its page, for one, is not. */
export function listOf(address: ViewedList): ViewedList {
  return Object.fromEntries(listKeys.filter((key) => address[key] !== undefined).map((key) => [key, address[key]]))
}

export const isSameList = (a: ViewedList, b: ViewedList): boolean => listKeys.every((key) => a[key] === b[key])

export const isEmptyList = (list: ViewedList): boolean => isSameList(list, {})

/** What the views that everyone has leave to anyone who looks: the same patients as a list or as a board. */
export const withoutLayout = ({ search, filter, sort }: ViewedList): ViewedList => ({ search, filter, sort })

export interface BuiltInView {
  id: string
  name: string
  list: ViewedList
}

/** The views that everyone has without saving them. Their words ('me', 'overdue') mean anyone who looks, and the day they look. */
export const builtInViews: readonly BuiltInView[] = [
  { id: 'all', name: 'All patients', list: {} },
  { id: 'mine', name: 'My patients', list: { filter: 'owner:me' } },
  { id: 'overdue', name: 'Overdue follow-ups', list: { filter: 'follow-up:overdue', sort: 'follow-up' } },
  { id: 'new', name: 'New leads', list: { filter: 'added:last-7-days' } },
  { id: 'unassigned', name: 'Unassigned', list: { filter: 'owner:none' } },
]
