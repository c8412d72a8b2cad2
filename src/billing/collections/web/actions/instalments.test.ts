import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instalmentsOf, maxInstalments, splitCents } from './instalments.ts'

describe('splitting an amount into instalments', () => {
  it('splits into equal parts and adds the leftover cents to the first ones', () => {
    expect(splitCents(100_000, 3)).toEqual([33_334, 33_333, 33_333])
    expect(splitCents(100_001, 3)).toEqual([33_334, 33_334, 33_333])
    expect(splitCents(100_000, 1)).toEqual([100_000])
  })
  it('creates no empty part', () => {
    expect(splitCents(2, 3)).toEqual([1, 1])
  })
  it('sums exactly for any amount and count, with parts that differ by at most a cent', () => {
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
  it('falls on the same day of each month, or on its last day', () => {
    expect(instalmentsOf(90_000, 4, '2026-12-31').map(({ dueOn }) => dueOn)).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
  })
})
