import { daysLater } from '../../shared/zoned-time.ts'

/**
 * `announced`: the patient got the email, and nothing was charged. `charging`: a job charges it. `processing`: the bank has not answered. `paid`, `declined`: over.
 * `skipped`: nothing was left to charge, or the patient had withdrawn the consent.
 */
export type InstalmentStatus = 'announced' | 'charging' | 'processing' | 'paid' | 'declined' | 'skipped'

/** Days before an instalment is due on which the patient gets an email about the charge. */
export const noticeDays = 3

/** Days after the first attempt on which a declined instalment is charged again. */
const retryAfterDays = [3, 7] as const
export const maxAttempts = retryAfterDays.length + 1

/** Failure codes after which the same card never works, or not without the patient. */
const finalFailures = [
  'expired_card',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'invalid_account',
  'authentication_required',
  'requires_action',
  'no_card',
] as const

/** Whether trying this card again is of no use. */
export const isFinal = (failureCode: string): boolean => (finalFailures as readonly string[]).includes(failureCode)

/** The day of the next attempt after a declined one, or null: it was the last. `attempt`: from 1. `firstOn`: the day of the first attempt. */
export function nextAttemptOn({ attempt, failureCode, firstOn }: { attempt: number; failureCode: string; firstOn: string }): string | null {
  const days = retryAfterDays[attempt - 1]
  return days === undefined || isFinal(failureCode) ? null : daysLater(firstOn, days)
}

/**
 * The first day on which an instalment may be charged: when it is due, and not on the day of the announcement.
 * Days are on the practice's calendar.
 */
export const firstChargeOn = (dueOn: string, announcedOn: string): string => {
  const next = daysLater(announcedOn, 1)
  return dueOn > next ? dueOn : next
}
