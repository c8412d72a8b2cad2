import { type Age, ages } from '../../rules.ts'

export const showLabels = {
  all: 'All',
  late: 'Late',
  'before-surgery': 'Before surgery',
  held: 'On hold',
  promised: 'Promised',
} as const
export type Show = keyof typeof showLabels

/** What is shown of those who owe, as it stands in the address. Defaults are left out. */
export interface OutstandingSearch {
  show?: Exclude<Show, 'all'>
  age?: Age
  owner?: string
  page?: number
  /** The patient whose account is looked at. */
  owes?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address that anyone may have typed; what makes no sense is said to be undefined. */
export function readOutstandingSearch(from: Record<string, unknown>): OutstandingSearch {
  const id = (key: string) => (typeof from[key] === 'string' && uuid.test(from[key]) ? from[key] : undefined)
  const show = (Object.keys(showLabels) as Show[]).find((value) => value === from.show)
  const page = Number(from.page)
  return {
    show: show === 'all' ? undefined : show,
    age: ages.find((value) => value === from.age),
    owner: id('owner'),
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
    owes: id('owes'),
  }
}

export interface OutstandingTabProps {
  search: OutstandingSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: OutstandingSearch, replace?: boolean) => void
}
