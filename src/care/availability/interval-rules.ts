/** From a minute up to, but not including, another one. Minutes are counted since 1970 (UTC), so a change of the clock does not touch them. */
export interface Interval {
  from: number
  to: number
}

export const toMinute = (instant: Date): number => Math.floor(instant.getTime() / 60_000)
export const toDate = (minute: number): Date => new Date(minute * 60_000)

/** Intervals in order that neither overlap nor touch. */
export type Intervals = readonly Interval[]

/** The minutes that are in any of them. */
export function union(all: readonly Interval[]): Interval[] {
  const merged: Interval[] = []
  for (const { from, to } of all.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else if (from < to) merged.push({ from, to })
  }
  return merged
}

/** The minutes that are in both. */
export function intersect(a: Intervals, b: Intervals): Interval[] {
  const common: Interval[] = []
  if (a.length === 0) return common
  // Mostly a few intervals of a day, and another list of a year.
  let [i, j] = [0, firstEndingAfter(b, a[0]!.from)]
  while (i < a.length && j < b.length) {
    const [one, other] = [a[i]!, b[j]!]
    const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)]
    if (from < to) common.push({ from, to })
    if (one.to < other.to) i++
    else j++
  }
  return common
}

/** The minutes that are in the first, and not in the second. */
export function subtract(all: Intervals, removed: Intervals): Interval[] {
  return all.flatMap(({ from, to }) => {
    const left: Interval[] = []
    let start = from
    for (let j = firstEndingAfter(removed, from); j < removed.length && removed[j]!.from < to; j++) {
      if (removed[j]!.from > start) left.push({ from: start, to: removed[j]!.from })
      start = removed[j]!.to
    }
    if (start < to) left.push({ from: start, to })
    return left
  })
}

/** Whether one of them has the whole interval. */
export const contains = (all: Intervals, { from, to }: Interval): boolean => {
  const found = all[firstEndingAfter(all, from)]
  return found !== undefined && found.from <= from && to <= found.to
}

function firstEndingAfter(all: Intervals, minute: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.to <= minute) low = middle + 1
    else high = middle
  }
  return low
}
