import type { Entry } from './entry.ts'

/** The details of a sales receipt or refund in a timeline entry. */
export interface ReceiptNote {
  isRefund: boolean
  number: string
  /** 'Rhinoplasty, Septoplasty and 3 more' */
  items: string
  totalCents: number
  /** 'Visa, Moneris clearing' */
  paid: string
}

/** Null if the entry is not a receipt or a refund, or is too old to contain these details. */
export function receiptNoteOf({ type, metadata }: Pick<Entry, 'type' | 'metadata'>): ReceiptNote | null {
  const isRefund = type === 'quickbooks' && metadata?.kind === 'refund'
  if ((type !== 'sales_receipt' && !isRefund) || !metadata) return null
  const { number, items, moreItems, totalCents, paymentMethod, depositAccount, refundReason } = metadata
  if (typeof number !== 'string' || typeof totalCents !== 'number' || !Array.isArray(items)) return null
  const names = items.filter((name) => typeof name === 'string')
  const more = typeof moreItems === 'number' && moreItems > 0 ? ` and ${moreItems} more` : ''
  return {
    isRefund,
    number,
    items: `${names.join(', ')}${more}`,
    totalCents,
    paid: [paymentMethod, depositAccount, refundReason].filter((part) => typeof part === 'string' && part !== '').join(', '),
  }
}
