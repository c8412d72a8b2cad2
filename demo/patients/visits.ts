import { type Clock, isoDay, minute, timeOfDay, workday } from '../clock.ts'
import { consultLength, type Diary, type RoomName } from '../diary.ts'
import type { Journey } from './journey.ts'
import type { StaffKey } from '../staff.ts'

/** A visit in the calendar: upcoming, or in the last two weeks. */
export type Visit = {
  type: 'consult' | 'pre_op' | 'post_op'
  day: number
  /** Minutes since midnight. */
  minutes: number
  length: number
  room: RoomName
  /** Null for a nurse's visit. */
  provider: StaffKey | null
  /** Null while upcoming. */
  outcome: 'held' | 'missed' | null
  bookedAt: number
  bookedBy: StaffKey | null
}

/** Days relative to surgery. */
const [preOp, postOp] = [-14, 7]
const daysBack = 14

/** The visits of a journey that appear in the calendar. */
export function visitsOf(journey: Journey, clock: Clock, diary: Diary): Visit[] {
  const first = clock.dayOf(clock.now) - daysBack
  return [...consultOf(journey, clock), ...aroundSurgery(journey, clock, diary, first)].filter(({ day }) => day >= first)
}

function consultOf({ consult, moves }: Journey, clock: Clock): Visit[] {
  const booked = moves.findLast(({ to }) => to === 'consult_booked')
  if (!consult?.isInDiary || !booked) return []
  const { day, minutes, location: room, missed } = consult
  const isHeld = moves.some(({ to }) => to === 'consult_done')
  const outcome = isHeld ? 'held' : missed || moves.at(-1)!.to === 'cold_lead' ? 'missed' : null
  // A patient who dropped out before the day is no longer expected.
  if (outcome === 'missed' && clock.at(day, minutes) > clock.now) return []
  return [
    { type: 'consult', day, minutes, length: consultLength, room, provider: 'provider', outcome, bookedAt: booked.at, bookedBy: booked.by },
  ]
}

function aroundSurgery({ surgery, moves }: Journey, clock: Clock, diary: Diary, first: number): Visit[] {
  if (!surgery) return []
  const { bookedAt } = surgery
  const bookedBy = moves.at(-1)!.by
  return (
    [
      ['pre_op', preOp, 30],
      ['post_op', postOp, 30],
    ] as const
  ).flatMap(([type, days, length]) => {
    const wanted = workday(surgery.day + days)
    if (wanted < first || wanted <= clock.dayOf(bookedAt)) return []
    const place = diary.reserve('treatment', { day: wanted, minutes: 9 * 60 + 15 * (Math.floor(bookedAt / minute) % 24) }, length)
    if (!place) return []
    const outcome = clock.at(place.day, place.minutes + length) <= clock.now ? 'held' : null
    return [{ ...place, type, length, room: 'Treatment room', provider: null, outcome, bookedAt, bookedBy }]
  })
}

/** The record's next-appointment fields: the next visit in the calendar, otherwise the upcoming consult. */
export function nextAppointment(visits: readonly Visit[], { consult }: Journey, clock: Clock) {
  const [next] = visits
    .filter(({ day, minutes, length, outcome }) => outcome === null && clock.at(day, minutes + length) > clock.now)
    .toSorted((a, b) => a.day - b.day || a.minutes - b.minutes)
  const unscheduled =
    consult && !consult.isInDiary && !consult.missed && clock.at(consult.day, consult.minutes) > clock.now ? consult : null
  const place = next ? { ...next, location: next.room } : unscheduled
  if (!place) return { appointmentDate: null, appointmentTime: null, appointmentLocation: null }
  return { appointmentDate: isoDay(place.day), appointmentTime: timeOfDay(place.minutes), appointmentLocation: place.location }
}
