import type { Size } from './adjust-rules.ts'

/** A place on a photo, as fractions of the width and height of the upright original. */
export type PhotoPoint = [x: number, y: number]

export const markupColours = ['yellow', 'red', 'blue', 'white'] as const
export type MarkupColour = (typeof markupColours)[number]

/** What is drawn over a photo. `knownMm`: the real length of a line, such as of a ruler in the picture, to which the other lines of the layer are measured. */
export type Shape = { id: string; colour: MarkupColour } & (
  | { kind: 'pen'; points: PhotoPoint[] }
  | { kind: 'arrow'; from: PhotoPoint; to: PhotoPoint }
  | { kind: 'measure'; from: PhotoPoint; to: PhotoPoint; knownMm: number | null }
  | { kind: 'text'; at: PhotoPoint; text: string; size: TextSize }
)
export type ShapeKind = Shape['kind']

export const shapeNames = { pen: 'Pen', arrow: 'Arrow', measure: 'Measurement', text: 'Text' } as const satisfies Record<ShapeKind, string>

export const textSizes = ['small', 'medium', 'large'] as const
export type TextSize = (typeof textSizes)[number]

/** How much one photo and one layer hold. */
export const markupLimits = { layers: 20, shapes: 100, points: 400, layerPoints: 4000, text: 200, mm: 2000 } as const

/** How many places a layer has, which bounds its size. */
export const countPoints = (shapes: readonly Shape[]): number =>
  shapes.reduce((sum, shape) => sum + (shape.kind === 'pen' ? shape.points.length : 1), 0)

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
/** A place inside the photo, rounded to less than a pixel of a large photo. */
export const toPoint = (x: number, y: number): PhotoPoint => [Math.round(clamp(x) * 1e5) / 1e5, Math.round(clamp(y) * 1e5) / 1e5]

/** In pixels of the upright original. */
const distance = ({ width, height }: Size, from: PhotoPoint, to: PhotoPoint): number =>
  Math.hypot((to[0] - from[0]) * width, (to[1] - from[1]) * height)

type Measure = Extract<Shape, { kind: 'measure' }>
const isMeasure = (shape: Shape): shape is Measure => shape.kind === 'measure'

/**
 * The length of a measured line: in mm, if the layer has a line of known length, or as a multiple of the layer's first line. Null: the line that
 * it would be compared with has no length.
 */
export function lengthOf(shape: Measure, shapes: readonly Shape[], size: Size): { mm: number } | { ratio: number } | null {
  const lines = shapes.filter(isMeasure)
  const known = lines.find(({ knownMm }) => knownMm !== null)
  const reference = known ?? lines[0] ?? shape
  const length = distance(size, reference.from, reference.to)
  if (length === 0) return null
  const ratio = distance(size, shape.from, shape.to) / length
  return known ? { mm: ratio * known.knownMm! } : { ratio }
}

/** '24.5 mm', or '1.35 ×' the first line. */
export function formatLength(length: ReturnType<typeof lengthOf>): string {
  if (!length) return 'No length'
  return 'mm' in length ? `${length.mm.toFixed(1)} mm` : `${length.ratio.toFixed(2)} ×`
}

/** The places that a shape consists of. */
export function pointsOfShape(shape: Shape): readonly PhotoPoint[] {
  if (shape.kind === 'pen') return shape.points
  return shape.kind === 'text' ? [shape.at] : [shape.from, shape.to]
}

function mapPoints<S extends Shape>(shape: S, change: (place: PhotoPoint) => PhotoPoint): S {
  if (shape.kind === 'pen') return { ...shape, points: shape.points.map(change) }
  return shape.kind === 'text' ? { ...shape, at: change(shape.at) } : { ...shape, from: change(shape.from), to: change(shape.to) }
}

/** Moved as far as it stays within the photo. */
export function moveShape<S extends Shape>(shape: S, dx: number, dy: number): S {
  const places = pointsOfShape(shape)
  const within = (by: number, values: readonly number[]) => Math.min(1 - Math.max(...values), Math.max(-Math.min(...values), by))
  const x = within(
    dx,
    places.map(([value]) => value),
  )
  const y = within(
    dy,
    places.map(([, value]) => value),
  )
  return mapPoints(shape, (place) => toPoint(place[0] + x, place[1] + y))
}

/** Made larger or smaller: the end of a line is moved, a stroke of the pen is stretched from its top left corner, and a text gets another size. */
export function resizeShape<S extends Shape>(shape: S, dx: number, dy: number): S {
  if (shape.kind === 'text') {
    const place = textSizes.indexOf(shape.size) + Math.sign(dx - dy)
    return { ...shape, size: textSizes[Math.min(textSizes.length - 1, Math.max(0, place))]! }
  }
  if (shape.kind !== 'pen') return { ...shape, to: toPoint(shape.to[0] + dx, shape.to[1] + dy) }
  const [xs, ys] = [shape.points.map(([x]) => x), shape.points.map(([, y]) => y)]
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const stretch = (value: number, start: number, length: number, by: number) =>
    length === 0 ? value : start + ((value - start) * Math.max(minStretch, length + by)) / length
  return mapPoints(shape, ([x, y]) => toPoint(stretch(x, left, right - left, dx), stretch(y, top, bottom - top, dy)))
}
/** A stroke keeps this much of the photo in each direction, so that it can be made larger again. */
const minStretch = 0.01

/** Without the points that say little: a stroke that would exceed the limit keeps evenly spread ones with its first and last. */
export function thinStroke(points: readonly PhotoPoint[], max: number = markupLimits.points): PhotoPoint[] {
  if (points.length <= max) return [...points]
  return Array.from({ length: max }, (_, place) => points[Math.round((place * (points.length - 1)) / (max - 1))]!)
}

const round = (value: number): number => Math.round(value * 10) / 10

/** A smooth SVG path through a stroke, in pixels of the upright original. */
export function strokePath(points: readonly PhotoPoint[], { width, height }: Size): string {
  const pixels = points.map(([x, y]) => [x * width, y * height] as const)
  const [first] = pixels
  if (!first) return ''
  const at = ([x, y]: readonly [number, number]) => `${round(x)} ${round(y)}`
  // A single point is drawn as a dot by its round ends.
  if (pixels.length === 1) return `M${at(first)}l0 0.1`
  const middle = (place: number) => {
    const [a, b] = [pixels[place]!, pixels[place + 1]!]
    return at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2])
  }
  const curves = pixels.slice(1, -1).map((point, place) => `Q${at(point)} ${middle(place + 1)}`)
  return `M${at(first)}L${middle(0)}${curves.join('')}L${at(pixels.at(-1)!)}`
}

/** The two short lines of an arrow's head as an SVG path, in pixels. `length`: of each. */
export function arrowHead(from: PhotoPoint, to: PhotoPoint, { width, height }: Size, length: number): string {
  const [x, y] = [to[0] * width, to[1] * height]
  const angle = Math.atan2((to[1] - from[1]) * height, (to[0] - from[0]) * width)
  const end = (turn: number) => `${round(x - length * Math.cos(angle + turn))} ${round(y - length * Math.sin(angle + turn))}`
  return `M${end(Math.PI / 6)}L${round(x)} ${round(y)}L${end(-Math.PI / 6)}`
}
