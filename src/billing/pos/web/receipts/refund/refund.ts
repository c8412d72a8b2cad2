import { cardName } from '../../../../../shared/cards.ts'
import { textToCents } from '../../../../../shared/money.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { cardMethod, terminalMethod } from '../../../../cards/rules.ts'
import { formatPrepaidPart, prepaidMethods, spreadReturn } from '../../../../prepaid/rules.ts'
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

/** What can still be refunded of a receipt, in cents: without what was refunded, and what was used of the gift card or the credit that it sold. */
export const refundableOf = ({ leftOfLines }: Pick<ReceiptDetails, 'leftOfLines'>): number =>
  leftOfLines.reduce((sum, cents) => sum + cents, 0)

/** The maximum refund of these lines, in cents: what is left of them and not applied to charges. */
export function openOf(receipt: Refundable, lines: readonly number[]): number {
  const { leftOfLines, appliedCents } = receipt
  const free = refundableOf(receipt) - appliedCents
  const chosen = lines.reduce((sum, place) => sum + (leftOfLines[place] ?? 0), 0)
  return Math.max(0, Math.min(free, chosen))
}

/** Whether anything on a receipt can be refunded. */
export const isRefundable = (receipt: Pick<ReceiptDetails, 'kind' | 'state' | 'leftOfLines'>): boolean =>
  receipt.kind === 'sale' && receipt.state === 'complete' && receipt.leftOfLines.some((cents) => cents > 0)

/** Where a refund of `cents` goes: to gift cards, packages and credit what they paid, then the rest as money. The server splits it the same way. */
export function placesOf(
  { prepaid, leftOfPrepaid }: Pick<ReceiptDetails, 'prepaid' | 'leftOfPrepaid'>,
  cents: number,
): { parts: { label: string; cents: number }[]; moneyCents: number } {
  const { returned, moneyCents } = spreadReturn(leftOfPrepaid, cents)
  const parts = prepaid.map((part, index) => ({ label: backTo(part), cents: returned[index]! })).filter((part) => part.cents > 0)
  return { parts, moneyCents }
}

function backTo(part: ReceiptDetails['prepaid'][number]): string {
  const label = formatPrepaidPart(part)
  return part.kind === 'goodwill' || part.kind === 'fee' ? label : `Back to ${label[0]!.toLowerCase()}${label.slice(1)}`
}

/** The label of the money that goes back. */
export const moneyLabel = (method: string | null): string =>
  method === null ? 'As money' : method === prepaidMethods.credit ? 'As store credit' : `By ${method}`

/** How the money goes back. */
export function howReturned(method: string | null, { paymentMethod, card }: Pick<ReceiptDetails, 'paymentMethod' | 'card'>): string {
  if (method === prepaidMethods.credit) return 'The money becomes store credit.'
  if ((method === cardMethod || method === terminalMethod) && method === paymentMethod)
    return `The money goes back to the ${card ? cardName(card) : 'card'} automatically.`
  return 'Return the money on the card terminal or in cash.'
}

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
