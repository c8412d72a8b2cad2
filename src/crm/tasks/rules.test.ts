import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLocal } from '../../shared/zoned-time.ts'
import { completion, defaultDueDate, dueAt, isOverdue, adjustDue, snooze, taskStatuses } from './rules.ts'

const zone = 'America/Toronto'
const at = (instant: Date) => toLocal(instant, zone)

describe('due time in the practice’s time zone, 09:00 by default (spec 9)', () => {
  it.each([
    ['2026-01-15', null, '2026-01-15T14:00:00Z'],
    ['2026-07-15', null, '2026-07-15T13:00:00Z'],
    // Clocks change at 2:00, forward and back.
    ['2026-03-08', null, '2026-03-08T13:00:00Z'],
    ['2026-03-08', '01:59', '2026-03-08T06:59:00Z'],
    ['2026-03-08', '02:30', '2026-03-08T07:30:00Z'],
    ['2026-11-01', null, '2026-11-01T14:00:00Z'],
    ['2026-11-01', '01:30', '2026-11-01T05:30:00Z'],
    ['2026-11-01', '00:15', '2026-11-01T04:15:00Z'],
  ])('%s %s', (dueDate, dueTimeConstraint, instant) => {
    expect(dueAt({ dueDate, dueTimeConstraint }, zone)).toEqual(new Date(instant))
  })
})

it('treats a task as overdue if it is due, not completed and not cancelled', () => {
  const now = new Date('2026-03-08T13:00:00Z')
  const overdue = (status: (typeof taskStatuses)[number], due: Date) => isOverdue({ status, dueAt: due }, now)
  const before = new Date(now.getTime() - 1)
  expect(taskStatuses.filter((status) => overdue(status, before))).toEqual(['pending', 'in_progress'])
  expect([overdue('pending', now), overdue('pending', new Date(now.getTime() + 1))]).toEqual([true, false])
})

const instants = fc.oneof(
  fc.integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-01-01T00:00:00Z') }),
  fc.integer({ min: Date.parse('2026-03-08T00:00:00Z'), max: Date.parse('2026-03-09T12:00:00Z') }),
  fc.integer({ min: Date.parse('2026-11-01T00:00:00Z'), max: Date.parse('2026-11-02T12:00:00Z') }),
)

