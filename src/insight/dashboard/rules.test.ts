import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversionOf, groupSources, periodsUntil } from './rules.ts'

describe('conversion (spec 9)', () => {
  it.each([
    [0, 0, 0],
    [3, 2, 67],
    [3, 1, 33],
    [200, 1, 1],
    [201, 1, 0],
    [7, 7, 100],
  ])('of %i leads, %i booked: %i%%', (total, booked, rate) => {
    expect(conversionOf(total, booked).rate).toBe(rate)
  })
})

it('covers whole days ending today, with previous periods of the same length ending where they start', () => {
  expect(periodsUntil('2026-03-10')).toEqual({
    week: '2026-03-04',
    weekBefore: '2026-02-25',
    month: '2026-02-09',
    monthBefore: '2026-01-10',
    end: '2026-03-11',
  })
})

describe('display groups (spec 9)', () => {
  it('merge names that differ only in spelling', () => {
    const counts = [
      { source: 'google_cpc', count: 2 },
      { source: 'Google Ads', count: 3 },
      { source: null, count: 4 },
      { source: '  ', count: 1 },
      { source: 'gone', count: 0 },
    ]
    expect(groupSources(counts)).toEqual([
      { group: 'Google CPC', count: 5 },
      { group: 'Unknown', count: 5 },
    ])
  })

  it('include everyone, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ source: fc.option(fc.string()), count: fc.nat(1000) })), (counts) => {
        const groups = groupSources(counts)
        const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)
        expect(sum(groups)).toBe(sum(counts))
        expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).toSorted((a, b) => b - a))
        expect(new Set(groups.map(({ group }) => group)).size).toBe(groups.length)
      }),
    )
  })
})
