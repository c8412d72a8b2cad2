import { type Clock, day, hour } from '../clock.ts'
import type { Random } from '../random.ts'

/** How far the clinic's records go back. */
const months18 = 548 * day

/** Relative number of leads per hour of the day, from midnight: few at night, most in the evening. */
const byHour = [3, 1, 1, 1, 1, 2, 6, 12, 22, 34, 40, 40, 38, 36, 36, 38, 36, 34, 36, 44, 52, 48, 30, 12]
/** Sunday to Saturday. */
const byWeekday = [0.8, 1.25, 1.2, 1.15, 1.1, 0.95, 0.65]
/** January to December: people plan surgery for autumn and after the holidays. */
const byMonth = [1.25, 1.15, 1.1, 1, 0.95, 0.85, 0.8, 0.9, 1.1, 1.15, 1.1, 0.75]

/**
 * Yields the time at which each of `count` patients was added, ascending: over the last 18 months, with growing numbers, on the days and at
 * the hours when people write to a clinic. Each patient gets its own slice of the total, so no sorting is needed.
 */
export function* arrivals(count: number, clock: Clock, random: Random): Generator<number> {
  const { ends, start } = cumulativeLikelihood(clock)
  const total = ends.at(-1)!
  let slot = 0
  let last = 0
  for (let i = 0; i < count; i++) {
    const at = ((i + random.next()) / count) * total
    while (ends[slot]! < at) slot++
    const before = slot === 0 ? 0 : ends[slot - 1]!
    const instant = start + slot * hour + Math.floor(((at - before) / (ends[slot]! - before)) * hour)
    last = Math.max(last, Math.min(instant, clock.now - 1000))
    yield last
  }
}

/** Cumulative likelihood at the end of each hour. The last hour ends now. */
function cumulativeLikelihood(clock: Clock): { ends: number[]; start: number } {
  const start = clock.now - months18
  let sum = 0
  const ends = Array.from({ length: months18 / hour }, (_, slot) => {
    const instant = start + slot * hour
    const today = clock.dayOf(instant)
    const growth = 1 + (0.7 * slot * hour) / months18
    const season = byMonth[new Date(today * day).getUTCMonth()]!
    sum += growth * season * byWeekday[(today + 4) % 7]! * byHour[Math.floor(clock.minuteOf(instant) / 60)]!
    return sum
  })
  return { ends, start }
}
