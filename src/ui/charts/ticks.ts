/**
 * Grid lines for percentages: whole numbers, at most four lines above zero, the last no higher than the highest bar needs. Recharts would
 * always draw the maximum and leave the upper part of many charts empty.
 */
export function ticksFor(highest: number): number[] {
  if (highest === 0) return [0, 25, 50, 75, 100]
  const step = [1, 2, 5, 10, 20, 25].find((candidate) => candidate * 4 >= highest) ?? 25
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Grid lines for numbers of any size, including negative: at most four from the lowest to the highest, on round numbers. */
export function ticksBetween(lowest: number, highest: number): number[] {
  const [bottom, top] = [Math.min(0, lowest), Math.max(0, highest)]
  if (top === bottom) return [0, 1]
  const least = (top - bottom) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 10 * power)
  const first = Math.floor(bottom / step)
  return Array.from({ length: Math.ceil(top / step) - first + 1 }, (_, index) => (first + index) * step)
}
