import { type Age, ages } from '../../rules.ts'

export const showLabels = {
  all: 'All',
  late: 'Late',
  'before-surgery': 'Before surgery',
  held: 'On hold',
  promised: 'Promised',
} as const
export type Show = keyof typeof showLabels

/** URL parameters of the outstanding list. Defaults are left out. */
export interface OutstandingSearch {
  show?: Exclude<Show, 'all'>
  age?: Age
  owner?: string
  page?: number
  /** The patient whose account is open. */
  accountOf?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads URL parameters, which may be hand-typed. Invalid values become undefined. */
export function readOutstandingSearch(from: Record<string, unknown>): OutstandingSearch {
  const id = (key: string) => (typeof from[key] === 'string' && uuid.test(from[key]) ? from[key] : undefined)
  const show = (Object.keys(showLabels) as Show[]).find((value) => value === from.show)
  const page = Number(from.page)
  return {
    show: show === 'all' ? undefined : show,
    age: ages.find((value) => value === from.age),
    owner: id('owner'),
    page: Number.isInteger(page) && page > 1 && page <= 10_000 ? page : undefined,
    accountOf: id('accountOf'),
  }
}

export interface OutstandingTabProps {
  search: OutstandingSearch
  /** `replace`: without a new history entry. */
  onChange: (part: OutstandingSearch, replace?: boolean) => void
}
