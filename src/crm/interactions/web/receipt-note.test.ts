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

describe('a sales receipt on the timeline', () => {
  it('says its number, what was sold, and how it was paid', () => {
    expect(receiptNoteOf({ type: 'sales_receipt', metadata })).toEqual({
      isRefund: false,
      number: '1047',
      items: 'Consultation fee',
      totalCents: 16_950,
      paid: 'Visa, Moneris clearing',
    })
  })
  it('counts what it does not name, and leaves out what was not said', () => {
    const note = receiptNoteOf({ type: 'sales_receipt', metadata: { ...metadata, items: ['A', 'B'], moreItems: 3, paymentMethod: null } })
    expect([note?.items, note?.paid]).toEqual(['A, B and 3 more', 'Moneris clearing'])
  })
  it('a refund says what went back, out of where, and why', () => {
    const refund = { ...metadata, kind: 'refund', totalCents: -5_000, refundReason: 'Cancelled' }
    const note = receiptNoteOf({ type: 'quickbooks', metadata: refund })
    expect([note?.isRefund, note?.totalCents, note?.paid]).toEqual([true, -5_000, 'Visa, Moneris clearing, Cancelled'])
    expect(receiptNoteOf({ type: 'quickbooks', metadata })).toBeNull()
  })
  it('is none where that was not kept, or the entry is another', () => {
    expect(receiptNoteOf({ type: 'sales_receipt', metadata: { receiptId: 'r' } })).toBeNull()
    expect(receiptNoteOf({ type: 'sales_receipt', metadata: null })).toBeNull()
    expect(receiptNoteOf({ type: 'note', metadata })).toBeNull()
  })
})
