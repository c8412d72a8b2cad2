import { workday } from './clock.ts'

/** Room names as inserted by the migrations. */
export const roomNames = ['Consult room 1', 'Consult room 2', 'Treatment room'] as const
export type RoomName = (typeof roomNames)[number]

/** Minutes. */
export const consultLength = 45

/** What a visit occupies: the surgeon, or the room in which nurses see patients. */
type Resource = 'surgeon' | 'treatment'
/** A calendar day and minutes since midnight. */
type Slot = { day: number; minutes: number }

/** The clinic's bookings: no two visits overlap with the same surgeon or in the same room. */
export type Diary = {
  /** Reserves the first free time at or after the wanted one, on that day or one of the next. Null when nothing is free. */
  reserve: (resource: Resource, wanted: Slot, length: number) => Slot | null
}

/** The practice's hours as inserted by the migrations, in minutes since midnight; and lunch. */
const [opens, closes] = [8 * 60 + 30, 16 * 60 + 30]
const lunch = { from: 12 * 60, to: 13 * 60 }
const step = 15
const maxDays = 4

export function createDiary(): Diary {
  const bookings = new Map<string, { from: number; to: number }[]>()
  return {
    reserve(resource, wanted, length) {
      let { day } = wanted
      for (let attempt = 0; attempt < maxDays; attempt++, day = workday(day + 1)) {
        const key = `${resource} ${day}`
        const busy = bookings.get(key) ?? [lunch]
        const minutes = freeFrom(attempt === 0 ? wanted.minutes : opens, length, busy)
        if (minutes === null) continue
        busy.push({ from: minutes, to: minutes + length })
        bookings.set(key, busy)
        return { day, minutes }
      }
      return null
    },
  }
}

/** The first free minute from the wanted one to the end of the day, then from opening time, or null. */
function freeFrom(wanted: number, length: number, busy: readonly { from: number; to: number }[]): number | null {
  const isFree = (from: number) => busy.every((other) => from >= other.to || from + length <= other.from)
  for (let from = wanted; from + length <= closes; from += step) if (isFree(from)) return from
  for (let from = opens; from < wanted && from + length <= closes; from += step) if (isFree(from)) return from
  return null
}
