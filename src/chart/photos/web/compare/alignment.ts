/** A place in a picture's frame, in pixels from its top left corner. */
export type Point = { x: number; y: number }
/** Moves the second photo onto the first: scaled and turned around the frame's top left corner, then moved. `turn` in degrees. */
export type Alignment = { scale: number; turn: number; x: number; y: number }

export const unaligned: Alignment = { scale: 1, turn: 0, x: 0, y: 0 }
/** Points that are closer say nothing about size and turn. In pixels. */
const minDistance = 8

/** Lays two points of the second photo, such as the corners of the eyes, onto those of the first. Null if the points of one photo are too close. */
export function alignTo(first: readonly [Point, Point], second: readonly [Point, Point]): Alignment | null {
  const [wanted, given] = [vector(first), vector(second)]
  const [long, short] = [Math.hypot(wanted.x, wanted.y), Math.hypot(given.x, given.y)]
  if (long < minDistance || short < minDistance) return null
  const scale = long / short
  const angle = Math.atan2(wanted.y, wanted.x) - Math.atan2(given.y, given.x)
  const turned = apply({ scale, turn: (angle * 180) / Math.PI, x: 0, y: 0 }, second[0])
  return { scale, turn: (angle * 180) / Math.PI, x: first[0].x - turned.x, y: first[0].y - turned.y }
}

const vector = ([from, to]: readonly [Point, Point]): Point => ({ x: to.x - from.x, y: to.y - from.y })

/** Where a point of the second photo comes to lie. */
export function apply({ scale, turn, x, y }: Alignment, point: Point): Point {
  const angle = (turn * Math.PI) / 180
  return {
    x: scale * (point.x * Math.cos(angle) - point.y * Math.sin(angle)) + x,
    y: scale * (point.x * Math.sin(angle) + point.y * Math.cos(angle)) + y,
  }
}

/** How far the photos are magnified and moved, both alike. */
export type Zoom = { scale: number; x: number; y: number }
export const fit: Zoom = { scale: 1, x: 0, y: 0 }
const [minScale, maxScale] = [1, 8]

/** Magnifies around a point of the frame, which stays where it is. At 1 the photos are where they were. */
export function zoomAt(zoom: Zoom, factor: number, at: Point): Zoom {
  const scale = Math.min(maxScale, Math.max(minScale, zoom.scale * factor))
  if (scale === minScale) return fit
  const by = scale / zoom.scale
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }
}

/** A point of the screen's frame in that of the unmagnified photos. */
export const unzoom = ({ scale, x, y }: Zoom, point: Point): Point => ({ x: (point.x - x) / scale, y: (point.y - y) / scale })
