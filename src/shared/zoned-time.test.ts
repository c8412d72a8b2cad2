import { expect, it } from 'vitest'
import { daysFrom, daysLater, monthsLater, parseDay, toInstant, toLocal } from './zoned-time.ts'

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

it('takes the first of two local times when daylight saving ends', () => {
  expect(toInstant({ day: '2026-11-01', time: '01:30' }, zone)).toBe('2026-11-01T05:30:00.000Z')
  expect(toInstant({ day: '2026-04-05', time: '02:30' }, 'Pacific/Auckland')).toBe('2026-04-04T13:30:00.000Z')
})

it('adds calendar days and months across clock changes and month ends', () => {
  expect(daysLater('2026-10-31', 2)).toBe('2026-11-02')
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28')
})

it('counts calendar days, and knows which days exist', () => {
  expect(daysFrom('2026-02-27', '2026-03-02')).toBe(3)
  expect(daysFrom('2026-03-09', '2026-03-07')).toBe(-2)
  expect(parseDay('2026-02-30').getTime()).toBeNaN()
  expect(parseDay('2026-2-3').getTime()).toBeNaN()
  expect(parseDay('0099-12-31').toISOString()).toBe('0099-12-31T00:00:00.000Z')
  expect(() => daysLater('2026-02-30', 1)).toThrow(RangeError)
})
