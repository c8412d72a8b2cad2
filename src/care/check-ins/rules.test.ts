import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../shared/zoned-time.ts'
import { defaultDays, dueCheckIn, graceDays, plannedCheckIns } from './rules.ts'

const surgeryDay = '2026-11-20'

describe('the check-in that is due', () => {
  it.each([
    ['2026-11-20', '23:59', null, 'on the day of the surgery'],
    ['2026-11-21', '08:59', null, 'before nine'],
    ['2026-11-21', '09:00', 1, 'from nine on'],
    ['2026-11-22', '00:00', 1, 'a day late'],
    ['2026-11-23', '08:59', 1, 'two days late'],
    ['2026-11-23', '09:00', 3, 'once the next one is due'],
    ['2026-11-26', '12:00', null, 'after the grace'],
    ['2026-12-20', '09:00', 30, 'a month later'],
    ['2027-06-01', '09:00', null, 'long after the last one'],
  ])('on %s at %s is of day %s (%s, issue 27)', (today, time, day, _when) => {
    expect(dueCheckIn(defaultDays, surgeryDay, today, time)?.day ?? null).toBe(day)
  })

  it('is one of the planned, has come, and is at most two days old (issue 27)', () => {
    const days = fc.uniqueArray(fc.integer({ min: 1, max: 365 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 400 }), fc.constantFrom('00:00', '08:59', '09:00', '23:59'), (given, passed, time) => {
        const today = daysLater(surgeryDay, passed)
        const due = dueCheckIn(given, surgeryDay, today, time)
        if (!due) return
        expect(plannedCheckIns(given, surgeryDay)).toContainEqual(due)
        expect(due.dueOn <= today && today <= daysLater(due.dueOn, graceDays)).toBe(true)
        // None that has come later is passed over.
        expect(given.filter((day) => day > due.day && daysLater(surgeryDay, day) < today)).toEqual([])
      }),
    )
  })
})
