import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLocal } from '../../shared/zoned-time.ts'
import { afterQuietHours, isQuietTime } from './quiet-rules.ts'

const night = { from: '21:00', to: '09:00' }
const after = (at: string, zone: string, hours = night) => afterQuietHours(new Date(at), zone, hours).toISOString()

describe('quiet hours', () => {
  it.each([
    ['an evening', '2026-11-28T02:30:00Z', 'America/Toronto', '2026-11-28T14:00:00.000Z'],
    ['a morning', '2026-11-28T13:59:00Z', 'America/Toronto', '2026-11-28T14:00:00.000Z'],
    ['the first minute after them', '2026-11-28T14:00:00Z', 'America/Toronto', '2026-11-28T14:00:00.000Z'],
    ['the night before the clock moves forward', '2026-03-08T04:00:00Z', 'America/Toronto', '2026-03-08T13:00:00.000Z'],
    ['the night before the clock moves back', '2026-11-01T02:00:00Z', 'America/Toronto', '2026-11-01T14:00:00.000Z'],
    ['the same moment further west', '2026-11-28T14:00:00Z', 'America/Los_Angeles', '2026-11-28T17:00:00.000Z'],
  ])('end at nine on the patient’s clock, of %s (issue 28)', (_what, at, zone, end) => expect(after(at, zone)).toBe(end))

  it('end within an hour that the clock shows twice (issue 28)', () => {
    const hours = { from: '22:00', to: '01:30' }
    // 01:10 for the second time.
    expect(after('2026-11-01T06:10:00Z', 'America/Toronto', hours)).toBe('2026-11-01T06:30:00.000Z')
    expect(after('2026-11-01T05:10:00Z', 'America/Toronto', hours)).toBe('2026-11-01T05:30:00.000Z')
  })

  it('end when the clock skips their end, and a day later if it skips all the time that is not quiet (issue 28)', () => {
    const hours = { from: '02:15', to: '02:00' }
    expect(after('2026-03-07T07:15:00Z', 'America/Toronto', hours)).toBe('2026-03-09T06:00:00.000Z')
    // 02:45 does not exist that night: 03:00 follows 01:59.
    expect(after('2026-03-08T06:00:00Z', 'America/Toronto', { from: '22:00', to: '02:45' })).toBe('2026-03-08T07:00:00.000Z')
  })

  it('are none if they begin when they end (issue 28)', () => {
    expect(after('2026-11-28T05:00:00Z', 'America/Toronto', { from: '09:00', to: '09:00' })).toBe('2026-11-28T05:00:00.000Z')
  })

  it('end at the first moment that is not quiet, in any zone and across changes of the clock (issue 28)', () => {
    const time = fc.integer({ min: 0, max: 24 * 4 - 1 }).map((quarter) => new Date(quarter * 15 * 60_000).toISOString().slice(11, 16))
    const zone = fc.constantFrom('America/Toronto', 'America/St_Johns', 'America/Regina', 'Europe/London', 'Australia/Lord_Howe', 'UTC')
    // Whole minutes, half of them within two days of a change of the clock.
    const minute = (from: number, days: number) => fc.integer({ min: 0, max: days * 1_440 }).map((minutes) => from + minutes * 60_000)
    const at = fc.oneof(minute(Date.UTC(2026, 0, 1), 700), minute(Date.UTC(2026, 2, 7), 3), minute(Date.UTC(2026, 9, 31), 3))
    fc.assert(
      fc.property(at, zone, time, time, (start, timeZone, from, to) => {
        const hours = { from, to }
        const end = afterQuietHours(new Date(start), timeZone, hours)
        const isQuiet = (moment: number) => isQuietTime(toLocal(new Date(moment), timeZone).time, hours)
        expect(end.getTime()).toBeGreaterThanOrEqual(start)
        // A time that the clock skips begins after it.
        expect(isQuiet(end.getTime())).toBe(false)
        for (let moment = start; moment < end.getTime(); moment += 5 * 60_000) expect([moment, isQuiet(moment)]).toEqual([moment, true])
      }),
      { numRuns: 500 },
    )
  })
})
