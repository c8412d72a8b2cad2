import { type Clock, formatMoney, formatTime, type Instant } from '../../../../ui/format.ts'
import { prepaidKinds, prepaidMethods } from '../../../prepaid/rules.ts'
import type { ReceiptData } from './receipt-data.ts'

/** 'Consultation fee', 'Rhinoplasty and 2 more'. */
export function formatItems(lines: readonly { name: string }[]): string {
  const [first, ...others] = lines
  return others.length === 0 ? (first?.name ?? '') : `${first?.name} and ${others.length} more`
}

/** 'Refund'; for a sale, how much of it was refunded. Null: nothing. */
export function formatRefund({
  kind,
  refundedCents,
  totalCents,
}: Pick<ReceiptData, 'kind' | 'refundedCents' | 'totalCents'>): string | null {
  if (kind === 'refund') return 'Refund'
  if (refundedCents === 0) return null
  return refundedCents === totalCents ? 'Refunded' : 'Partly refunded'
}

/** 'Debit', 'Debit and gift card': what a receipt was paid with, or a refund given back with. Null: not specified. */
export function formatPaidBy({
  paymentMethod,
  prepaid,
  totalCents,
  prepaidCents,
}: Pick<ReceiptData, 'paymentMethod' | 'prepaid' | 'totalCents' | 'prepaidCents'>): string | null {
  const kinds = prepaidKinds.filter((kind) => prepaid.some((part) => part.kind === kind)).map((kind) => prepaidMethods[kind])
  const money = kinds.length === 0 || totalCents !== prepaidCents ? paymentMethod : null
  const [first, ...others] = money === null ? kinds : [money, ...kinds.filter((name) => name !== money)]
  if (first === undefined) return null
  return [first, ...others.map((name) => name.toLowerCase())].join(' and ')
}

/** Who took a payment. No member of staff takes what a patient pays online. Null: former staff. */
export const formatTakenBy = (
  { createdBy }: Pick<ReceiptData, 'createdBy'>,
  staff: readonly { id: string; name: string }[],
): string | null => (createdBy === null ? 'Online' : (staff.find(({ id }) => id === createdBy)?.name ?? null))

/** Null when QuickBooks has the same total. */
export function formatDifference({ differenceCents }: Pick<ReceiptData, 'differenceCents'>): string | null {
  if (differenceCents === null) return null
  const amount = formatMoney(Math.abs(differenceCents))
  return `QuickBooks’ own total is ${amount} ${differenceCents > 0 ? 'more' : 'less'} than this one.`
}

/** When QuickBooks is retried: 'in 3 min', 'at 4:10 p.m.', 'any moment'. */
export function nextTry(at: Instant, clock: Clock): string {
  const minutes = Math.ceil((new Date(at).getTime() - new Date(clock.now).getTime()) / 60_000)
  if (minutes <= 0) return 'any moment'
  return minutes < 60 ? `in ${minutes} min` : `at ${formatTime(at, clock.timeZone)}`
}
