import { describe, expect, it } from 'vitest'
import { addDays, addMonths, dayIn, daysOf, hourIn, weeksOf } from './calendar.ts'

describe('the calendar of the booking page', () => {
  it('knows months, also across years and leap days (issue 29)', () => {
    expect([addMonths('2026-12', 1), addMonths('2027-01', -1), addMonths('2026-01', 13)]).toEqual(['2027-01', '2026-12', '2027-02'])
    expect([addDays('2028-02-28', 1), addDays('2026-03-01', -1), addDays('2026-12-31', 1)]).toEqual([
      '2028-02-29',
      '2026-02-28',
      '2027-01-01',
    ])
    expect([daysOf('2028-02').length, daysOf('2026-12').at(-1)]).toEqual([29, '2026-12-31'])
  })

  it('lays out the weeks that are not over from Sunday, with gaps for other months (issue 29)', () => {
    const weeks = weeksOf('2026-12', '2026-11-20')
    expect(weeks[0]).toEqual([null, null, '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'])
    expect(weeks.at(-1)!.slice(4)).toEqual(['2026-12-31', null, null])
    expect(weeksOf('2026-02', '2026-01-31')).toHaveLength(4)
    expect(weeksOf('2026-12', '2026-12-26')).toEqual(weeks.slice(3))
    expect(weeksOf('2026-12', '2026-12-27')).toEqual(weeks.slice(4))
  })

  it('reads day and hour of an instant in the practice’s time zone (issue 29)', () => {
    expect([dayIn('2026-12-02T04:30:00Z', 'America/Toronto'), hourIn('2026-12-02T04:30:00Z', 'America/Toronto')]).toEqual([
      '2026-12-01',
      23,
    ])
    expect(hourIn('2026-12-01T05:15:00Z', 'America/Toronto')).toBe(0)
  })
})
