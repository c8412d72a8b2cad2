/** A part of a ring: its outline, and where its middle is. */
export interface Slice {
  path: string
  middle: { x: number; y: number }
}

/** The parts of a ring around 0,0, clockwise from the top. A part that is all of it is drawn as two halves: an arc cannot end where it begins. */
export function slicesOf(counts: readonly number[], outer: number, inner: number): Slice[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let done = 0
  return counts.map((count) => {
    const from = total === 0 ? 0 : done / total
    done += count
    const to = total === 0 ? 0 : done / total
    const halves = to - from > 0.999 ? [from, (from + to) / 2, to] : [from, to]
    const way = (radius: number, turns: readonly number[], sweep: 0 | 1) =>
      turns.slice(1).map((turn) => `A${radius} ${radius} 0 ${halves.length === 2 && to - from > 0.5 ? 1 : 0} ${sweep} ${at(radius, turn)}`)
    const path = [`M${at(outer, from)}`, ...way(outer, halves, 1), `L${at(inner, to)}`, ...way(inner, halves.toReversed(), 0), 'Z'].join('')
    return { path, middle: pointAt((outer + inner) / 2, (from + to) / 2) }
  })
}

/** A share of a whole turn, from the top. */
function pointAt(radius: number, turn: number): { x: number; y: number } {
  const angle = 2 * Math.PI * turn
  return { x: round(radius * Math.sin(angle)), y: round(-radius * Math.cos(angle)) }
}

const at = (radius: number, turn: number): string => {
  const { x, y } = pointAt(radius, turn)
  return `${x} ${y}`
}

const round = (value: number): number => Math.round(value * 100) / 100 + 0
