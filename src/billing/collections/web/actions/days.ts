import { centsToText, textToCents } from '../../../../shared/money.ts'
import { collectionMessages } from '../../account-contract.ts'
import { type Instalment, sumsTo } from '../../rules.ts'
import type { ChargeData } from '../account-data.ts'
import { amountProblem, centsOf, dayProblem } from './checks.ts'
import { instalmentsOf, maxInstalments } from './instalments.ts'

/** A charge's due dates as edited in the form. */
export interface DaysDraft {
  dueOn: string
  isBeforeSurgery: boolean
  isPlanned: boolean
  count: string
  parts: { dueOn: string; amount: string }[]
}

export const noDays = (today: string): DaysDraft => ({ dueOn: today, isBeforeSurgery: false, isPlanned: false, count: '3', parts: [] })

export const daysOfCharge = ({ dueOn, isBeforeSurgery, plan }: ChargeData): DaysDraft => ({
  dueOn: plan[0]?.dueOn ?? dueOn,
  isBeforeSurgery,
  isPlanned: plan.length > 0,
  count: String(plan.length || 3),
  parts: plan.map((part) => ({ dueOn: part.dueOn, amount: centsToText(part.amountCents) })),
})

/** Recalculates equal instalments once the amount, count and first day are valid. */
export function planned(draft: DaysDraft, amount: string): DaysDraft {
  if (!draft.isPlanned) return { ...draft, parts: [] }
  const isReady = !amountProblem(amount) && !countProblem(draft.count) && !dayProblem(draft.dueOn)
  const parts = isReady ? instalmentsOf(centsOf(amount), Number(draft.count), draft.dueOn) : []
  return { ...draft, parts: parts.map((part) => ({ dueOn: part.dueOn, amount: centsToText(part.amountCents) })) }
}

const countProblem = (count: string): string | undefined =>
  /^\d{1,2}$/.test(count.trim()) && Number(count) >= 2 && Number(count) <= maxInstalments
    ? undefined
    : `Enter a number from 2 to ${maxInstalments}`

const planOf = ({ parts }: DaysDraft): Instalment[] =>
  parts.map(({ dueOn, amount }) => ({ dueOn, amountCents: centsOf(amount) })).toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))

/** The sum of the amounts that are valid. */
export const sumOfParts = ({ parts }: DaysDraft): number => parts.reduce((sum, { amount }) => sum + (textToCents(amount) ?? 0), 0)

export function daysProblems(draft: DaysDraft, amountCents: number): Record<string, string | undefined> {
  if (!draft.isPlanned) return { dueOn: dayProblem(draft.dueOn) }
  const wrong = Object.fromEntries(
    draft.parts.flatMap(({ dueOn, amount }, index) => [
      [`day${index}`, dayProblem(dueOn)],
      [`part${index}`, amountProblem(amount)],
    ]),
  ) as Record<string, string | undefined>
  return {
    dueOn: dayProblem(draft.dueOn),
    count: countProblem(draft.count),
    ...wrong,
    plan: sumsTo(planOf(draft), amountCents) ? undefined : collectionMessages.plan,
  }
}

/** The draft as API input. */
export function daysOf(draft: DaysDraft) {
  const plan = draft.isPlanned ? planOf(draft) : []
  return { dueOn: plan[0]?.dueOn ?? draft.dueOn, isBeforeSurgery: draft.isBeforeSurgery, plan }
}
