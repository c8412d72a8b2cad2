import { describe, expect, it } from 'vitest'
import { isWithinHours, nextOpenDay, weekdayOf } from './rules.ts'
import { toHstNumber } from '../../shared/hst-number.ts'

const zone = 'America/Toronto'
const everyDay = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '08:30', closes: '16:30' }))
const isOpen = (from: string, to: string, hours = everyDay) => isWithinHours(hours, new Date(from), new Date(to), zone)

describe('practice hours', () => {
  it('knows weekdays, 1 to 7 from Monday', () => {
    expect(['2026-11-23', '2026-11-28', '2026-11-29', '2028-02-29'].map(weekdayOf)).toEqual([1, 6, 7, 2])
  })

  it("uses the practice's time zone, also across daylight saving", () => {
    for (const [opens, closes] of [
      ['2026-03-07T13:30:00Z', '2026-03-07T21:30:00Z'],
      ['2026-03-08T12:30:00Z', '2026-03-08T20:30:00Z'],
      ['2026-10-31T12:30:00Z', '2026-10-31T20:30:00Z'],
      ['2026-11-01T13:30:00Z', '2026-11-01T21:30:00Z'],
    ] as const) {
      const later = (instant: string, minutes: number) => new Date(Date.parse(instant) + minutes * 60_000).toISOString()
      expect(isOpen(opens, closes), `from ${opens}`).toBe(true)
      expect(isOpen(later(opens, -1), closes), `from ${opens}`).toBe(false)
      expect(isOpen(opens, later(closes, 1)), `from ${opens}`).toBe(false)
    }
  })

  it('must lie on one day, and a missing day is closed', () => {
    const long = everyDay.map(({ weekday }) => ({ weekday, opens: '00:00', closes: '23:59' }))
    expect(isOpen('2026-12-01T20:00:00Z', '2026-12-02T20:00:00Z', long)).toBe(false)
    expect(isOpen('2026-12-01T15:00:00Z', '2026-12-01T16:00:00Z', [everyDay[0]!])).toBe(false)
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
