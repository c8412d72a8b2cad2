import { calendarDay } from '../../../../shared/dates.ts'
import { textToCents } from '../../../../shared/money.ts'
import { cents, collectionMessages } from '../../account-contract.ts'

/** The error for an amount as typed; undefined if it is valid. */
export function amountProblem(text: string): string | undefined {
  const read = cents.safeParse(textToCents(text))
  return read.success ? undefined : (read.error.issues[0]?.message ?? collectionMessages.amount)
}

export function dayProblem(day: string): string | undefined {
  if (day === '') return collectionMessages.dueOn
  const read = calendarDay.safeParse(day)
  return read.success ? undefined : read.error.issues[0]?.message
}

/** Cents of a valid amount. */
export const centsOf = (text: string): number => textToCents(text) ?? 0
