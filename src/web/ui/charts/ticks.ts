/**
 * Where the lines of a grid of percentages are: whole numbers, at most four lines above zero, the last of them no higher than the highest bar
 * needs. Recharts would always draw as many as it may, and leave the upper part of many a chart empty.
 */
export function ticksFor(highest: number): number[] {
  if (highest === 0) return [0, 25, 50, 75, 100]
  const step = [1, 2, 5, 10, 20, 25].find((candidate) => candidate * 4 >= highest) ?? 25
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}
