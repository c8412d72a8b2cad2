import { expect, it } from 'vitest'
import { daysLater, monthsLater, toInstant, toLocal } from './zoned-time.ts'

const zone = 'America/Toronto'

it("converts local time in a time zone to an instant, regardless of the machine's zone", () => {
  expect(toInstant({ day: '2026-11-20', time: '14:30' }, zone)).toBe('2026-11-20T19:30:00.000Z')
  expect(toInstant({ day: '2026-07-20', time: '14:30' }, zone)).toBe('2026-07-20T18:30:00.000Z')
})

it('converts an instant back to local time', () => {
  expect(toLocal('2026-11-21T04:59:00Z', zone)).toEqual({ day: '2026-11-20', time: '23:59' })
  for (const day of ['2026-03-07', '2026-03-09', '2026-10-31', '2026-11-02']) {
    expect(toLocal(toInstant({ day, time: '09:00' }, zone), zone)).toEqual({ day, time: '09:00' })
  }
})

it('moves a time skipped by daylight saving forward an hour', () => {
  expect(toLocal(toInstant({ day: '2026-03-08', time: '02:30' }, zone), zone)).toEqual({ day: '2026-03-08', time: '03:30' })
})

it('adds calendar days and months across clock changes and month ends', () => {
  expect(daysLater('2026-10-31', 2)).toBe('2026-11-02')
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28')
})
