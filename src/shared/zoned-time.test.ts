import { expect, it } from 'vitest'
import fc from 'fast-check'
import { ageOn, daysFrom, daysLater, monthsLater, parseDay, toInstant, toLocal } from './zoned-time.ts'

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

it.each([
  ['1988-03-14', '2026-03-13', 37],
  ['1988-03-14', '2026-03-14', 38],
  ['2026-11-27', '2026-11-27', 0],
  ['2025-12-31', '2026-01-01', 0],
  ['2000-02-29', '2026-02-28', 25],
  ['2000-02-29', '2026-03-01', 26],
])('counts the age of someone born on %s on %s as %i', (born, day, age) => {
  expect(ageOn(born, day)).toBe(age)
})

it('counts an age that changes on the birthday only, by one each year', () => {
  const dayOf = (from: string, to: string) =>
    fc
      .date({ min: new Date(`${from}T00:00:00Z`), max: new Date(`${to}T00:00:00Z`), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(dayOf('1900-01-01', '2030-12-31'), fc.nat(120), fc.nat(364), (born, years, days) => {
      // The birthday of those born on February 29 is March 1 in other years.
      const birthday = (year: number) => {
        const date = `${Number(born.slice(0, 4)) + year}${born.slice(4)}`
        return Number.isNaN(parseDay(date).getTime()) ? date.replace('-02-29', '-03-01') : date
      }
      expect(ageOn(born, birthday(years))).toBe(years)
      expect(ageOn(born, daysLater(birthday(years + 1), -1))).toBe(years)
      const between = daysLater(birthday(years), days)
      if (between < birthday(years + 1)) expect(ageOn(born, between)).toBe(years)
    }),
  )
})
