import { type OutstandingSearch, readOutstandingSearch } from '../../../collections/web/embed/outstanding-search.ts'
import { daysLater, monthsLater } from '../../../../shared/zoned-time.ts'

export const periodLabels = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'This week',
  month: 'This month',
  'last-month': 'Last month',
  all: 'All time',
  custom: 'Days',
} as const
export type Period = keyof typeof periodLabels

/** The first is the one that a bare address opens. */
export const tabLabels = { owing: 'Outstanding', receipts: 'Receipts', pending: 'Pending' } as const
export type Tab = keyof typeof tabLabels

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface ReceiptsSearch extends OutstandingSearch {
  tab?: Tab
  period?: Exclude<Period, 'today'>
  /** Of `custom`. */
  from?: string
  to?: string
  search?: string
  method?: string
  account?: string
  class?: string
  staff?: string
  patient?: string
  state?: 'cancelled'
  /** The receipt that is looked at. */
  receipt?: string
}

export interface ReceiptsTabProps {
  search: ReceiptsSearch
  /** `replace`: without a step of the history of its own. */
  onChange: (part: ReceiptsSearch, replace?: boolean) => void
  onOpen: (id: string) => void
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address that anyone may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
export function readReceiptsSearch(from: Record<string, unknown>): ReceiptsSearch {
  const text = (key: string, most: number) => {
    const value = typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : ''
    return value !== '' && value.length <= most ? value : undefined
  }
  const id = (key: string) => (uuid.test(text(key, 36) ?? '') ? text(key, 36) : undefined)
  const day = (key: string) => (isDay(text(key, 10) ?? '') ? text(key, 10) : undefined)
  const period = (Object.keys(periodLabels) as Period[]).find((value) => value === text('period', 20))
  const isCustom = period === 'custom'
  const tab = (Object.keys(tabLabels) as Tab[]).find((value) => value === text('tab', 10))
  const ofReceipts: ReceiptsSearch = {
    period: period === 'today' ? undefined : period,
    from: isCustom ? day('from') : undefined,
    to: isCustom ? day('to') : undefined,
    search: text('search', 100),
    method: text('method', 64),
    account: text('account', 64),
    class: text('class', 64),
    staff: id('staff'),
    patient: id('patient'),
    state: text('state', 10) === 'cancelled' ? 'cancelled' : undefined,
    receipt: id('receipt'),
  }
  // An address that says what receipts are meant, but no tab, is from when theirs was the first.
  const isOfReceipts = Object.values(ofReceipts).some((value) => value !== undefined)
  const shown = tab ?? (isOfReceipts ? 'receipts' : 'owing')
  return { ...readOutstandingSearch(from), tab: shown === 'owing' && !isOfReceipts ? undefined : shown, ...ofReceipts }
}

/** JavaScript takes February 30 for a day of March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The first and last day of what is shown, 'yyyy-MM-dd' as `today`; weeks begin on Monday. */
export function daysOf({ period, from, to }: ReceiptsSearch, today: string): { from?: string; to?: string } {
  const month = `${today.slice(0, 8)}01`
  switch (period) {
    case undefined:
      return { from: today, to: today }
    case 'yesterday':
      return { from: daysLater(today, -1), to: daysLater(today, -1) }
    case 'week': {
      const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
      return { from: daysLater(today, -weekday), to: today }
    }
    case 'month':
      return { from: month, to: today }
    case 'last-month':
      return { from: monthsLater(month, -1), to: daysLater(month, -1) }
    case 'all':
      return {}
    case 'custom':
      return { from, to }
  }
}

/** What the API is asked for. */
export function filtersOf(search: ReceiptsSearch, today: string) {
  const { method, account, class: classId, staff, patient, state, search: term } = search
  return { ...daysOf(search, today), method, accountId: account, classId, staffId: staff, contactId: patient, state, search: term }
}
export type ReceiptFilters = ReturnType<typeof filtersOf>

/** The filters beside the days, to be taken away at once. */
export const noFilters = {
  search: undefined,
  method: undefined,
  account: undefined,
  class: undefined,
  staff: undefined,
  patient: undefined,
  state: undefined,
} satisfies ReceiptsSearch

/** The filters that are on, by the words of their fields. */
export function formatFilters({ search, method, account, class: className, staff, patient, state }: ReceiptsSearch): string {
  const on = {
    [`“${search}”`]: search,
    'Payment method': method,
    'Deposit account': account,
    Class: className,
    'Taken by': staff,
    Patient: patient,
    Cancelled: state,
  }
  return Object.entries(on)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field)
    .join(', ')
}
