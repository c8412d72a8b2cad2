import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { shotListNames, shotLists } from '../../rules.ts'
import { guideOf } from './guides.ts'
import { holdOf, levelHint } from './level.ts'
import { sharpnessOf } from './sharpness.ts'

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

describe('the standard outline', () => {
  const all = shotListNames.flatMap((list) => shotLists[list].views.map((view) => [list, view] as const))
  it.each(all)('of %s, %s is there (issue 27)', (list, view) => {
    expect(guideOf(list, view)).toMatchObject({ path: expect.stringMatching(/^M/), viewBox: expect.any(String) })
  })

  it('of the other side is its mirror image (issue 27)', () => {
    for (const [list, view] of all.filter(([, one]) => one.startsWith('left'))) {
      const [left, right] = [guideOf(list, view)!, guideOf(list, view.replace('left', 'right') as typeof view)!]
      expect(right).toEqual({ ...left, isMirrored: !left.isMirrored })
    }
    expect(guideOf('other', 'front')).toBeNull()
  })
})

describe('the sharpness of a picture', () => {
  it('falls the more a picture is blurred (issue 27)', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const drawn = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#888', noise } })
      .png()
      .toBuffer()
    const measured = await Promise.all(
      [0, 1, 2, 4].map(async (sigma) => {
        const picture = sharp(drawn).ensureAlpha()
        const { data, info } = await (sigma ? picture.blur(sigma) : picture).raw().toBuffer({ resolveWithObject: true })
        return sharpnessOf({ data: new Uint8ClampedArray(data), width: info.width, height: info.height })
      }),
    )
    expect(measured).toEqual(measured.toSorted((a, b) => b - a))
    expect(measured[0]).toBeGreaterThan(measured[3]! * 10)
  })
})
