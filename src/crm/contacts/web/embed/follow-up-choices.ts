import { type Clock, today } from '../../../../ui/format.ts'
import { daysLater, monthsLater, toInstant } from '../../../../shared/zoned-time.ts'

/** The default time of a follow-up, when the clinic opens (the same as for tasks in spec 4). */
export const defaultTime = '09:00'

export interface FollowUpChoice {
  label: string
  /** ISO 8601 */
  instant: string
}

/** The most common follow-up dates, in the practice's time zone. */
export function followUpChoices(clock: Clock): FollowUpChoice[] {
  const now = today(clock)
  const on = (label: string, day: string) => ({ label, instant: toInstant({ day, time: defaultTime }, clock.timeZone) })
  return [
    on('Tomorrow', daysLater(now, 1)),
    on('In 3 days', daysLater(now, 3)),
    on('In a week', daysLater(now, 7)),
    on('In 2 weeks', daysLater(now, 14)),
    on('In a month', monthsLater(now, 1)),
  ]
}
