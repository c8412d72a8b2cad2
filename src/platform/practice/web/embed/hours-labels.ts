import { formatTimeOfDay } from '../../../../ui/format.ts'
import type { DayHours } from '../../rules.ts'

/** '8:30 a.m. to 4:30 p.m.', or 'Closed'. */
export function formatHours(hours: readonly DayHours[], weekday: number): string {
  const open = hours.find((day) => day.weekday === weekday)
  return open ? `${formatTimeOfDay(open.opens)} to ${formatTimeOfDay(open.closes)}` : 'Closed'
}
