/** Companies through which patients pay in parts; others are typed. */
export const financingProviders = ['Medicard', 'Beautifi'] as const

/** `applied`: the company has not decided. `approved`: it will pay. `paid`: the clinic has the money. `declined`: over; the patient may apply elsewhere. */
export const financingStatuses = ['applied', 'approved', 'declined', 'paid'] as const
export type FinancingStatus = (typeof financingStatuses)[number]

export const financingLabels: Record<FinancingStatus, string> = {
  applied: 'Applied',
  approved: 'Approved',
  declined: 'Declined',
  paid: 'Paid to the clinic',
}

const next: Record<FinancingStatus, readonly FinancingStatus[]> = {
  applied: ['approved', 'declined'],
  // The patient may change their mind, or the approval lapse.
  approved: ['paid', 'declined'],
  declined: [],
  paid: [],
}
export const mayBecome = (from: FinancingStatus, to: FinancingStatus): boolean => next[from].includes(to)

/** Earlier days are mistyped. */
export const earliestDay = '2000-01-01'

/** What is wrong with the day of a step, in a message; null: nothing. @param before the day of the step before, if there is one */
export function dayProblem(day: string, before: string | null, today: string): string | null {
  if (day > today) return 'This date can’t be in the future'
  if (before !== null && day < before) return 'This date can’t be before the previous step'
  return day < earliestDay ? 'Enter a date from the year 2000 on' : null
}

/** Days after which someone is asked about an approval that was not paid. */
export const approvalTaskDays = 14

/** The company's fee in cents, rounded half up. @param feePercent in hundredths of a percent. */
export const financingFee = (amountCents: number, feePercent: number): number => Math.floor((amountCents * feePercent + 5_000) / 10_000)
