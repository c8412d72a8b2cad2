import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdOf, levelHint } from './level.ts'

/** What a device feels that is turned clockwise and leans back, in degrees. */
function felt(turn: number, lean: number) {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const upright = 9.8 * Math.cos(radians(lean))
  return { x: -upright * Math.sin(radians(turn)), y: upright * Math.cos(radians(turn)), z: 9.8 * Math.sin(radians(lean)) }
}

describe('how a device is held', () => {
  it.each([
    [0, 0, null],
    [1.5, 5, null],
    [5, 0, 'Turn the device a little to the left'],
    [-5, 0, 'Turn the device a little to the right'],
    [95, 0, 'Turn the device a little to the left'],
    [0, 20, 'Hold the device upright'],
  ])('turned by %s and leaning by %s degrees gives the hint %s (issue 27)', (turn, lean, hint) => {
    expect(levelHint(holdOf(felt(turn, lean)))).toBe(hint)
  })

  it('is the same with the signs of another browser, and whichever edge is down (issue 27)', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -44, max: 44, noNaN: true }),
        fc.double({ min: -60, max: 60, noNaN: true }),
        fc.nat(3),
        (turn, lean, edge) => {
          const hold = holdOf(felt(turn + edge * 90, lean))
          const { x, y, z } = felt(turn, lean)
          const mirrored = holdOf({ x: -x, y: -y, z: -z })
          for (const one of [hold, mirrored]) {
            expect(one.turn).toBeCloseTo(turn, 6)
            expect(one.lean).toBeCloseTo(Math.abs(lean), 6)
          }
        },
      ),
    )
  })
})
