import { describe, expect, it } from 'vitest'
import { daysOf, formatFilters, readReceiptsSearch } from './receipts-search.ts'

const friday = '2026-11-20'

describe('URL parameters of /collections', () => {
  it('keeps valid filters and drops invalid ones', () => {
    const id = '0198f0aa-0000-7000-8000-000000000001'
    expect(readReceiptsSearch({ period: 'custom', from: '2026-11-01', to: '2026-02-30', account: 91, staff: id, receipt: 'x' })).toEqual({
      tab: 'receipts',
      period: 'custom',
      from: '2026-11-01',
      account: '91',
      staff: id,
    })
    expect(readReceiptsSearch({ period: 'today', from: '2026-11-01', state: 'complete', tab: 'none', search: ' ' })).toEqual({})
  })
  it('opens the Outstanding tab unless the URL has a tab or, as older URLs do, receipt filters', () => {
    const tabOf = (from: Record<string, unknown>) => readReceiptsSearch(from).tab
    expect([tabOf({}), tabOf({ tab: 'outstanding' }), tabOf({ show: 'late', page: 2 }), tabOf({ tab: 'none' })]).toEqual(
      Array(4).fill(undefined),
    )
    expect([tabOf({ tab: 'receipts' }), tabOf({ tab: 'pending', receipt: '0198f0aa-0000-7000-8000-000000000001' })]).toEqual([
      'receipts',
      'pending',
    ])
    expect([tabOf({ period: 'week' }), tabOf({ search: 1042 }), tabOf({ state: 'cancelled' })]).toEqual(Array(3).fill('receipts'))
    expect(tabOf({ receipt: '0198f0aa-0000-7000-8000-000000000001' })).toBe('receipts')
    // When the user switches to Outstanding, the receipt filters stay in the URL.
    expect(tabOf({ tab: 'outstanding', method: 'Visa' })).toBe('outstanding')
    expect(readReceiptsSearch({ ...readReceiptsSearch({ method: 'Visa' }) })).toEqual(readReceiptsSearch({ method: 'Visa' }))
  })
  it.each([
    [undefined, { from: friday, to: friday }],
    ['yesterday', { from: '2026-11-19', to: '2026-11-19' }],
    ['week', { from: '2026-11-16', to: friday }],
    ['month', { from: '2026-11-01', to: friday }],
    ['last-month', { from: '2026-10-01', to: '2026-10-31' }],
    ['all', {}],
  ] as const)('%s', (period, days) => {
    expect(daysOf({ period }, friday)).toEqual(days)
  })
  it('handles a week that begins on a Monday of another year, and the Sunday at its end', () => {
    expect(daysOf({ period: 'week' }, '2027-01-01')).toEqual({ from: '2026-12-28', to: '2027-01-01' })
    expect(daysOf({ period: 'week' }, '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  })
  it('names the active filters', () => {
    const search = { period: 'all', method: 'Visa & debit', state: 'cancelled' } as const
    expect(formatFilters(search)).toBe('Payment method, Cancelled')
  })
})
