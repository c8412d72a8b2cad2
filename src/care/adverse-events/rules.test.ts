import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../shared/zoned-time.ts'
import {
  businessDaysLater,
  eventKindNames,
  eventKinds,
  isBusinessDay,
  isSeverityOf,
  reportDueOn,
  reportState,
  severityNames,
  warnOn,
} from './rules.ts'

const days = fc.integer({ min: 0, max: 20_000 }).map((count) => daysLater('2000-01-01', count))

describe('the deadline of a report', () => {
  it.each([
    ['2026-11-23', '2026-11-30', 'Monday to Monday'],
    ['2026-11-27', '2026-12-04', 'Friday to Friday'],
    ['2026-11-28', '2026-12-04', 'Saturday: the clock begins on Monday'],
    ['2026-11-29', '2026-12-04', 'Sunday'],
    ['2026-12-31', '2027-01-07', 'across the year'],
  ])('of an event learned of on %s is %s (%s, issue 27)', (learned, due) => {
    expect(reportDueOn('transfer_to_hospital', learned)).toBe(due)
  })

  it('is a business day with exactly four others between it and the day of learning (issue 27)', () => {
    fc.assert(
      fc.property(days, (learned) => {
        const due = reportDueOn('death_in_premises', learned)!
        expect(isBusinessDay(due)).toBe(true)
        let count = 0
        for (let day = daysLater(learned, 1); day <= due; day = daysLater(day, 1)) if (isBusinessDay(day)) count++
        expect(count).toBe(5)
      }),
    )
  })

  it('goes back as far as it goes forward between business days (issue 27)', () => {
    fc.assert(
      fc.property(days.filter(isBusinessDay), fc.integer({ min: 0, max: 60 }), (day, count) => {
        expect(businessDaysLater(businessDaysLater(day, count), -count)).toBe(day)
      }),
    )
  })

  it('exists for the kinds on the College’s list and no others (issue 27)', () => {
    expect(eventKindNames.filter((kind) => reportDueOn(kind, '2026-11-23') !== null)).toEqual([
      'death_in_premises',
      'death_within_10_days',
      'wrong_patient',
      'wrong_site',
      'wrong_side',
      'wrong_procedure',
      'transfer_to_hospital',
    ])
  })
})

describe('the state of a report', () => {
  const open = { dueOn: '2026-11-30', filedOn: null, voidedAt: null }

  it.each([
    ['2026-11-26', 'due'],
    ['2026-11-27', 'near'],
    ['2026-11-29', 'near'],
    ['2026-11-30', 'near'],
    ['2026-12-01', 'overdue'],
  ])('on %s is %s (issue 27)', (today, state) => {
    expect(reportState(open, today)).toBe(state)
  })

  it('ends with filing, and with an event recorded in error (issue 27)', () => {
    expect(reportState({ ...open, filedOn: '2026-11-26' }, '2027-01-01')).toBe('filed')
    expect(reportState({ ...open, voidedAt: new Date() }, '2027-01-01')).toBe('none')
    expect(reportState({ ...open, dueOn: null }, '2027-01-01')).toBe('none')
  })

  it('is near from the business day before the last (issue 27)', () => {
    expect(warnOn('2026-11-30')).toBe('2026-11-27')
    fc.assert(fc.property(days.filter(isBusinessDay), (due) => warnOn(due) < due && isBusinessDay(warnOn(due))))
  })
})

it('takes grade V for deaths and nothing else (issue 27)', () => {
  for (const kind of eventKindNames)
    for (const severity of severityNames) expect(isSeverityOf(kind, severity)).toBe('isDeath' in eventKinds[kind] === (severity === 'V'))
})
