import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { Env } from '../../kernel/env.ts'
import { money } from '../../kernel/pdf/document.ts'
import type { BalanceVariable } from '../../messages/email-templates/rules.ts'
import type { Portion } from './rules.ts'

type Practice = Pick<Env, 'PRACTICE_PHONE' | 'PRACTICE_HOURS'>
type Balance = { balanceCents: number; portions: readonly Portion[] }

const longDay = (isoDay: string) => format(parseISO(isoDay), 'MMMM d, yyyy')
const sumOf = (portions: readonly Portion[]) => portions.reduce((sum, { openCents }) => sum + openCents, 0)

/** The variables of the template `payment_reminder`. `today` is a calendar day in the practice's time zone. */
export const balanceValues = (balance: Balance, today: string, practice: Practice): Record<BalanceVariable, string> => ({
  balance_due: money(balance.balanceCents),
  balance_details: describeDueDates(balance, today).join(' '),
  payment_contact: describeContact(practice),
})

const describeContact = ({ PRACTICE_PHONE, PRACTICE_HOURS }: Practice): string => {
  if (PRACTICE_PHONE === '') return 'reply to this email'
  return `call ${PRACTICE_PHONE}${PRACTICE_HOURS === '' ? '' : ` (${PRACTICE_HOURS})`} or reply to this email`
}

function describeDueDates({ balanceCents, portions }: Balance, today: string): string[] {
  const byDay = portions.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn))
  const late = byDay.filter(({ dueOn }) => dueOn < today)
  const next = byDay.filter(({ dueOn }) => dueOn >= today)
  const sentences: string[] = []
  if (late.length > 0) {
    const isOneDay = late.every(({ dueOn }) => dueOn === late[0]!.dueOn)
    const when = longDay(late[0]!.dueOn)
    sentences.push(
      isOneDay ? `${money(sumOf(late))} was due on ${when}.` : `${money(sumOf(late))} is overdue; the first part was due on ${when}.`,
    )
  }
  if (next.length > 0) {
    const { dueOn } = next[0]!
    const amount = money(sumOf(next.filter((portion) => portion.dueOn === dueOn)))
    sentences.push(`${sentences.length > 0 ? `Next, ${amount}` : amount} is due ${dueOn === today ? 'today' : `on ${longDay(dueOn)}`}.`)
  }
  const beforeSurgery = sumOf(portions.filter(({ isBeforeSurgery }) => isBeforeSurgery))
  if (beforeSurgery > 0) {
    const what = beforeSurgery === balanceCents ? 'The full balance' : `${money(beforeSurgery)} of the ${money(balanceCents)} balance`
    sentences.push(`${what} must be paid before your surgery.`)
  }
  return sentences
}
