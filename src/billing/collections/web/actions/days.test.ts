import { describe, expect, it } from 'vitest'
import { daysOf, daysProblems, noDays, planned } from './days.ts'

const draft = planned({ ...noDays('2026-11-22'), isPlanned: true }, '1,000.00')

describe('due date fields of a charge', () => {
  it('propose equal monthly instalments until edited', () => {
    expect(draft.parts).toEqual([
      { dueOn: '2026-11-22', amount: '333.34' },
      { dueOn: '2026-12-22', amount: '333.33' },
      { dueOn: '2027-01-22', amount: '333.33' },
    ])
    expect(Object.values(daysProblems(draft, 100_000)).filter(Boolean)).toEqual([])
    expect(planned({ ...draft, isPlanned: false }, '1,000.00').parts).toEqual([])
    expect(planned({ ...draft, count: '61' }, '1,000.00').parts).toEqual([])
  })
  it('reject an invalid instalment, or instalments that do not sum to the amount', () => {
    const edited = { ...draft, parts: [{ dueOn: '', amount: 'x' }, ...draft.parts.slice(1)] }
    expect(daysProblems(edited, 100_000)).toMatchObject({
      day0: 'Due date is required',
      part0: 'Enter an amount of at least $0.01',
      plan: 'The instalments must sum to the amount',
    })
    expect(daysProblems({ ...draft, count: '1' }, 100_000)).toMatchObject({ count: 'Enter a number from 2 to 60' })
    expect(daysProblems({ ...noDays('2026-11-22'), dueOn: '1700-01-01' }, 1)).toEqual({ dueOn: 'Enter a year between 1900 and 2200' })
  })
  it('are sent in date order, earliest first', () => {
    expect(daysOf({ ...draft, parts: draft.parts.toReversed() })).toMatchObject({ dueOn: '2026-11-22', plan: { length: 3 } })
    expect(daysOf(noDays('2026-11-22'))).toEqual({ dueOn: '2026-11-22', isBeforeSurgery: false, plan: [] })
  })
})
