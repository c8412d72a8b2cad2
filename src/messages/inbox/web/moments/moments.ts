import type { Clock } from '../../../../ui/format.ts'
import { daysLater, parseDay, toInstant, toLocal } from '../../../../shared/zoned-time.ts'

export interface Moment {
  label: string
  /** An ISO instant. */
  at: string
}

/** The times that are offered for a snooze and for sending later, in the practice's zone, the earliest first. */
export function momentsFrom({ now, timeZone }: Clock): Moment[] {
  const { day, time } = toLocal(new Date(now), timeZone)
  const at = (days: number, hour: string) => toInstant({ day: daysLater(day, days), time: hour }, timeZone)
  const weekday = parseDay(day).getUTCDay()
  const toMonday = (8 - weekday) % 7 || 7
  return [
    ...(time < '16:00' ? [{ label: 'Later today', at: at(0, '17:00') }] : []),
    { label: 'Tomorrow morning', at: at(1, '09:00') },
    ...(toMonday > 1 && toMonday < 7 ? [{ label: 'Monday morning', at: at(toMonday, '09:00') }] : []),
    { label: 'In a week', at: at(7, '09:00') },
  ]
}
