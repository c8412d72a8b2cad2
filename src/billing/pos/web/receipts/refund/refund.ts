import { textToCents } from '../../../../../shared/money.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { posMessages } from '../../../contract.ts'
import type { RefundPayload } from '../../../receipt-contract.ts'
import type { ReceiptDetails } from '../receipt-data.ts'

/** The refund as entered so far. */
export interface RefundForm {
  /** Positions of the chosen lines. */
  lines: number[]
  /** As typed. */
  amountCents: string
  reason: string
  depositAccount: string | null
  paymentMethod: string | null
}

type Refundable = Pick<ReceiptDetails, 'leftOfLines' | 'appliedCents'>

/** The maximum refund of these lines, in cents: what is left of them and not applied to charges. */
export function openOf({ leftOfLines, appliedCents }: Refundable, lines: readonly number[]): number {
  const free = leftOfLines.reduce((sum, cents) => sum + cents, 0) - appliedCents
  const chosen = lines.reduce((sum, place) => sum + (leftOfLines[place] ?? 0), 0)
  return Math.max(0, Math.min(free, chosen))
}

/** Whether anything on a receipt can be refunded. */
export const isRefundable = (receipt: Pick<ReceiptDetails, 'kind' | 'state' | 'leftOfLines'>): boolean =>
  receipt.kind === 'sale' && receipt.state === 'complete' && receipt.leftOfLines.some((cents) => cents > 0)

/** Errors by field. */
export function wrongIn(form: RefundForm, receipt: Refundable): [keyof RefundForm, string][] {
  const open = openOf(receipt, form.lines)
  const cents = textToCents(form.amountCents) ?? 0
  const wrong: [keyof RefundForm, string][] = []
  if (form.lines.length === 0) wrong.push(['lines', posMessages.noLines])
  else if (cents < 1) wrong.push(['amountCents', posMessages.refund])
  else if (cents > open) wrong.push(['amountCents', open > 0 ? `At most ${formatMoney(open)} is left` : 'Nothing is left to refund'])
  if (form.paymentMethod === null) wrong.push(['paymentMethod', 'Choose how it is paid back'])
  if (form.depositAccount === null) wrong.push(['depositAccount', 'Choose an account'])
  if (form.reason.trim() === '') wrong.push(['reason', posMessages.refundReason])
  return wrong
}

/** Requires a form without errors. */
export const contentOf = (form: RefundForm): Omit<RefundPayload, 'id' | 'idempotencyKey'> => ({
  lines: form.lines.toSorted((a, b) => a - b),
  amountCents: textToCents(form.amountCents) ?? 0,
  reason: form.reason.trim(),
  depositAccount: form.depositAccount ?? '',
  paymentMethod: form.paymentMethod,
})
