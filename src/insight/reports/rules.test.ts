import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../shared/zoned-time.ts'
import { comparedPeriods, lengthOf, periodNames, stepOf, steps, stepsOf } from './rules.ts'
import { everies, nextDue } from './schedule-rules.ts'

const today = '2026-11-22'

describe('periods and their comparison', () => {
  it.each([
    ['last-7-days', '2026-11-16..2026-11-22', '2026-11-09..2026-11-15'],
    ['last-30-days', '2026-10-24..2026-11-22', '2026-09-24..2026-10-23'],
    ['last-90-days', '2026-08-25..2026-11-22', '2026-05-27..2026-08-24'],
    ['last-12-months', '2025-11-23..2026-11-22', '2024-11-23..2025-11-22'],
    ['this-month', '2026-11-01..2026-11-22', '2026-10-01..2026-10-22'],
    ['last-month', '2026-10-01..2026-10-31', '2026-09-01..2026-09-30'],
    ['this-quarter', '2026-10-01..2026-11-22', '2026-07-01..2026-08-22'],
    ['last-quarter', '2026-07-01..2026-09-30', '2026-04-01..2026-06-30'],
    ['this-year', '2026-01-01..2026-11-22', '2025-01-01..2025-11-22'],
    ['last-year', '2025-01-01..2025-12-31', '2024-01-01..2024-12-31'],
  ] as const)('%s on November 22: %s, before it %s', (name, now, before) => {
    const periods = comparedPeriods(name, today, null)
    expect([`${periods.now.from}..${periods.now.to}`, `${periods.before.from}..${periods.before.to}`]).toEqual([now, before])
  })

  it('compares custom days with the same number of days before', () => {
    expect(comparedPeriods('custom', today, { from: '2025-03-01', to: '2025-03-31' }).before).toEqual({
      from: '2025-01-29',
      to: '2025-02-28',
    })
  })

  it('compares a month in progress with the same days of the previous month', () => {
    expect(comparedPeriods('this-month', '2026-03-31', null).before).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(comparedPeriods('this-year', '2028-02-29', null).before).toEqual({ from: '2027-01-01', to: '2027-02-28' })
  })

  const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => daysLater('2000-01-01', days))
  it('ends the period today at the latest, and the previous one before it starts', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...periodNames), (day, name) => {
        const { now, before } = comparedPeriods(name, day, null)
        expect(now.from <= now.to && now.to <= day && before.from <= before.to && before.to < now.from).toBe(true)
      }),
    )
  })

  it('divides the period into contiguous steps from its first day', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 800 }), fc.constantFrom(...steps), (from, days, step) => {
        const range = { from, to: daysLater(from, days) }
        const begins = stepsOf(range, step)
        expect(begins[0]).toBe(from)
        expect(begins.at(-1)! <= range.to).toBe(true)
        expect(begins).toEqual(begins.toSorted())
        expect(new Set(begins).size).toBe(begins.length)
        if (step === 'month') expect(begins.slice(1).every((day) => day.endsWith('-01'))).toBe(true)
        if (step === 'day') expect(begins.length).toBe(lengthOf(range))
        expect(stepsOf(range, stepOf(range)).length).toBeLessThanOrEqual(Math.max(31, days / 28 + 2))
      }),
    )
  })
})

describe("report schedule in the practice's time zone", () => {
  const zone = 'America/Toronto'
  const next = (every: 'day' | 'week' | 'month', after: string, time = '08:00', on: number | null = null) =>
    nextDue(
      { every, weekday: every === 'week' ? on : null, monthDay: every === 'month' ? on : null, time },
      new Date(after),
      zone,
    ).toISOString()

  it.each([
    ['day', '2026-11-22T12:59:59Z', '08:00', null, '2026-11-22T13:00:00.000Z'],
    ['day', '2026-11-22T13:00:00Z', '08:00', null, '2026-11-23T13:00:00.000Z'], // just sent
    ['day', '2026-03-07T13:00:01Z', '08:00', null, '2026-03-08T12:00:00.000Z'], // clocks go forward
    ['day', '2026-03-07T20:00:00Z', '02:30', null, '2026-03-08T07:30:00.000Z'], // a skipped time
    ['day', '2026-11-01T05:30:00Z', '01:30', null, '2026-11-02T06:30:00.000Z'], // the first of a repeated time
    ['week', '2026-11-22T15:00:00Z', '08:00', 1, '2026-11-23T13:00:00.000Z'],
    ['week', '2026-11-23T13:00:00Z', '08:00', 1, '2026-11-30T13:00:00.000Z'],
    ['week', '2026-11-22T12:00:00Z', '08:00', 7, '2026-11-22T13:00:00.000Z'],
    ['month', '2026-11-22T15:00:00Z', '08:00', 1, '2026-12-01T13:00:00.000Z'],
    ['month', '2026-12-28T13:00:00Z', '08:00', 28, '2027-01-28T13:00:00.000Z'],
  ] as const)('every %s, after %s at %s on %s: %s', (every, after, time, on, due) => {
    expect(next(every, after, time, on)).toBe(due)
  })

  it('is always later, and within a month and a day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...everies),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 1, max: 28 }),
        (every, after, minute, on) => {
          const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
          const due = nextDue({ every, weekday: (on % 7) + 1, monthDay: on, time }, after, zone).getTime() - after.getTime()
          expect(due).toBeGreaterThan(0)
          expect(due).toBeLessThanOrEqual(32 * 86_400_000)
        },
      ),
    )
  })
})
