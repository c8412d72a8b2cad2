import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instalmentsOf, maxInstalments, splitCents } from './instalments.ts'

describe('an amount in instalments', () => {
  it('is equal parts, of which the first have the cents that are over', () => {
    expect(splitCents(100_000, 3)).toEqual([33_334, 33_333, 33_333])
    expect(splitCents(100_001, 3)).toEqual([33_334, 33_334, 33_333])
    expect(splitCents(100_000, 1)).toEqual([100_000])
  })
  it('has no part without a cent', () => {
    expect(splitCents(2, 3)).toEqual([1, 1])
  })
  it('sums exactly, whatever the amount and the count, and no two parts differ by more than a cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 1, max: maxInstalments }), (amount, count) => {
        const parts = splitCents(amount, count)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
        expect(parts).toHaveLength(Math.min(count, amount))
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
        expect(Math.min(...parts)).toBeGreaterThan(0)
      }),
    )
  })
  it('is due on the same day of each month, or on its last', () => {
    expect(instalmentsOf(90_000, 4, '2026-12-31').map(({ dueOn }) => dueOn)).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
  })
})
