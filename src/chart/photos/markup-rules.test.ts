import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  arrowHead,
  formatLength,
  lengthOf,
  markupLimits,
  moveShape,
  type PhotoPoint,
  pointsOfShape,
  resizeShape,
  type Shape,
  strokePath,
  thinStroke,
  toPoint,
} from './markup-rules.ts'

const fraction = fc.double({ min: 0, max: 1, noNaN: true })
const point = fc.tuple(fraction, fraction).map(([x, y]) => toPoint(x, y))
const drawn = { id: 'a', colour: 'yellow' } as const
const shape: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({ from: point, to: point }).map((line): Shape => ({ ...drawn, kind: 'arrow', ...line })),
  fc.record({ from: point, to: point }).map((line): Shape => ({ ...drawn, kind: 'measure', knownMm: null, ...line })),
  fc.array(point, { minLength: 1, maxLength: 30 }).map((points): Shape => ({ ...drawn, kind: 'pen', points })),
  point.map((at): Shape => ({ ...drawn, kind: 'text', at, text: 'Scar', size: 'medium' })),
)
const step = fc.double({ min: -1.5, max: 1.5, noNaN: true })
const isInside = ([x, y]: PhotoPoint) => x >= 0 && x <= 1 && y >= 0 && y <= 1

describe('moving and sizing shapes', () => {
  it('never lets a shape leave the photo, and keeps its form when it is moved (issue 27)', () => {
    fc.assert(
      fc.property(shape, fc.array(fc.record({ dx: step, dy: step, resizes: fc.boolean() }), { maxLength: 12 }), (given, steps) => {
        let now = given
        for (const { dx, dy, resizes } of steps) {
          const before = pointsOfShape(now)
          now = resizes ? resizeShape(now, dx, dy) : moveShape(now, dx, dy)
          const after = pointsOfShape(now)
          expect(after.every(isInside)).toBe(true)
          expect(after.length).toBe(before.length)
          if (resizes) continue
          for (const [place, [x, y]] of after.entries()) {
            expect(x - after[0]![0]).toBeCloseTo(before[place]![0] - before[0]![0], 4)
            expect(y - after[0]![1]).toBeCloseTo(before[place]![1] - before[0]![1], 4)
          }
        }
      }),
    )
  })

  it('moves the end of a line, and gives a text the next size, at most the largest (issue 27)', () => {
    const arrow: Shape = { ...drawn, kind: 'arrow', from: [0.2, 0.2], to: [0.4, 0.4] }
    expect(resizeShape(arrow, 0.1, 0)).toEqual({ ...arrow, to: [0.5, 0.4] })
    const text: Shape = { ...drawn, kind: 'text', at: [0.5, 0.5], text: 'Scar', size: 'medium' }
    expect(resizeShape(text, 0.1, 0)).toMatchObject({ size: 'large' })
    expect(resizeShape(resizeShape(text, 0, -0.1), 0, -0.1)).toMatchObject({ size: 'large' })
    expect(resizeShape(text, -0.1, 0)).toMatchObject({ size: 'small' })
  })
})

describe('measuring', () => {
  const size = { width: 2000, height: 1000 }
  const line = (from: PhotoPoint, to: PhotoPoint, knownMm: number | null = null) =>
    ({ ...drawn, kind: 'measure', from, to, knownMm }) as const

  it('counts in pixels of the photo, not in fractions of its sides (issue 27)', () => {
    const ruler = line([0.1, 0.1], [0.2, 0.1], 20) // 200 pixels
    const across = line([0.5, 0.2], [0.7, 0.2]) // 400 pixels
    const down = line([0.5, 0.2], [0.5, 0.6]) // 400 pixels
    const shapes = [across, ruler, down]
    expect(shapes.map((one) => formatLength(lengthOf(one, shapes, size)))).toEqual(['40.0 mm', '20.0 mm', '40.0 mm'])
  })

  it('says multiples of the first line while no length is known (issue 27)', () => {
    const shapes = [line([0.1, 0.1], [0.2, 0.1]), line([0.1, 0.1], [0.1, 0.37])]
    expect(shapes.map((one) => formatLength(lengthOf(one, shapes, size)))).toEqual(['1.00 ×', '1.35 ×'])
  })

  it('says nothing about lines that are compared with a point (issue 27)', () => {
    const shapes = [line([0.1, 0.1], [0.1, 0.1]), line([0.1, 0.1], [0.2, 0.1])]
    expect(shapes.map((one) => formatLength(lengthOf(one, shapes, size)))).toEqual(['No length', 'No length'])
  })

  it('is the same wherever the lines are moved (issue 27)', () => {
    fc.assert(
      fc.property(point, point, point, point, step, step, (a, b, c, d, dx, dy) => {
        fc.pre(Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.01)
        const [ruler, other] = [line(a, b, 10), line(c, d)]
        const length = (shapes: readonly [typeof ruler, typeof other]) => (lengthOf(shapes[1], shapes, size) as { mm: number }).mm
        const moved = length([moveShape(ruler, dx, dy), moveShape(other, dy, dx)])
        expect(Math.abs(moved - length([ruler, other]))).toBeLessThan(0.02 * Math.max(1, moved))
      }),
    )
  })
})

describe('strokes of the pen', () => {
  it('keep their first and last point when they are too long (issue 27)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (length) => {
        const points = Array.from({ length }, (_, place): PhotoPoint => [place / 3000, 0.5])
        const kept = thinStroke(points)
        expect(kept.length).toBe(Math.min(length, markupLimits.points))
        expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)])
        expect(new Set(kept.map(([x]) => x)).size).toBe(kept.length)
      }),
    )
  })

  it('are drawn from the first to the last point, and a single point as a dot (issue 27)', () => {
    const size = { width: 100, height: 200 }
    expect(strokePath([[0.5, 0.5]], size)).toBe('M50 100l0 0.1')
    expect(strokePath([toPoint(0, 0), toPoint(1, 0), toPoint(1, 1)], size)).toBe('M0 0L50 0Q100 0 100 100L100 200')
    expect(strokePath([], size)).toBe('')
  })

  it('an arrow has its head at its end (issue 27)', () => {
    expect(arrowHead([0, 0.5], [1, 0.5], { width: 100, height: 100 }, 20)).toBe('M82.7 40L100 50L82.7 60')
  })
})
