import { describe, expect, it } from 'vitest'
import { daysShown, showsDay, stepFrom, titleOf } from './periods.ts'

describe('calendar periods', () => {
  it.each([
    ['month', '2026-11-22', '2026-10-26', '2026-12-07', 'November 2026'],
    ['month', '2027-02-10', '2027-02-01', '2027-03-01', 'February 2027'],
    ['week', '2026-11-22', '2026-11-16', '2026-11-23', 'Nov 16 – 22, 2026'],
    ['week', '2026-11-30', '2026-11-30', '2026-12-07', 'Nov 30 – Dec 6, 2026'],
    ['week', '2027-01-01', '2026-12-28', '2027-01-04', 'Dec 28, 2026 – Jan 3, 2027'],
    ['day', '2026-11-22', '2026-11-22', '2026-11-23', 'Sunday, Nov 22, 2026'],
    ['list', '2026-11-22', '2026-11-22', '2026-12-06', 'Nov 22 – Dec 5, 2026'],
  ] as const)('%s of %s: from %s to before %s', (view, day, from, to, title) => {
    expect(daysShown(view, day)).toEqual({ from, to })
    expect(titleOf(view, day)).toBe(title)
  })

  it('steps forward and back', () => {
    expect(stepFrom('month', '2026-10-31', 1)).toBe('2026-11-01')
    expect(stepFrom('month', '2026-01-31', -1)).toBe('2025-12-01')
    expect(stepFrom('week', '2026-11-22', 1)).toBe('2026-11-23')
    expect(stepFrom('day', '2026-11-01', -1)).toBe('2026-10-31')
    expect(stepFrom('list', '2026-11-22', -1)).toBe('2026-11-08')
  })

  it('knows whether a period includes today', () => {
    expect(showsDay('month', '2026-11-01', '2026-11-22')).toBe(true)
    // Days of adjacent months are visible but do not count.
    expect(showsDay('month', '2026-12-01', '2026-11-30')).toBe(false)
    expect(showsDay('week', '2026-11-16', '2026-11-22')).toBe(true)
    expect(showsDay('day', '2026-11-21', '2026-11-22')).toBe(false)
    expect(showsDay('list', '2026-11-15', '2026-11-22')).toBe(false)
  })
})
