import { describe, expect, it } from 'vitest'
import { ticksFor } from './ticks.ts'

describe('the lines of a grid', () => {
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
  it('have the highest in it, with four lines above zero at the most', () => {
    for (let highest = 0; highest <= 100; highest++) {
      expect(ticksFor(highest).length).toBeLessThanOrEqual(5)
      expect(ticksFor(highest).at(-1)).toBeGreaterThanOrEqual(highest)
    }
  })
})
