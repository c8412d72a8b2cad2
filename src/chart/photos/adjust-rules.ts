export type Size = { width: number; height: number }
/** A rectangle: the part of a turned photo that is shown, as fractions of the frame around the turned photo. */
export type Crop = { x: number; y: number; width: number; height: number }
/** How a photo is shown; its original stays as it is. `turn`: in degrees, clockwise. Without a crop, the largest part without empty corners is shown. */
export type Adjustment = { turn: number; crop: Crop | null }

export const unadjusted: Adjustment = { turn: 0, crop: null }

/** The frame around a photo that was turned around its centre. */
export function turnedSize({ width, height }: Size, turn: number): Size {
  const angle = (turn * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  return { width: width * cos + height * sin, height: width * sin + height * cos }
}

/** The largest upright rectangle within a turned photo. */
function largestWithin({ width, height }: Size, turn: number): Size {
  const angle = (turn * Math.PI) / 180
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (short <= 2 * sin * cos * long || Math.abs(sin - cos) < 1e-9) {
    const half = short / 2
    return width >= height ? { width: half / sin, height: half / cos } : { width: half / cos, height: half / sin }
  }
  const cos2 = cos * cos - sin * sin
  return { width: Math.abs((width * cos - height * sin) / cos2), height: Math.abs((height * cos - width * sin) / cos2) }
}

/** The part that is shown, in pixels of the frame around the turned photo. */
export function visibleBox(size: Size, { turn, crop }: Adjustment): { x: number; y: number } & Size {
  const frame = turnedSize(size, turn)
  if (crop)
    return { x: crop.x * frame.width, y: crop.y * frame.height, width: crop.width * frame.width, height: crop.height * frame.height }
  const isUpright = turn % 90 === 0
  const { width, height } = isUpright ? frame : largestWithin(size, turn)
  return { x: (frame.width - width) / 2, y: (frame.height - height) / 2, width, height }
}

/** The middle of what is shown, as fractions of the upright original. */
export function visibleCentre(size: Size, adjustment: Adjustment = unadjusted): [x: number, y: number] {
  const box = visibleBox(size, adjustment)
  const frame = turnedSize(size, adjustment.turn)
  const angle = (-adjustment.turn * Math.PI) / 180
  const [x, y] = [box.x + box.width / 2 - frame.width / 2, box.y + box.height / 2 - frame.height / 2]
  return [(x * Math.cos(angle) - y * Math.sin(angle)) / size.width + 0.5, (x * Math.sin(angle) + y * Math.cos(angle)) / size.height + 0.5]
}
