import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Blur,
  changeBlur,
  changeCrop,
  cropCorners,
  dragCorner,
  normalTurn,
  type Size,
  turnedSize,
  visibleBox,
  visibleCentre,
} from './adjust-rules.ts'

const size = fc.record({ width: fc.integer({ min: 1, max: 8000 }), height: fc.integer({ min: 1, max: 8000 }) })
const turn = fc.double({ min: -180, max: 180, noNaN: true })

/** Where a place in the frame around a turned photo lies on the photo itself, in pixels. */
function onPhoto({ width, height }: Size, degrees: number, x: number, y: number): [number, number] {
  const frame = turnedSize({ width, height }, degrees)
  const angle = (-degrees * Math.PI) / 180
  const [dx, dy] = [x - frame.width / 2, y - frame.height / 2]
  return [dx * Math.cos(angle) - dy * Math.sin(angle) + width / 2, dx * Math.sin(angle) + dy * Math.cos(angle) + height / 2]
}

describe('a turned photo', () => {
  it('has a frame that all its corners touch (issue 27)', () => {
    expect(turnedSize({ width: 400, height: 300 }, 90)).toEqual({ width: expect.closeTo(300), height: expect.closeTo(400) })
    fc.assert(
      fc.property(size, turn, (photo, degrees) => {
        const frame = turnedSize(photo, degrees)
        expect(frame.width * frame.height).toBeGreaterThan(photo.width * photo.height * 0.999)
        expect(Math.hypot(frame.width, frame.height)).toBeLessThanOrEqual(Math.hypot(photo.width, photo.height) * Math.SQRT2 * 1.0001)
      }),
    )
  })

  it('is shown without empty corners unless someone crops it (issue 27)', () => {
    fc.assert(
      fc.property(size, turn, (photo, degrees) => {
        const { x, y, width, height } = visibleBox(photo, { turn: degrees, crop: null })
        const slack = 0.001 * Math.max(photo.width, photo.height)
        expect(width * height).toBeGreaterThan(0)
        for (const [cx, cy] of [
          [x, y],
          [x + width, y],
          [x, y + height],
          [x + width, y + height],
        ] as const) {
          const [px, py] = onPhoto(photo, degrees, cx, cy)
          expect(px).toBeGreaterThanOrEqual(-slack)
          expect(py).toBeGreaterThanOrEqual(-slack)
          expect(px).toBeLessThanOrEqual(photo.width + slack)
          expect(py).toBeLessThanOrEqual(photo.height + slack)
        }
      }),
    )
  })

  it.each([0, 90, -90, 180])('by %i degrees is shown as a whole (issue 27)', (degrees) => {
    const photo = { width: 400, height: 300 }
    const frame = turnedSize(photo, degrees)
    expect(visibleBox(photo, { turn: degrees, crop: null })).toEqual({ x: 0, y: 0, ...frame })
  })
})

describe('a cropped photo', () => {
  it('shows the part of the frame that was chosen, and knows its middle on the original (issue 27)', () => {
    const photo = { width: 400, height: 300 }
    const crop = { x: 0.5, y: 0, width: 0.5, height: 0.5 }
    expect(visibleBox(photo, { turn: 0, crop })).toEqual({ x: 200, y: 0, width: 200, height: 150 })
    expect(visibleCentre(photo, { turn: 0, crop })).toEqual([0.75, 0.25])
    // Turned clockwise by 90 degrees, the top right quarter is the top left one of the original.
    expect(visibleCentre(photo, { turn: 90, crop })).toEqual([expect.closeTo(0.25), expect.closeTo(0.25)])
    expect(visibleCentre(photo)).toEqual([0.5, 0.5])
  })
})

describe('changing a crop or a blurred part', () => {
  const step = fc.double({ min: -2, max: 2, noNaN: true })
  it('never leaves the photo or vanishes (issue 27)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, step, fc.boolean()), { maxLength: 20 }), (steps) => {
        let crop = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
        let blur: Blur = { kind: 'bar', x: 0.5, y: 0.5, width: 0.4, height: 0.1, turn: 0 }
        for (const [dx, dy, isResize] of steps) {
          crop = changeCrop(crop, dx, dy, isResize)
          blur = changeBlur(blur, dx, dy, isResize)
          expect(Math.min(crop.x, crop.y, blur.x, blur.y)).toBeGreaterThanOrEqual(0)
          expect(Math.max(crop.x + crop.width, crop.y + crop.height)).toBeLessThanOrEqual(1.00001)
          expect(Math.max(blur.x, blur.y, blur.width, blur.height)).toBeLessThanOrEqual(1)
          expect(Math.min(crop.width, crop.height, blur.width, blur.height)).toBeGreaterThanOrEqual(0.02)
        }
      }),
    )
  })

  it('a dragged corner leaves the opposite one in place, within the photo (issue 27)', () => {
    const before = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
    expect(dragCorner(before, 'top-left', 0.1, -0.1)).toEqual({ x: 0.3, y: 0.1, width: 0.4, height: 0.6 })
    expect(dragCorner(before, 'bottom-right', 0.1, -0.1)).toEqual({ x: 0.2, y: 0.2, width: 0.6, height: 0.4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(step, step, fc.constantFrom(...cropCorners)), { maxLength: 20 }), (steps) => {
        let crop = before
        for (const [dx, dy, corner] of steps) {
          const { x, y, width, height } = dragCorner(crop, corner, dx, dy)
          if (corner.endsWith('left')) expect(x + width).toBeCloseTo(crop.x + crop.width, 4)
          else expect(x).toBe(crop.x)
          if (corner.startsWith('top')) expect(y + height).toBeCloseTo(crop.y + crop.height, 4)
          else expect(y).toBe(crop.y)
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
          expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1.00001)
          expect(Math.min(width, height)).toBeGreaterThanOrEqual(0.0199)
          crop = { x, y, width, height }
        }
      }),
    )
  })

  it.each([
    [190, -170],
    [-190, 170],
    [360, 0],
    [90.04, 90],
  ])('a turn of %d degrees is one of %d (issue 27)', (given, wanted) => {
    expect(normalTurn(given)).toBe(wanted)
  })
})
