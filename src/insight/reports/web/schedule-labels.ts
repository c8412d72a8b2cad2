import { formatTimeOfDay } from '../../../ui/format.ts'
import type { When } from '../schedule-rules.ts'

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** 'every Monday at 8:00 a.m.' */
export function formatSchedule({ every, weekday, monthDay, time }: When): string {
  const days =
    every === 'day' ? 'every day' : every === 'week' ? `every ${weekdays[(weekday ?? 1) - 1]}` : `on day ${monthDay} of every month`
  return `${days} at ${formatTimeOfDay(time)}`
}
