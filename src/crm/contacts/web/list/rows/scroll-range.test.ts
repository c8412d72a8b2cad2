import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromRange, rangeHeight, toRange } from './scroll-range.ts'

const lists = fc
  .integer({ min: 0, max: 5_000_000 * 68 })
  .chain((height) => fc.tuple(fc.constant(height), fc.integer({ min: 0, max: height })))

describe('the range that a list is scrolled through', () => {
  it('is never higher than a browser can draw', () => {
    fc.assert(fc.property(lists, ([height]) => rangeHeight(height) <= 2_000_000))
  })
  it('has each position of the list at one place, in the same order, and both ends at its ends', () => {
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
  it('is the list itself where that is short enough, and near both ends of a longer one', () => {
    expect(toRange(1_999_999, 2_000_000)).toBe(1_999_999)
    expect(toRange(150_000, 44_000_000)).toBe(150_000)
    expect(toRange(44_000_000 - 150_000, 44_000_000)).toBe(2_000_000 - 150_000)
  })
})
