import { type Clock, day, minute, workday } from '../clock.ts'
import { consultLength, type Diary, type RoomName } from '../diary.ts'
import type { Procedure } from '../procedures.ts'
import { type Random, weighted } from '../random.ts'
import type { StaffKey } from '../staff.ts'

/** Values of the funnel's stages as inserted by the migrations. */
export const stageValues = ['lead', 'contacted', 'consult_booked', 'consult_done', 'quote_sent', 'surgery_booked', 'cold_lead'] as const
export type StageValue = (typeof stageValues)[number]

export type Move = { from: StageValue | null; to: StageValue; at: number; by: StaffKey | null }

/** A patient's path through the funnel so far. */
export type Journey = {
  /** In chronological order; the stage of the last move is the current one. */
  moves: Move[]
  /**
   * The booked consult, held or upcoming; `missed` when it was cancelled and not rebooked. `isInDiary` is false for patients for whom the
   * clinic's diary had no time left, when there are more patients than it can see.
   */
  consult: { day: number; minutes: number; location: RoomName; isInDiary: boolean; missed: boolean } | null
  quoteCents: number | null
  surgery: { day: number; revenueCents: number; bookedAt: number } | null
}

type Outcome = { stages: readonly StageValue[]; missesConsult?: boolean }

const path = stageValues.slice(0, 6)
const upTo = (stage: StageValue) => path.slice(0, path.indexOf(stage) + 1)
const coldFrom = (stage: StageValue): Outcome => ({ stages: [...upTo(stage), 'cold_lead'] })

/** Final outcomes with their weights. What lies in the future has not happened yet, so recent patients are at an earlier stage. */
const pickOutcome = weighted<Outcome>([
  [{ stages: upTo('lead') }, 6],
  [{ stages: upTo('contacted') }, 33],
  [{ stages: upTo('consult_booked'), missesConsult: true }, 1.5],
  [{ stages: upTo('consult_done') }, 7],
  [{ stages: upTo('quote_sent') }, 10],
  [{ stages: upTo('surgery_booked') }, 13.6],
  [coldFrom('lead'), 11],
  [coldFrom('contacted'), 10],
  [coldFrom('consult_booked'), 1.2],
  [coldFrom('consult_done'), 1.4],
  [coldFrom('quote_sent'), 1.8],
  [{ stages: [...upTo('contacted'), 'cold_lead', 'contacted'] }, 0.7],
  [{ stages: [...upTo('contacted'), 'cold_lead', ...upTo('surgery_booked').slice(1)] }, 0.3],
])

const rooms = weighted<RoomName>([
  ['Consult room 1', 6],
  ['Consult room 2', 5],
])

export type JourneyInput = { createdAt: number; createdBy: StaffKey | null; owner: StaffKey; procedure: Procedure }

export function createJourney(
  { createdAt, createdBy, owner, procedure }: JourneyInput,
  clock: Clock,
  diary: Diary,
  random: Random,
): Journey {
  const { stages, missesConsult = false } = pickOutcome(random)
  const journey: Journey = {
    moves: [{ from: null, to: 'lead', at: createdAt, by: createdBy }],
    consult: null,
    quoteCents: null,
    surgery: null,
  }
  const prices = { quote: roundedPrice(procedure, random), booked: 0.94 + 0.1 * random.next() }

  for (const to of stages.slice(1)) {
    const from = journey.moves.at(-1)!
    const at = timeOf(to, from, journey, clock, random)
    if (at > clock.now) break
    journey.moves.push({ from: from.to, to, at, by: to === 'consult_done' && random.chance(0.5) ? 'provider' : owner })
    if (to === 'consult_booked') journey.consult = { ...consultAfter(at, clock, diary, random), missed: false }
    if (to === 'quote_sent') journey.quoteCents = prices.quote
    if (to === 'surgery_booked') {
      const revenueCents = Math.round((prices.quote * prices.booked) / 5000) * 5000
      journey.surgery = { day: surgeryDay(clock.dayOf(at) + random.int(18, 95)), revenueCents, bookedAt: at }
    }
  }
  const { consult } = journey
  const isHeld = journey.moves.some(({ to }) => to === 'consult_done')
  // Staff can still move the patient on until the end of the day; after that the consult counts as missed.
  if (consult && !isHeld)
    consult.missed = missesConsult ? clock.at(consult.day, consult.minutes) < clock.now : consult.day < clock.dayOf(clock.now)
  return journey
}

/** When a patient reaches a stage, at least some minutes after the previous move. Later than now if it has not happened yet. */
function timeOf(to: StageValue, from: Move, journey: Journey, clock: Clock, random: Random): number {
  const days = (min: number, max: number) => clock.openTime(from.at + 7 * minute + (min + (max - min) * random.next() ** 2) * day, random)
  switch (to) {
    case 'lead':
    case 'contacted':
      if (from.to === 'cold_lead') return days(20, 120)
      return random.chance(0.7) ? clock.openTime(from.at + random.int(8, 240) * minute, random) : days(0.5, 4)
    case 'consult_booked':
      return random.chance(0.35) ? from.at + random.int(7, 12) * minute : days(0.5, 26)
    case 'consult_done': {
      const consult = journey.consult!
      return clock.at(consult.day, consult.minutes) + random.int(40, 75) * minute
    }
    case 'quote_sent':
      return days(0.1, 5)
    case 'surgery_booked':
      return days(1, 45)
    case 'cold_lead': {
      const consult = journey.consult
      const after = consult && from.to === 'consult_booked' ? clock.at(consult.day, consult.minutes) - from.at : 0
      return clock.openTime(from.at + after + (21 + 80 * random.next()) * day, random)
    }
  }
}

function consultAfter(bookedAt: number, clock: Clock, diary: Diary, random: Random) {
  const day = workday(clock.dayOf(bookedAt) + 5 + Math.floor(38 * random.next() ** 1.3))
  const wanted = { day, minutes: 9 * 60 + 15 * random.int(0, 26) }
  const location = rooms(random)
  const slot = diary.reserve('surgeon', wanted, consultLength)
  return { ...(slot ?? wanted), location, isInDiary: slot !== null }
}

/** The next day from Monday to Thursday. */
function surgeryDay(from: number): number {
  const result = workday(from)
  return (result + 4) % 7 === 5 ? result + 3 : result
}

/** A price in cents, rounded to 50 dollars. */
function roundedPrice({ from, to }: Procedure, random: Random): number {
  return Math.round((from + (to - from) * random.next()) / 50) * 5000
}
