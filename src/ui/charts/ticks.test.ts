import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ticksBetween, ticksFor } from './ticks.ts'

describe('grid lines', () => {
  it.each([
    [0, [0, 25, 50, 75, 100]],
    [3, [0, 1, 2, 3]],
    [15, [0, 5, 10, 15]],
    [36, [0, 10, 20, 30, 40]],
    [67, [0, 20, 40, 60, 80]],
    [100, [0, 25, 50, 75, 100]],
  ])('for at most %i%%', (highest, ticks) => {
    expect(ticksFor(highest)).toEqual(ticks)
  })
  it('include the highest value, with at most four lines above zero', () => {
    for (let highest = 0; highest <= 100; highest++) {
      expect(ticksFor(highest).length).toBeLessThanOrEqual(5)
      expect(ticksFor(highest).at(-1)).toBeGreaterThanOrEqual(highest)
    }
  })
})

describe('grid lines for any numbers', () => {
  it.each([
    [0, 0, [0, 1]],
    [0, 3, [0, 1, 2, 3]],
    [0, 7, [0, 2, 4, 6, 8]],
    [0, 675_001, [0, 200_000, 400_000, 600_000, 800_000]],
    [-40_000, 100_000, [-50_000, 0, 50_000, 100_000]],
  ])('from %i to %i', (lowest, highest, ticks) => {
    expect(ticksBetween(lowest, highest)).toEqual(ticks)
  })
  it('include all values and zero, and are few', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.nat(1e12), (lowest, more) => {
        const ticks = ticksBetween(lowest, lowest + more)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks).toContain(0)
        expect(ticks[0]! <= lowest && ticks.at(-1)! >= lowest + more).toBe(true)
      }),
    )
  })
})
