import type { Entry } from './entry.ts'

/** What an entry says of a sales receipt, or of a refund of one. */
export interface ReceiptNote {
  isRefund: boolean
  number: string
  /** 'Rhinoplasty, Septoplasty and 3 more' */
  items: string
  totalCents: number
  /** 'Visa, Moneris clearing' */
  paid: string
}

/** Null: the entry is of something else, or was written before this was kept with it. */
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
