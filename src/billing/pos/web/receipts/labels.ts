import { type Clock, formatMoney, formatTime, type Instant } from '../../../../ui/format.ts'
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
