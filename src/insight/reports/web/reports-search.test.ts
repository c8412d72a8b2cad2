import { describe, expect, it } from 'vitest'
import { openingOf } from './number-target.ts'
import { askOf, fileAddress, isSameAsk, readReportsSearch, searchOf, switchedTo } from './reports-search.ts'
import { soundSearch } from './valid-search.ts'
import { differenceOf, inShort, formatFigure } from './values.ts'

const id = '01a2052d-a2fc-7b02-b9ea-d2982bcfa5a7'
const read = (address: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(soundSearch(readReportsSearch(address))).filter(([, value]) => value !== undefined))

describe('parsing addresses', () => {
  it.each([
    [{}, {}],
    [{ report: 'leads', period: 'nonsense' }, {}],
    [
      { report: 'tasks', period: 'this-year', user: id.toUpperCase(), source: 'Referral' },
      { report: 'tasks', period: 'this-year', user: id },
    ],
    [{ period: 'custom', from: '2026-02-30', to: '2026-03-01' }, {}],
    [{ period: 'custom', from: '2026-03-02', to: '2026-03-01' }, {}],
    [
      { period: 'custom', from: '2026-03-01', to: '2026-03-01' },
      { period: 'custom', from: '2026-03-01', to: '2026-03-01' },
    ],
    [
      { figure: 'leads', by: 'source', row: 'Referral' },
      { figure: 'leads', by: 'source', row: 'Referral' },
    ],
    [{ figure: 'constructor', by: 'source', row: 'Referral' }, {}],
    [{ report: 'revenue', figure: 'average' }, { report: 'revenue' }],
    [{ source: 'a\0b', location: 'Oakville' }, {}],
  ])('%o: %o', (address, shown) => {
    expect(read(address)).toEqual(shown)
  })

  it('opens a saved report under the same address', () => {
    const ask = askOf({ report: 'consults', period: 'last-year', user: id })
    expect(read({ ...searchOf(ask, id) })).toEqual({ report: 'consults', period: 'last-year', user: id, saved: id })
    expect(isSameAsk(ask, { user: id, period: 'last-year', report: 'consults' })).toBe(true)
    expect(isSameAsk(ask, { report: 'consults' })).toBe(false)
    expect(fileAddress(ask)).toBe(`/api/reports.csv?report=consults&period=last-year&user=${id}`)
  })
})

describe('switching reports', () => {
  const shown = {
    report: 'revenue',
    period: 'last-90-days',
    user: id,
    source: 'Referral',
    procedure: id,
    saved: id,
    figure: 'net',
  } as const

  it('keeps the period and the filters the new report has, except the person', () => {
    expect(read({ ...switchedTo('consults', shown) })).toEqual({
      report: 'consults',
      period: 'last-90-days',
      source: 'Referral',
      procedure: id,
    })
    expect(read({ ...switchedTo('tasks', shown) })).toEqual({ report: 'tasks', period: 'last-90-days' })
    expect(read({ ...switchedTo('leads', { period: 'custom', from: '2026-03-01', to: '2026-03-02' }) })).toEqual({
      period: 'custom',
      from: '2026-03-01',
      to: '2026-03-02',
    })
  })
})

describe('target of a number', () => {
  const data = { report: 'leads' as const, now: { from: '2026-03-01', to: '2026-03-31' } }
  const opened = (measure: string, place?: Parameters<typeof openingOf>[4], given = {}) =>
    openingOf(data, askOf(given), measure, [id], place)
  const row = (breakdown: string, key: string | null, next?: string) => ({
    breakdown,
    row: { key },
    next: next === undefined ? undefined : { key: next },
  })

  it('is the patient list if its filter can express the same', () => {
    expect(opened('leads')).toEqual({ patients: 'added:2026-03-01..2026-03-31' })
    expect(opened('booked', row('source', 'Social Media'), { user: id })).toEqual({
      patients: `added:2026-03-01..2026-03-31;owner:${id};source-group:Social Media;stage:${id}`,
    })
    expect(opened('leads', row('time', '2026-03-09', '2026-03-16'))).toEqual({ patients: 'added:2026-03-09..2026-03-15' })
    expect(opened('leads', row('time', '2026-03-30'))).toEqual({ patients: 'added:2026-03-30..2026-03-31' })
    expect(opened('leads', row('user', null))).toEqual({ patients: 'added:2026-03-01..2026-03-31;owner:none' })
  })

  it('is the records otherwise, or nothing if they cannot be listed', () => {
    expect(opened('leads', row('procedure', '~Botox'))).toEqual({ records: { figure: 'leads', by: 'procedure', row: '~Botox' } })
    expect(openingOf({ ...data, report: 'revenue' }, askOf({ report: 'revenue' }), 'net', [], row('user', null))).toEqual({
      records: { figure: 'net', by: 'user', row: undefined },
    })
    expect(openingOf({ ...data, report: 'revenue' }, askOf({ report: 'revenue' }), 'average', [])).toBe(null)
  })
})

describe('formatted values', () => {
  it.each([
    [1_204, 'count', '1,204', '1.2k'],
    [12.4, 'count', '12.4', '12'],
    [-4_500_000, 'money', '−$45,000.00', '−$45k'],
    [123_456_789_00, 'money', '$123,456,789.00', '$123M'],
    [33, 'percent', '33%', '33%'],
    [9.14, 'days', '9.1 days', '9.1 days'],
    [4.15, 'times', '4.2×', '4.2×'],
    [-0.5, 'times', '−0.5×', '−0.5×'],
    [null, 'seconds', 'None', null],
  ] as const)('%s in %s: %s', (value, unit, words, short) => {
    expect(formatFigure(value, unit)).toBe(words)
    if (value !== null) expect(inShort(value, unit)).toBe(short)
  })

  it('shows good and bad changes by measure, percentages in points, and nothing without a previous value', () => {
    const rate = { label: '', unit: 'percent', better: 'more' } as const
    expect(differenceOf(rate, 75, 50)).toEqual({ text: '+25 points', tone: 'good' })
    expect(differenceOf(rate, 49, 50)).toEqual({ text: '−1 point', tone: 'bad' })
    expect(differenceOf({ label: '', unit: 'seconds', better: 'less' }, 60, 120)).toEqual({ text: '−50%', tone: 'good' })
    expect(differenceOf({ label: '', unit: 'count' }, 3, 2)).toEqual({ text: '+50%', tone: 'same' })
    for (const before of [0, null, -5]) expect(differenceOf({ label: '', unit: 'money' }, 3, before)).toBe(null)
  })
})
