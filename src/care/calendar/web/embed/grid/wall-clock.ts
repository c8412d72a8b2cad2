import { instantOf, toLocal } from '../../../../../shared/zoned-time.ts'

// FullCalendar gets the practice's local times as if they were UTC and returns the same, so the browser's time zone has no effect.

/** 'yyyy-MM-ddTHH:mm' in the practice's time zone. */
export function toWall(instant: string | Date, timeZone: string): string {
  const { day, time } = toLocal(instant, timeZone)
  return `${day}T${time}`
}

/** The instant of a calendar value, 'yyyy-MM-ddTHH:mm:ssZ' or only a day. */
export const fromWall = (wall: string, timeZone: string): Date =>
  instantOf({ day: wall.slice(0, 10), time: wall.length > 10 ? wall.slice(11, 16) : '00:00' }, timeZone)
