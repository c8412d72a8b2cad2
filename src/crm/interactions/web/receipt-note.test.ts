import { describe, expect, it } from 'vitest'
import { receiptNoteOf } from './receipt-note.ts'

const metadata = {
  receiptId: 'r',
  number: '1047',
  items: ['Consultation fee'],
  moreItems: 0,
  totalCents: 16_950,
  paymentMethod: 'Visa',
  depositAccount: 'Moneris clearing',
}

describe('receiptNoteOf', () => {
  it('returns the number, the items and the payment of a sales receipt', () => {
    expect(receiptNoteOf({ type: 'sales_receipt', metadata })).toEqual({
      isRefund: false,
      number: '1047',
      items: 'Consultation fee',
      totalCents: 16_950,
      paid: 'Visa, Moneris clearing',
    })
  })
  it('counts unnamed items and leaves out missing values', () => {
    const note = receiptNoteOf({ type: 'sales_receipt', metadata: { ...metadata, items: ['A', 'B'], moreItems: 3, paymentMethod: null } })
    expect([note?.items, note?.paid]).toEqual(['A, B and 3 more', 'Moneris clearing'])
  })
  it('returns the amount, the account and the reason of a refund', () => {
    const refund = { ...metadata, kind: 'refund', totalCents: -5_000, refundReason: 'Cancelled' }
    const note = receiptNoteOf({ type: 'quickbooks', metadata: refund })
    expect([note?.isRefund, note?.totalCents, note?.paid]).toEqual([true, -5_000, 'Visa, Moneris clearing, Cancelled'])
    expect(receiptNoteOf({ type: 'quickbooks', metadata })).toBeNull()
  })
  it('returns null for other entries and for entries without this data', () => {
    expect(receiptNoteOf({ type: 'sales_receipt', metadata: { receiptId: 'r' } })).toBeNull()
    expect(receiptNoteOf({ type: 'sales_receipt', metadata: null })).toBeNull()
    expect(receiptNoteOf({ type: 'note', metadata })).toBeNull()
  })
})
