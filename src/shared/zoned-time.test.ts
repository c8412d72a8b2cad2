import { expect, it } from 'vitest'
import { daysLater, monthsLater, toInstant, toLocal } from './zoned-time.ts'

const zone = 'America/Toronto'

it("turns the clock of a time zone into an instant, whatever the machine's own zone is", () => {
  expect(toInstant({ day: '2026-11-20', time: '14:30' }, zone)).toBe('2026-11-20T19:30:00.000Z')
  expect(toInstant({ day: '2026-07-20', time: '14:30' }, zone)).toBe('2026-07-20T18:30:00.000Z')
})

it('and back', () => {
  expect(toLocal('2026-11-21T04:59:00Z', zone)).toEqual({ day: '2026-11-20', time: '23:59' })
  for (const day of ['2026-03-07', '2026-03-09', '2026-10-31', '2026-11-02']) {
    expect(toLocal(toInstant({ day, time: '09:00' }, zone), zone)).toEqual({ day, time: '09:00' })
  }
})

it('moves a time that the clocks skip to the hour after', () => {
  expect(toLocal(toInstant({ day: '2026-03-08', time: '02:30' }, zone), zone)).toEqual({ day: '2026-03-08', time: '03:30' })
})

it('counts calendar days and months, over the change of the clocks and the end of a month', () => {
  expect(daysLater('2026-10-31', 2)).toBe('2026-11-02')
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28')
})
