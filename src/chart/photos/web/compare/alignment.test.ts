import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignTo, apply, fit, unzoom, type Zoom, zoomAt } from './alignment.ts'

const coordinate = fc.integer({ min: 0, max: 2000 })
const point = fc.record({ x: coordinate, y: coordinate })
const pair = fc.tuple(point, point).filter(([a, b]) => Math.hypot(a.x - b.x, a.y - b.y) > 10)
const near = (value: number) => expect.closeTo(value, 6) as number

describe('alignment by two points', () => {
  it('lays both points of the second photo on those of the first, wherever they are', () => {
    fc.assert(
      fc.property(pair, pair, (first, second) => {
        const alignment = alignTo(first, second)!
        for (const place of [0, 1] as const)
          expect(apply(alignment, second[place])).toEqual({ x: near(first[place].x), y: near(first[place].y) })
      }),
    )
  })

  it('leaves photos as they are whose points match', () => {
    const points = [
      { x: 100, y: 120 },
      { x: 300, y: 121 },
    ] as const
    expect(alignTo(points, points)).toEqual({ scale: near(1), turn: near(0), x: near(0), y: near(0) })
  })

  it('refuses points that are too close to say anything', () => {
    const close = [
      { x: 10, y: 10 },
      { x: 12, y: 10 },
    ] as const
    const far = [
      { x: 10, y: 10 },
      { x: 200, y: 10 },
    ] as const
    expect([alignTo(close, far), alignTo(far, close)]).toEqual([null, null])
  })
})

describe('magnifying', () => {
  it('keeps the point under the finger where it is, and ends at the fitting size', () => {
    fc.assert(
      fc.property(point, fc.array(fc.double({ min: 0.4, max: 2.5, noNaN: true }), { maxLength: 8 }), (at, factors) => {
        let zoom: Zoom = fit
        for (const factor of factors) {
          const before = unzoom(zoom, at)
          const next = zoomAt(zoom, factor, at)
          if (next.scale > 1) expect(unzoom(next, at)).toEqual({ x: near(before.x), y: near(before.y) })
          else expect(next).toEqual(fit)
          expect(next.scale).toBeLessThanOrEqual(8)
          zoom = next
        }
      }),
    )
  })
})
