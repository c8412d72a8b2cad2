import { formatDay } from '../../../web/ui/format.ts'
import { ageLabels, type Ageing, type EntryKind } from '../rules.ts'
import type { AccountData, ChargeData, DepositData } from './account-data.ts'

export const ages = Object.keys(ageLabels) as (keyof Ageing)[]

/** How late the oldest of it is. */
export const oldestAge = (ageing: Ageing): keyof Ageing => ages.findLast((age) => ageing[age] > 0) ?? 'current'

export const entryLabels: Record<EntryKind, string> = {
  charge: 'Charge',
  payment: 'Payment',
  release: 'Taken off',
  write_off: 'Write-off',
  void: 'Void',
}

export const receiptName = ({ docNumber }: Pick<DepositData, 'docNumber'>): string => `Receipt ${docNumber ?? 'without a number'}`

/** What each receipt has paid of a charge. */
export function paymentsOf({ id }: Pick<ChargeData, 'id'>, { entries, deposits }: Pick<AccountData, 'entries' | 'deposits'>) {
  const paid = new Map<string, number>()
  for (const { chargeId, receiptId, amountCents } of entries) {
    if (chargeId === id && receiptId) paid.set(receiptId, (paid.get(receiptId) ?? 0) - amountCents)
  }
  return [...paid].flatMap(([receiptId, paidCents]) => {
    const docNumber = deposits.find((deposit) => deposit.receiptId === receiptId)?.docNumber ?? null
    return paidCents > 0 ? [{ receiptId, docNumber, paidCents }] : []
  })
}
export type PaymentData = ReturnType<typeof paymentsOf>[number]

/** What became of a charge that is not open any more; null while it is, or where that needs no word. */
export function endOf({ id, openCents }: ChargeData, { entries }: Pick<AccountData, 'entries'>): string | null {
  const own = entries.filter(({ chargeId }) => chargeId === id)
  if (own.some(({ kind }) => kind === 'void')) return 'Void'
  if (openCents > 0) return null
  return own.some(({ kind }) => kind === 'write_off') ? 'Settled' : 'Paid'
}

/** 'Due Nov 20, 2026', '3 instalments from Nov 20, 2026' */
export function dueInWords({ dueOn, plan }: Pick<ChargeData, 'dueOn' | 'plan'>): string {
  if (plan.length === 0) return `Due ${formatDay(dueOn)}`
  const first = plan.map((part) => part.dueOn).toSorted()[0] ?? dueOn
  return `${plan.length} ${plan.length === 1 ? 'instalment' : 'instalments'} from ${formatDay(first)}`
}
