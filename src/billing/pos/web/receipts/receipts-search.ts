import { type OutstandingSearch, readOutstandingSearch } from '../../../collections/web/embed/outstanding-search.ts'
import { type DisputesSearch, readDisputesSearch } from '../../../disputes/web/embed/disputes-search.ts'
import { type PayoutsSearch, readPayoutsSearch } from '../../../payouts/web/embed/payouts-search.ts'
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

/** A URL without parameters opens the first tab. */
export const tabLabels = {
  outstanding: 'Outstanding',
  receipts: 'Receipts',
  pending: 'Pending',
  payouts: 'Payouts',
  disputes: 'Disputes',
} as const
export type Tab = keyof typeof tabLabels

/** URL parameters of the page: shareable, and restored by the back button. Defaults are left out. */
export interface ReceiptsSearch extends OutstandingSearch, PayoutsSearch, DisputesSearch {
  tab?: Tab
  period?: Exclude<Period, 'today'>
  /** For the period `custom`. */
  from?: string
  to?: string
  search?: string
  method?: string
  account?: string
  class?: string
  staff?: string
  patient?: string
  state?: 'cancelled'
  /** The receipt that is open. */
  receipt?: string
}

export interface ReceiptsTabProps {
  search: ReceiptsSearch
  /** `replace`: without a new history entry. */
  onChange: (part: ReceiptsSearch, replace?: boolean) => void
  onOpen: (id: string) => void
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads URL parameters, which may be hand-typed. Invalid values become undefined: the router would pass them through otherwise. */
export function readReceiptsSearch(from: Record<string, unknown>): ReceiptsSearch {
  const text = (key: string, most: number) => {
    const value = typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : ''
    return value !== '' && value.length <= most ? value : undefined
  }
  const id = (key: string) => (uuid.test(text(key, 36) ?? '') ? text(key, 36) : undefined)
  const day = (key: string) => (isDay(text(key, 10) ?? '') ? text(key, 10) : undefined)
  const period = (Object.keys(periodLabels) as Period[]).find((value) => value === text('period', 20))
  const isCustom = period === 'custom'
  const tab = (Object.keys(tabLabels) as Tab[]).find((value) => value === text('tab', 20))
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
  // A URL with receipt filters but no tab dates from when Receipts was the first tab.
  const isOfReceipts = Object.values(ofReceipts).some((value) => value !== undefined)
  const shown = tab ?? (isOfReceipts ? 'receipts' : 'outstanding')
  return {
    ...readOutstandingSearch(from),
    ...readPayoutsSearch(from),
    ...readDisputesSearch(from),
    tab: shown === 'outstanding' && !isOfReceipts ? undefined : shown,
    ...ofReceipts,
  }
}

/** JavaScript parses February 30 as a day in March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The first and last day shown, 'yyyy-MM-dd' like `today`; weeks begin on Monday. */
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

/** The search as API input. */
export function filtersOf(search: ReceiptsSearch, today: string) {
  const { method, account, class: classId, staff, patient, state, search: term } = search
  return { ...daysOf(search, today), method, accountId: account, classId, staffId: staff, contactId: patient, state, search: term }
}
export type ReceiptFilters = ReturnType<typeof filtersOf>

/** All filters except the period, to clear them at once. */
export const noFilters = {
  search: undefined,
  method: undefined,
  account: undefined,
  class: undefined,
  staff: undefined,
  patient: undefined,
  state: undefined,
} satisfies ReceiptsSearch

/** Labels of the active filters. */
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