describe('no task starts out overdue', () => {
  const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '09:00', closes: '17:00' }))
  const friday = '2026-11-20'
  const settled = (now: string, dueDate = friday, dueTimeConstraint: string | null = null, hours = weekdays) => {
    const due = adjustDue({ dueDate, dueTimeConstraint }, new Date(now), zone, hours)
    return [due.dueDate, due.dueTimeConstraint]
  }
  it.each([
    ['before 09:00 it is due at 09:00 (spec 9)', [`${friday}T13:59:00Z`], [friday, null]],
    ['at 09:00 it is due at 10:00', [`${friday}T14:00:00Z`], [friday, '10:00']],
    ['in the afternoon it is due at the next full hour', [`${friday}T20:01:00Z`], [friday, '16:00']],
    ['at 22:59 it is due at 23:00', ['2026-11-21T03:59:00Z'], [friday, '23:00']],
    ['at 23:00 it is due on the next open day', ['2026-11-21T04:00:00Z'], ['2026-11-23', null]],
    ['a given time is kept', [`${friday}T20:01:00Z`, friday, '08:00'], [friday, '08:00']],
    ['another day is kept', [`${friday}T20:01:00Z`, '2026-11-21'], ['2026-11-21', null]],
  ] as [string, [string, string?, string?], [string, string | null]][])('%s', (_, given, expected) => {
    expect(settled(...given)).toEqual(expected)
  })

  it('uses the next day if the practice is never open', () => {
    expect(settled('2026-11-21T04:00:00Z', friday, null, [])).toEqual(['2026-11-21', null])
  })

  it('holds for any time and time zone, for the default date and any other', () => {
    const zones = fc.constantFrom('America/Toronto', 'America/St_Johns', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu')
    fc.assert(
      fc.property(instants, zones, fc.integer({ min: 0, max: 3 }), fc.subarray(weekdays), (millis, timeZone, days, hours) => {
        const now = new Date(millis)
        const chosen = toLocal(new Date(millis + days * 24 * 3_600_000), timeZone).day
        for (const dueDate of [defaultDueDate(now, timeZone, hours), chosen]) {
          const due = adjustDue({ dueDate, dueTimeConstraint: null }, now, timeZone, hours)
          expect(isOverdue({ status: 'pending', dueAt: dueAt(due, timeZone) }, now)).toBe(false)
          expect(due.dueDate >= dueDate).toBe(true)
          if (due.dueTimeConstraint !== null) {
            expect(dueAt(due, timeZone).getTime() - millis).toBeLessThanOrEqual(2 * 3_600_000)
            expect(toLocal(dueAt(due, timeZone), timeZone)).toEqual({ day: due.dueDate, time: due.dueTimeConstraint })
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})

it('derives completed and completed_at from the status and keeps the first completion time (spec 4)', () => {
  const [first, now] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-02T12:00:00Z')]
  expect(completion('completed', null, now)).toEqual({ completed: true, completedAt: now })
  expect(completion('completed', first, now)).toEqual({ completed: true, completedAt: first })
  for (const status of ['pending', 'in_progress', 'cancelled'] as const) {
    expect(completion(status, first, now)).toEqual({ completed: false, completedAt: null })
  }
})

describe('snooze (spec 4)', () => {
  const snoozeTask = (due: { dueDate: string; dueTimeConstraint: string | null }, now: string, minutes = 15) => {
    const result = snooze(due, minutes, new Date(now), zone)
    return [result.dueDate, result.dueTimeConstraint, at(result.remindAt).time]
  }
  it.each([
    // A task due today: its due time moves.
    [{ dueDate: '2026-01-15', dueTimeConstraint: '14:00' }, '2026-01-15T19:05:00Z', ['2026-01-15', '14:15', '14:20']],
    // Without a time: 09:00 moves.
    [{ dueDate: '2026-01-15', dueTimeConstraint: null }, '2026-01-15T14:02:00Z', ['2026-01-15', '09:15', '09:17']],
    // A task from an earlier day stays overdue, but is still silenced for the given minutes.
    [{ dueDate: '2026-01-12', dueTimeConstraint: '10:00' }, '2026-01-15T19:00:00Z', ['2026-01-12', '10:15', '14:15']],
    // Past midnight the date moves too.
    [{ dueDate: '2026-01-15', dueTimeConstraint: '23:50' }, '2026-01-16T04:51:00Z', ['2026-01-16', '00:05', '00:06']],
    [{ dueDate: '2026-01-12', dueTimeConstraint: '23:50' }, '2026-01-15T19:00:00Z', ['2026-01-16', '00:05', '00:05']],
    // The clocks change, forward and back.
    [{ dueDate: '2026-03-08', dueTimeConstraint: '01:50' }, '2026-03-08T06:50:00Z', ['2026-03-08', '03:05', '03:05']],
    [{ dueDate: '2026-11-01', dueTimeConstraint: '01:50' }, '2026-11-01T05:50:00Z', ['2026-11-01', '01:05', '01:05']],
  ])('%j at %s', (due, now, expected) => {
    expect(snoozeTask(due, now)).toEqual(expected)
  })

  const times = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

  it('silences a task for the given minutes, moves a task due today by exactly that, and never to an earlier day', () => {
    fc.assert(
      fc.property(
        instants,
        fc.option(times),
        fc.integer({ min: -400, max: 0 }),
        fc.integer({ min: 1, max: 1440 }),
        (millis, time, daysAgo, minutes) => {
          const now = new Date(millis)
          const today = at(now).day
          const dueDate = at(new Date(millis + daysAgo * 24 * 3_600_000)).day
          const due = { dueDate, dueTimeConstraint: time }
          const result = snooze(due, minutes, now, zone)
          expect(result.remindAt.getTime()).toBeGreaterThanOrEqual(now.getTime() + minutes * 60_000)
          expect(result.remindAt.getTime()).toBeGreaterThanOrEqual(result.dueAt.getTime())
          expect(result.dueDate >= dueDate).toBe(true)
          const onToday = dueAt({ ...due, dueDate: today }, zone).getTime()
          if (dueDate === today || result.dueDate > today) expect(result.dueAt.getTime() - onToday).toBe(minutes * 60_000)
          else expect(result.dueDate).toBe(dueDate)
          expect(at(result.dueAt).day).toBe(result.dueDate)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('keeps due times in the order of local time, except in hours that repeat or are skipped', () => {
    fc.assert(
      fc.property(instants, times, times, (millis, a, b) => {
        const dueDate = at(new Date(millis)).day
        const [first, second] = [dueAt({ dueDate, dueTimeConstraint: a }, zone), dueAt({ dueDate, dueTimeConstraint: b }, zone)]
        const skipped = dueDate === '2026-03-08' && [a, b].some((time) => time.startsWith('02:'))
        if (!skipped && a < b) expect(first.getTime()).toBeLessThan(second.getTime())
        if (!skipped) expect(at(first)).toEqual({ day: dueDate, time: a })
      }),
      { numRuns: 2000 },
    )
  })
})
