export type Size = { width: number; height: number }
/** A rectangle: the part of a turned photo that is shown, as fractions of the frame around the turned photo. */
export type Crop = { x: number; y: number; width: number; height: number }
/** How a photo is shown; its original stays as it is. `turn`: in degrees, clockwise. Without a crop, the largest part without empty corners is shown. */
export type View = { turn: number; crop: Crop | null }
/**
 * A part that is made unrecognizable in copies that leave the chart: a bar over the eyes, or an ellipse melted into a few colours. Its middle and
 * its sides are fractions of the upright original's; `turn` is in degrees, clockwise.
 */
export type Blur = { kind: 'bar' | 'ellipse'; x: number; y: number; width: number; height: number; turn: number }
export type Adjustment = View & { blurs: Blur[] }

export const unadjusted: Adjustment = { turn: 0, crop: null, blurs: [] }
export const isUnadjusted = ({ turn, crop, blurs }: Adjustment): boolean => turn === 0 && crop === null && blurs.length === 0

export const adjustLimits = { blurs: 10, minSide: 0.02 } as const

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
export function visibleBox(size: Size, { turn, crop }: View): { x: number; y: number } & Size {
  const frame = turnedSize(size, turn)
  if (crop)
    return { x: crop.x * frame.width, y: crop.y * frame.height, width: crop.width * frame.width, height: crop.height * frame.height }
  const isUpright = turn % 90 === 0
  const { width, height } = isUpright ? frame : largestWithin(size, turn)
  return { x: (frame.width - width) / 2, y: (frame.height - height) / 2, width, height }
}

/** The middle of what is shown, as fractions of the upright original. */
export function visibleCentre(size: Size, adjustment: View = unadjusted): [x: number, y: number] {
  const box = visibleBox(size, adjustment)
  const frame = turnedSize(size, adjustment.turn)
  const angle = (-adjustment.turn * Math.PI) / 180
  const [x, y] = [box.x + box.width / 2 - frame.width / 2, box.y + box.height / 2 - frame.height / 2]
  return [(x * Math.cos(angle) - y * Math.sin(angle)) / size.width + 0.5, (x * Math.sin(angle) + y * Math.cos(angle)) / size.height + 0.5]
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
const rounded = (value: number): number => Math.round(value * 1e5) / 1e5

/** A crop moved, or with its right and bottom edge moved, as far as it stays within the frame. */
export function changeCrop({ x, y, width, height }: Crop, dx: number, dy: number, isResize: boolean): Crop {
  if (!isResize) return { x: rounded(clamp(x + dx, 0, 1 - width)), y: rounded(clamp(y + dy, 0, 1 - height)), width, height }
  const least = adjustLimits.minSide
  return { x, y, width: rounded(clamp(width + dx, least, 1 - x)), height: rounded(clamp(height + dy, least, 1 - y)) }
}

export const cropCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const
export type CropCorner = (typeof cropCorners)[number]

/** A crop with one corner moved, as far as it stays within the frame. The opposite corner stays where it is. */
export function dragCorner(crop: Crop, corner: CropCorner, dx: number, dy: number): Crop {
  const [x, width] = moveEdge(crop.x, crop.width, dx, corner.endsWith('left'))
  const [y, height] = moveEdge(crop.y, crop.height, dy, corner.startsWith('top'))
  return { x, y, width, height }
}

function moveEdge(start: number, size: number, by: number, isStart: boolean): [start: number, size: number] {
  const least = adjustLimits.minSide
  if (!isStart) return [start, rounded(clamp(size + by, least, 1 - start))]
  const end = start + size
  const moved = rounded(clamp(start + by, 0, end - least))
  return [moved, rounded(end - moved)]
}

/** A blurred part moved within the photo, or made larger around its middle. */
export function changeBlur(blur: Blur, dx: number, dy: number, isResize: boolean): Blur {
  const least = adjustLimits.minSide
  if (!isResize) return { ...blur, x: rounded(clamp(blur.x + dx, 0, 1)), y: rounded(clamp(blur.y + dy, 0, 1)) }
  return { ...blur, width: rounded(clamp(blur.width + dx, least, 1)), height: rounded(clamp(blur.height + dy, least, 1)) }
}

/** A turn between -180 and 180 degrees. */
export const normalTurn = (turn: number): number => {
  const within = ((((turn + 180) % 360) + 360) % 360) - 180
  return Math.round(within * 10) / 10
}
