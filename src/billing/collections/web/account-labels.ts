import { formatDay, formatMoney } from '../../../ui/format.ts'
import { type Age, ageOf, daysLate, type EntryKind, isDueBeforeSurgery } from '../rules.ts'
import type { AccountData, ChargeData, DepositData, ReceivedData } from './account-data.ts'

/** Amounts more than a month late are red. */
export const ageTones: Record<Age, 'neutral' | 'warning' | 'danger'> = {
  current: 'neutral',
  days1to30: 'warning',
  days31to60: 'danger',
  days61to90: 'danger',
  over90: 'danger',
}

/** '12 days late', 'Due today', 'Due tomorrow', 'Due in 5 days'; amounts due in more than a week are 'Not due'. */
export function formatDue(dueOn: string, today: string): { label: string; tone: 'neutral' | 'info' | 'warning' | 'danger' } {
  const late = daysLate(dueOn, today)
  if (late > 0) return { label: `${late} ${late === 1 ? 'day' : 'days'} late`, tone: ageTones[ageOf(dueOn, today)] }
  if (late === 0) return { label: 'Due today', tone: 'info' }
  if (late === -1) return { label: 'Due tomorrow', tone: 'info' }
  return { label: late >= -7 ? `Due in ${-late} days` : 'Not due', tone: 'neutral' }
}

export const entryLabels: Record<EntryKind, string> = {
  charge: 'Charge',
  payment: 'Payment',
  release: 'Unapplied',
  write_off: 'Write-off',
  void: 'Void',
}

export const receiptName = ({ docNumber }: Pick<DepositData, 'docNumber'>): string => `Receipt ${docNumber ?? 'without a number'}`

/** The amount that each receipt has paid towards a charge. */
export function paymentsOf({ id }: Pick<ChargeData, 'id'>, { entries, payments }: Pick<AccountData, 'entries' | 'payments'>) {
  const paid = new Map<string, number>()
  for (const { chargeId, receiptId, amountCents } of entries) {
    if (chargeId === id && receiptId) paid.set(receiptId, (paid.get(receiptId) ?? 0) - amountCents)
  }
  return [...paid].flatMap(([receiptId, paidCents]) => {
    const docNumber = payments.find((payment) => payment.receiptId === receiptId)?.docNumber ?? null
    return paidCents > 0 ? [{ receiptId, docNumber, paidCents }] : []
  })
}
export type PaymentData = ReturnType<typeof paymentsOf>[number]

/** How a charge was closed; null while it is open. */
export function endOf({ id, openCents }: ChargeData, { entries }: Pick<AccountData, 'entries'>): string | null {
  const own = entries.filter(({ chargeId }) => chargeId === id)
  if (own.some(({ kind }) => kind === 'void')) return 'Void'
  if (openCents > 0) return null
  return own.some(({ kind }) => kind === 'write_off') ? 'Settled' : 'Paid'
}

/** How much of a charge must be paid before surgery: the instalments due by then. Null: none. */
export function beforeSurgeryLabel(charge: Pick<ChargeData, 'dueOn' | 'plan' | 'isBeforeSurgery' | 'surgeryDay'>): string | null {
  const days = charge.plan.length > 0 ? charge.plan.map(({ dueOn }) => dueOn) : [charge.dueOn]
  const before = days.filter((dueOn) => isDueBeforeSurgery(charge, dueOn))
  if (before.length === 0) return null
  return before.length === days.length ? 'before surgery' : `${before.length} of them before surgery`
}

/** 'Due Nov 20, 2026', '3 instalments from Nov 20, 2026' */
export function formatDueDate({ dueOn, plan }: Pick<ChargeData, 'dueOn' | 'plan'>): string {
  if (plan.length === 0) return `Due ${formatDay(dueOn)}`
  const first = plan.map((part) => part.dueOn).toSorted()[0] ?? dueOn
  return `${plan.length} ${plan.length === 1 ? 'instalment' : 'instalments'} from ${formatDay(first)}`
}

/** How a payment was used: '$500.00 applied', 'paid for its own items', '$20.00 refunded'. */
export function describeUse({ appliedCents, refundedCents, leftCents, creditCents }: Omit<ReceivedData, 'items'>): string {
  const uses = [
    appliedCents > 0 && `${formatMoney(appliedCents)} applied`,
    refundedCents > 0 && `${formatMoney(refundedCents)} refunded`,
    creditCents > 0 && `${formatMoney(creditCents)} kept as credit`,
    leftCents > creditCents && 'paid for its own items',
  ]
  return uses.filter((use) => use !== false).join(', ')
}
