import { instantOf, toLocal } from '../../../../shared/zoned-time.ts'

// The calendar is given what the practice's clock shows as if it were UTC, and gives back the same: whatever the browser's zone, nothing is moved.

/** 'yyyy-MM-ddTHH:mm' on the practice's clock. */
export function toWall(instant: string | Date, timeZone: string): string {
  const { day, time } = toLocal(instant, timeZone)
  return `${day}T${time}`
}

/** The instant of what the calendar says, 'yyyy-MM-ddTHH:mm:ssZ' or a day alone. */
export const fromWall = (wall: string, timeZone: string): Date =>
  instantOf({ day: wall.slice(0, 10), time: wall.length > 10 ? wall.slice(11, 16) : '00:00' }, timeZone)
