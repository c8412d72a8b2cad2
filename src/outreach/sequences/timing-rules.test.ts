import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLocal } from '../../shared/zoned-time.ts'
import { type Calendar, endOfUntil, endOfWait, underCap, withinHours } from './timing-rules.ts'

const calendar: Calendar = {
  timeZone: 'America/Toronto',
  closedWeekdays: new Set([6, 7]),
  closedDays: new Set(['2026-12-25', '2026-12-28']),
}
const local = (at: Date) => {
  const { day, time } = toLocal(at, calendar.timeZone)
  return `${day} ${time}`
}
const wait = (amount: number, unit: 'minutes' | 'hours' | 'days', rest: { working?: boolean; at?: string } = {}) =>
  ({ id: 'aaaaaa', kind: 'wait', amount, unit, working: rest.working ?? false, at: rest.at ?? null }) as const

describe('the end of a wait', () => {
  it.each([
    // The clock changes on March 8 and November 1, 2026.
    ['2026-03-07T15:00:00Z', wait(1, 'days'), '2026-03-08 10:00'],
    ['2026-10-31T14:00:00Z', wait(1, 'days'), '2026-11-01 10:00'],
    ['2026-03-08T06:30:00Z', wait(1, 'hours'), '2026-03-08 03:30'],
    ['2026-11-20T15:00:00Z', wait(30, 'minutes'), '2026-11-20 10:30'],
    ['2026-12-24T15:00:00Z', wait(1, 'days', { working: true }), '2026-12-29 10:00'],
    ['2026-12-26T15:00:00Z', wait(0, 'days', { working: true }), '2026-12-29 10:00'],
    ['2026-11-20T15:00:00Z', wait(0, 'days', { at: '14:00' }), '2026-11-20 14:00'],
    ['2026-11-20T20:00:00Z', wait(0, 'days', { at: '14:00' }), '2026-11-21 14:00'],
    ['2026-11-20T20:00:00Z', wait(0, 'days', { at: '14:00', working: true }), '2026-11-23 14:00'],
    ['2026-11-20T15:00:00Z', wait(14, 'days', { at: '10:00' }), '2026-12-04 10:00'],
  ] as const)('that begins at %s is in the practice’s time zone (issue 28)', (began, step, end) => {
    expect(local(endOfWait(step, new Date(began), calendar))).toBe(end)
  })

  it('is never before it begins, and of working days is on one (issue 28)', () => {
    const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        fc.constantFrom(null, '08:00', '23:30'),
        (began, amount, working, at) => {
          const end = endOfWait({ ...wait(amount, 'days', { working }), at }, began, calendar)
          expect(end >= began).toBe(true)
          if (working) {
            const { day } = toLocal(end, calendar.timeZone)
            expect(calendar.closedDays.has(day) || [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())).toBe(false)
          }
        },
      ),
    )
  })
})

describe('the end of a wait for a day', () => {
  const anchors = { startedAt: new Date('2026-11-20T15:00:00Z'), eventAt: new Date('2026-12-10T18:00:00Z') }
  it.each([
    ['start', 14, '2026-12-04 10:00'],
    ['event', -2, '2026-12-08 10:00'],
    ['event', 0, '2026-12-10 10:00'],
  ] as const)('from the %s, %i days (issue 28)', (from, days, end) => {
    const until = { id: 'aaaaaa', kind: 'until', from, days, at: '10:00' } as const
    expect(local(endOfUntil(until, anchors, calendar)!)).toBe(end)
  })

  it('is at once if there is no appointment (issue 28)', () => {
    const until = { id: 'aaaaaa', kind: 'until', from: 'event', days: 1, at: '10:00' } as const
    expect(endOfUntil(until, { ...anchors, eventAt: null }, calendar)).toBeNull()
  })
})

describe('the hours of messages', () => {
  const hours = { from: '08:00', to: '20:00' }
  it.each([
    ['2026-11-20T15:00:00Z', '2026-11-20 10:00'],
    ['2026-11-20T11:00:00Z', '2026-11-20 08:00'],
    ['2026-11-21T01:00:00Z', '2026-11-21 08:00'],
    ['2026-11-21T02:30:00Z', '2026-11-21 08:00'],
  ])('hold a message of %s until %s (issue 28)', (at, end) => {
    expect(local(withinHours(new Date(at), hours, calendar.timeZone))).toBe(end)
  })
})

describe('the limit of messages in a week', () => {
  const at = new Date('2026-11-20T15:00:00Z')
  const ago = (hours: number) => new Date(at.getTime() - hours * 60 * 60_000)
  it('lets a message go that is under it, and holds others until the oldest is a week old (issue 28)', () => {
    expect(underCap(at, [ago(1), ago(30)], 3)).toEqual(at)
    expect(underCap(at, [ago(1), ago(30), ago(50)], 3)).toEqual(new Date(at.getTime() + (168 - 50) * 60 * 60_000))
    expect(underCap(at, [ago(1), ago(30), ago(50), ago(200)], 3)).toEqual(new Date(at.getTime() + (168 - 50) * 60 * 60_000))
    expect(underCap(at, [ago(1), ago(2), ago(3), ago(4)], 3)).toEqual(new Date(at.getTime() + (168 - 3) * 60 * 60_000))
  })
})
