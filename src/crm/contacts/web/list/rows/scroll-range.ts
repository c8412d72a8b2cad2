/**
 * Browsers limit the height of an element (Chromium to 33 million px, Firefox to 18), and positions that large lose their fractions. So a
 * longer list is mapped to a shorter scroll range: pixel by pixel near both ends, scaled in the middle, where one pixel of the scrollbar
 * covers many rows anyway. All values in px.
 */
const maxHeight = 2_000_000
/** The unscaled part at each end, so that the ends scroll like any other list. */
const exact = 200_000

/** The height of the scroll range for a list of this height. */
export const rangeHeight = (height: number): number => Math.min(height, maxHeight)

/** Converts a position in the list to one in the scroll range. */
export function toRange(position: number, height: number): number {
  const fromEnd = height - position
  if (height <= maxHeight || position <= exact) return position
  if (fromEnd <= exact) return maxHeight - fromEnd
  return exact + (position - exact) / scale(height)
}

/** Converts a position in the scroll range to one in the list. */
export function fromRange(place: number, height: number): number {
  const fromEnd = maxHeight - place
  if (height <= maxHeight || place <= exact) return place
  if (fromEnd <= exact) return height - fromEnd
  return exact + (place - exact) * scale(height)
}

const scale = (height: number): number => (height - 2 * exact) / (maxHeight - 2 * exact)
