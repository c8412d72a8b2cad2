import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromRange, rangeHeight, toRange } from './scroll-range.ts'

const lists = fc
  .integer({ min: 0, max: 5_000_000 * 68 })
  .chain((height) => fc.tuple(fc.constant(height), fc.integer({ min: 0, max: height })))

describe('scroll range', () => {
  it('is never higher than browsers allow', () => {
    fc.assert(fc.property(lists, ([height]) => rangeHeight(height) <= 2_000_000))
  })
  it('maps every position of the list in order, and both ends to its ends', () => {
    fc.assert(
      fc.property(lists, fc.nat({ max: 100_000 }), ([height, position], further) => {
        const place = toRange(position, height)
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThanOrEqual(rangeHeight(height))
        expect(fromRange(place, height)).toBeCloseTo(position, 3)
        expect(toRange(Math.min(height, position + further), height)).toBeGreaterThanOrEqual(place)
      }),
    )
    expect([toRange(0, 44_000_000), toRange(44_000_000, 44_000_000)]).toEqual([0, 2_000_000])
  })
  it('is unscaled for short lists, and near both ends of longer ones', () => {
    expect(toRange(1_999_999, 2_000_000)).toBe(1_999_999)
    expect(toRange(150_000, 44_000_000)).toBe(150_000)
    expect(toRange(44_000_000 - 150_000, 44_000_000)).toBe(2_000_000 - 150_000)
  })
})
