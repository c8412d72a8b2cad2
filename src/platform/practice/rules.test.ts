import { describe, expect, it } from 'vitest'
import { nextOpenDay, weekdayOf } from './rules.ts'
import { toHstNumber } from '../../shared/hst-number.ts'

const everyDay = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '08:30', closes: '16:30' }))

describe('practice hours', () => {
  it('knows weekdays, 1 to 7 from Monday', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29', '2028-02-29'].map(weekdayOf)).toEqual([1, 6, 7, 2])
  })

  it('finds the next open day, or the next day if all are closed', () => {
    const weekdays = everyDay.slice(0, 5)
    expect(['2026-11-19', '2026-11-20', '2026-11-21', '2026-12-31'].map((day) => nextOpenDay(weekdays, day))).toEqual([
      '2026-11-20',
      '2026-11-23',
      '2026-11-23',
      '2027-01-01',
    ])
    expect(nextOpenDay([everyDay[4]!], '2026-11-20')).toBe('2026-11-27')
    expect(nextOpenDay([], '2026-11-20')).toBe('2026-11-21')
  })
})

it.each([
  ['123456789 RT0001', '123456789 RT0001'],
  ['123456789RT0001', '123456789 RT0001'],
  [' 12345 6789 rt-0002 ', '123456789 RT0002'],
  ['123456789', null],
  ['12345678 RT0001', null],
  ['123456789 RP0001', null],
  ['123456789 RT00011', null],
  ['', null],
])('keeps the HST registration number %j as %j', (typed, kept) => {
  expect(toHstNumber(typed)).toBe(kept)
})
