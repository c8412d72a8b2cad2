/**
 * A browser cannot make an element as high as a million rows (Chromium ends at 33 million px, Firefox at 18), and positions that large lose
 * their fractions. So a longer list is drawn into a shorter range: near both ends pixel by pixel, in the middle scaled, where one pixel of
 * the scrollbar stands for many rows anyway. All values in px.
 */
const tallest = 2_000_000
/** At each end, so that anyone who comes to one scrolls on as in any other list. */
const exact = 200_000

/** How high an element holds a list of this height. */
export const rangeHeight = (height: number): number => Math.min(height, tallest)

/** Where in the range a position in the list is. */
export function toRange(position: number, height: number): number {
  const fromEnd = height - position
  if (height <= tallest || position <= exact) return position
  if (fromEnd <= exact) return tallest - fromEnd
  return exact + (position - exact) / scale(height)
}

/** Which position in the list a place in the range stands for. */
export function fromRange(place: number, height: number): number {
  const fromEnd = tallest - place
  if (height <= tallest || place <= exact) return place
  if (fromEnd <= exact) return height - fromEnd
  return exact + (place - exact) * scale(height)
}

const scale = (height: number): number => (height - 2 * exact) / (tallest - 2 * exact)
