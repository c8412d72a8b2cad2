import { describe, expect, it } from 'vitest'
import { posMessages, receiptPayload } from '../../contract.ts'
import type { CartItem } from './cart/cart.ts'
import { changeSale, customerName, emptySale, missingOf, payloadOf, prepaidOf, type Sale, totalsOfSale } from './sale.ts'

const codes = [
  { Id: '2', Name: 'HST ON', SalesTaxRateList: [{ RateValue: 13 }] },
  { Id: '6', Name: 'Exempt', SalesTaxRateList: [{ RateValue: 0 }] },
]
const line = (itemId: string, unitPrice: number, quantity: number, taxCodeId = '2', exemptReason = ''): CartItem => ({
  place: 1,
  itemId,
  name: `Item ${itemId}`,
  description: null,
  unitPrice,
  quantity,
  taxCodeId,
  exemptReason,
})
it('shows the email of a customer once, also where QuickBooks has it in the name (issue 29)', () => {
  const email = 'hannah@gmail.example'
  expect(customerName({ name: `Hannah Anderson (${email})`, email })).toBe('Hannah Anderson')
  expect(customerName({ name: 'Hannah Anderson (Toronto)', email })).toBe('Hannah Anderson (Toronto)')
  expect(customerName({ name: 'Anderson Inc.', email: null })).toBe('Anderson Inc.')
})

/** The cart of the design: 12,642.90 less 5 %, one line exempt. */
const drawn: Sale = {
  customer: { id: '12', name: 'Éloïse Tremblay', email: 'eloise.tremblay@fastmail.example', refyneContactId: null },
  depositAccountId: '6',
  classId: null,
  way: 'Visa',
  memo: '  ',
  isDeposit: false,
  discount: '5',
  prepaid: [],
  cart: [line('1', 820_000, 1), line('2', 81_500, 3), line('3', 190_000, 1, '6', ' Referred, airway obstruction '), line('4', 4_895, 2)],
}

describe('missing fields', () => {
  it('are customer, item and deposit account, in the order of the dialog (spec 4)', () => {
    expect(Object.entries(missingOf(emptySale, codes))).toEqual([
      ['customer', 'Choose a customer'],
      ['items', 'No items in cart'],
      ['way', 'Choose how it was paid'],
      ['account', 'Choose a deposit account'],
    ])
    expect(missingOf(drawn, codes)).toEqual({})
  })

  it('name the patient who must be created in QuickBooks first (issue 29)', () => {
    const sale = { ...drawn, customer: null }
    expect(missingOf(sale, codes, [], 'Marguerite')).toEqual({ create: 'Create Marguerite in QuickBooks first' })
    expect(missingOf(drawn, codes, [], 'Marguerite')).toEqual({})
  })

  it('include the reason for an exempt line until the line is taxed', () => {
    const bare = changeSale(drawn, { do: 'change', itemId: '3', change: { exemptReason: ' ' } })
    expect(missingOf(bare, codes)).toEqual({ 'reason 3': posMessages.exemptReason })
    expect(missingOf(changeSale(bare, { do: 'change', itemId: '3', change: { taxCodeId: '2' } }), codes)).toEqual({})
  })

  it('include a discount that is not from 0 to 100 in steps of 0.01 (spec 5)', () => {
    expect(missingOf({ ...drawn, discount: '100.01' }, codes)).toEqual({ discount: posMessages.discount })
    expect(missingOf({ ...drawn, discount: '' }, codes)).toEqual({})
  })

  it('include a price or a number of lines that the server would refuse', () => {
    expect(missingOf({ ...drawn, cart: [line('1', 100_000_001, 1)] }, codes)).toEqual({ 'price 1': 'The maximum is $1,000,000.00' })
    const many = Array.from({ length: 101 }, (_, index) => line(String(index), 100, 1))
    expect(missingOf({ ...drawn, cart: many }, codes)).toEqual({ items: 'A receipt has at most 100 lines' })
  })
})

describe('the sale payload', () => {
  const key = '7d1f2b34-5c66-4a21-9a8e-0f1d2c3b4a59'

  it('matches the contract exactly, with the amounts of the totals', () => {
    const payload = payloadOf(drawn, codes, key)
    expect(payload).toMatchObject({ subtotal: 12_642.9, discountPercent: 5, discountAmount: 632.15, taxAmount: 1_326.75, total: 13_337.5 })
    expect(payload).toMatchObject({ memo: null, paymentMethod: 'Visa', idempotencyKey: key })
    expect(receiptPayload.parse(payload)).toMatchObject({ total: totalsOfSale(drawn, codes).total, discountPercent: 500 })
  })

  it('has a reason for exempt lines only', () => {
    const { lineItems } = payloadOf(changeSale(drawn, { do: 'change', itemId: '1', change: { exemptReason: 'left over' } }), codes, key)
    expect(lineItems.map(({ exemptReason }) => exemptReason)).toEqual([undefined, undefined, 'Referred, airway obstruction', undefined])
  })
})

describe('gift cards and credit', () => {
  const giftCard = { label: 'Gift card ending in 4TLC', code: 'K7QM-2XRW-9PHD-4TLC', balanceCents: 10_000 }
  const credit = { label: 'Store credit', accountId: '01a226de-95be-75c7-8fba-f9e70ad329af', balanceCents: 5_000_000 }

  it('pay first and in order, and the payment method pays the rest (issue 29)', () => {
    const sale: Sale = { ...drawn, prepaid: [giftCard] }
    const { total } = totalsOfSale(sale, codes)
    expect(prepaidOf(sale, codes)).toEqual({ paid: [10_000], moneyCents: total - 10_000 })
    expect(payloadOf(sale, codes, 'key').prepaid).toEqual([{ code: giftCard.code, amountCents: 10_000 }])
    expect(missingOf({ ...sale, way: null }, codes)).toEqual({ way: 'Choose how it was paid' })
    expect(missingOf({ ...sale, way: 'Card terminal' }, codes)).toEqual({})
  })

  it('are not sold for nothing (issue 29)', () => {
    const sold = changeSale(drawn, { do: 'change', itemId: '1', change: { unitPrice: 0 } })
    expect(missingOf(sold, codes)).toEqual({})
    expect(missingOf(sold, codes, ['1'])).toEqual({ 'price 1': 'Enter an amount of at least $0.01' })
  })

  it('need no payment method if they pay all of it (issue 29)', () => {
    const sale: Sale = { ...drawn, way: null, prepaid: [giftCard, credit] }
    const { total } = totalsOfSale(sale, codes)
    expect(missingOf(sale, codes)).toEqual({})
    expect(payloadOf({ ...sale, way: 'Card terminal' }, codes, 'key').paymentMethod).toBeNull()
    expect(payloadOf(sale, codes, 'key').prepaid).toEqual([
      { code: giftCard.code, amountCents: 10_000 },
      { accountId: credit.accountId, amountCents: total - 10_000 },
    ])
  })
})
