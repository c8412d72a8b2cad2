import { type Clock, workday, workdayBefore } from '../clock.ts'
import type { Journey, Move } from './journey.ts'
import { type Random, weighted } from '../random.ts'

const pickTiming = weighted<'overdue' | 'today' | 'ahead'>([
  ['overdue', 12],
  ['today', 7],
  ['ahead', 81],
])
/** Days after the last move during which staff work on the patient; after that few have a follow-up date. */
const activeDays = 45

/** When to call the patient next, at a quarter of an hour in office hours. Null when nothing is planned. */
export function followUp(stage: Move, { surgery }: Journey, clock: Clock, random: Random): number | null {
  const today = clock.dayOf(clock.now)
  const since = today - clock.dayOf(stage.at)
  const at = (dayNumber: number) => clock.at(dayNumber, 9 * 60 + 15 * random.int(0, 33))
  if (stage.to === 'surgery_booked') {
    // The pre-op call two weeks before surgery, or the visit three months after.
    const next = surgery!.day - 14 > today ? surgery!.day - 14 : surgery!.day + 90
    return next > today && random.chance(0.6) ? at(workday(next)) : null
  }
  if (stage.to === 'cold_lead') return random.chance(0.05) ? at(workday(today + random.int(20, 180))) : null
  if (!random.chance(since <= activeDays ? 0.75 : 0.12)) return null
  // A follow-up never lies before the last move.
  const plan = since < 5 ? 'ahead' : pickTiming(random)
  if (plan === 'overdue') return at(workdayBefore(today - random.int(0, Math.min(since - 5, 9))))
  if (plan === 'today') return at(today)
  return at(workday(today + 1 + Math.floor((since <= activeDays ? 20 : 80) * random.next() ** 2)))
}
