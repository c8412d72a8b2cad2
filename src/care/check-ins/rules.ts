import { daysLater } from '../../shared/zoned-time.ts'

/** When patients are asked how they are after a surgery, and what follows if they do not answer. */

/** Days after a surgery that a new schedule starts with. */
export const defaultDays = [1, 3, 7, 30] as const
export const checkInLimits = { days: 10, day: 365 } as const

/** The earliest time of a day, HH:mm in the practice's time zone. */
export const sendFrom = '09:00'
/** A surgery that is completed late is asked about for this many days after the day on which it would have been. */
export const graceDays = 2
/** Days in which a check-in can be answered. */
export const answerDays = 7
const hour = 3_600_000
/** Milliseconds without an answer after which the patient is reminded, and after which someone calls. */
export const [remindAfter, callAfter] = [24 * hour, 48 * hour] as const

export interface DueCheckIn {
  /** Days after the surgery. */
  day: number
  /** 'yyyy-MM-dd' */
  dueOn: string
}

/** All check-ins of a surgery on `surgeryDay`, in order. */
export const plannedCheckIns = (days: readonly number[], surgeryDay: string): DueCheckIn[] =>
  days.toSorted((a, b) => a - b).map((day) => ({ day, dueOn: daysLater(surgeryDay, day) }))

/**
 * The check-in that is due at a local day and time: the last one whose day has come, for as long as the grace lasts. Null: none. So a patient
 * whose surgery is completed late is asked once, not for each day that has passed.
 */
export function dueCheckIn(days: readonly number[], surgeryDay: string, today: string, time: string): DueCheckIn | null {
  const last = plannedCheckIns(days, surgeryDay).findLast(({ dueOn }) => dueOn < today || (dueOn === today && time >= sendFrom))
  return last && today <= daysLater(last.dueOn, graceDays) ? last : null
}

/**
 * `planned`: its day has not come. `sent`: can be answered. `missed`: expired without an answer. `call`: someone calls, because the patient has no email address or the form is not active.
 * `stopped`: the surgery was cancelled, moved or is not completed. `skipped`: its day passed before the surgery was completed.
 */
export const checkInStates = ['planned', 'sent', 'answered', 'missed', 'call', 'stopped', 'skipped'] as const
export type CheckInState = (typeof checkInStates)[number]
