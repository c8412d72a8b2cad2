import { workday } from './clock.ts'

/** Rooms as the migrations name them. */
export const roomNames = ['Consult room 1', 'Consult room 2', 'Treatment room'] as const
export type RoomName = (typeof roomNames)[number]

/** Minutes. */
export const consultLength = 45

/** Whom or what a visit takes up: the surgeon, or the room in which nurses see patients. */
type Resource = 'surgeon' | 'treatment'
/** A calendar day, and minutes since midnight. */
type Place = { day: number; minutes: number }

/** What is taken at the clinic: no two visits are at the same time with the same surgeon, or in the same room. */
export type Diary = {
  /** The first time at or after the wanted one that is free, on that day or one of the next; null where nothing is. It is taken then. */
  take: (resource: Resource, wanted: Place, length: number) => Place | null
}

/** In minutes of the day, as the migrations have the practice's hours; and lunch. */
const [opens, closes] = [8 * 60 + 30, 16 * 60 + 30]
const lunch = { from: 12 * 60, to: 13 * 60 }
const step = 15
const daysTried = 4

export function createDiary(): Diary {
  const taken = new Map<string, { from: number; to: number }[]>()
  return {
    take(resource, wanted, length) {
      let { day } = wanted
      for (let tried = 0; tried < daysTried; tried++, day = workday(day + 1)) {
        const key = `${resource} ${day}`
        const busy = taken.get(key) ?? [lunch]
        const minutes = freeFrom(tried === 0 ? wanted.minutes : opens, length, busy)
        if (minutes === null) continue
        busy.push({ from: minutes, to: minutes + length })
        taken.set(key, busy)
        return { day, minutes }
      }
      return null
    },
  }
}

/** Round the day, beginning at the wanted minute. */
function freeFrom(wanted: number, length: number, busy: readonly { from: number; to: number }[]): number | null {
  const isFree = (from: number) => busy.every((other) => from >= other.to || from + length <= other.from)
  for (let from = wanted; from + length <= closes; from += step) if (isFree(from)) return from
  for (let from = opens; from < wanted && from + length <= closes; from += step) if (isFree(from)) return from
  return null
}
