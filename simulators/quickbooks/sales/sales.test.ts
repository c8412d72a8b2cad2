import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerOf, code, fault, sale } from '../test-client.ts'
import type { Entity } from '../entity.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from '../server.ts'

let simulator: QuickBooksSimulator
let books: ReturnType<typeof callerOf>

beforeEach(async () => {
  simulator = await startQuickBooksSimulator({ now: () => Date.UTC(2026, 4, 1, 18, 30) })
  books = callerOf(simulator)
})
afterEach(() => simulator.stop())

async function book(body: object, path = 'salesreceipt'): Promise<Entity> {
  const answer = await books.post(path, body)
  expect(answer).toMatchObject({ status: 200 })
  return (answer.body.SalesReceipt ?? answer.body.RefundReceipt) as Entity
}

async function expectRefused(body: object, faultCode: string, detail?: unknown) {
  expect(await books.post('salesreceipt', body)).toMatchObject({ status: 400, body: fault(faultCode, detail) })
  expect(simulator.receipts()).toEqual([])
}

const percentOff = (DiscountPercent: number) => ({
  DetailType: 'DiscountLineDetail',
  DiscountLineDetail: { PercentBased: true, DiscountPercent },
})
const dollarsOff = (Amount: number) => ({ Amount, DetailType: 'DiscountLineDetail', DiscountLineDetail: { PercentBased: false } })
const taxLine = (rate: string, Amount: number) => ({
  Amount,
  DetailType: 'TaxLineDetail',
  TaxLineDetail: { TaxRateRef: { value: rate }, PercentBased: true, TaxPercent: 13, NetAmountTaxable: 1 },
})
const withTax = (...lines: object[]) => ({ TxnTaxDetail: { TaxLine: lines } })
const hstRate = '3'

test('records, reads and finds a sales receipt', async () => {
  const receipt = await book(
    sale([{ amount: 8900, price: 8900, quantity: 1 }], {
      DepositToAccountRef: { value: '6' },
      PaymentMethodRef: { value: '3' },
      ClassRef: { value: '1' },
      PrivateNote: 'Refyne sale 7',
    }),
  )
  expect(receipt).toMatchObject({
    Id: '1',
    SyncToken: '0',
    DocNumber: '1001',
    TxnDate: '2026-05-01',
    CustomerRef: { value: '1', name: expect.any(String) },
    DepositToAccountRef: { value: '6', name: 'Moneris clearing' },
    PaymentMethodRef: { value: '3', name: 'Visa' },
    ClassRef: { value: '1', name: 'Oakville Surgery' },
    PrivateNote: 'Refyne sale 7',
    CurrencyRef: { value: 'CAD' },
    TotalAmt: 10057,
    Balance: 0,
    MetaData: { CreateTime: '2026-05-01T11:30:00-07:00' },
    Line: [
      { Id: '1', LineNum: 1, Amount: 8900, SalesItemLineDetail: { ItemRef: { value: '1', name: 'Rhinoplasty' }, Qty: 1, UnitPrice: 8900 } },
      { Amount: 8900, DetailType: 'SubTotalLineDetail' },
    ],
  })
  expect((await books.get('salesreceipt/1')).body.SalesReceipt).toEqual(receipt)
  expect((await books.query("SELECT * FROM SalesReceipt WHERE DocNumber = '1001' AND CustomerRef = '1'")).body).toMatchObject({
    QueryResponse: { SalesReceipt: [receipt] },
  })
  expect(simulator.receipts()).toEqual([receipt])
})

test('requires a refund receipt to name the account that the money comes from, and numbers it in one sequence with sales', async () => {
  await book(sale([{ amount: 100 }]))
  expect((await books.post('refundreceipt', sale([{ amount: 100 }]))).body).toMatchObject(fault('2020'))
  const refund = await book(sale([{ amount: 100 }], { DepositToAccountRef: { value: '1' } }), 'refundreceipt')
  expect(refund).toMatchObject({ Id: '2', DocNumber: '1002', TotalAmt: 113, DepositToAccountRef: { name: 'RBC Operating Chequing' } })
  expect(simulator.refunds()).toEqual([refund])
  expect((await books.get('refundreceipt/2')).body.RefundReceipt).toEqual(refund)
})

test('deposits to Undeposited Funds without an account', async () => {
  expect(await book(sale([{ amount: 1 }]))).toMatchObject({ DepositToAccountRef: { name: 'Undeposited Funds' } })
})

test('keeps a caller-supplied document number and refuses a second use unless duplicates are allowed', async () => {
  const receipt = sale([{ amount: 1 }], { DocNumber: 'R-17' })
  expect(await book(receipt)).toMatchObject({ DocNumber: 'R-17' })
  expect((await books.post('salesreceipt', receipt)).body).toMatchObject(fault('6140'))
  expect(await book(receipt, 'salesreceipt?include=allowduplicatedocnum')).toMatchObject({ DocNumber: 'R-17' })
  expect(await book(sale([{ amount: 1 }]))).toMatchObject({ DocNumber: '1001' })
})

const before = { ApplyTaxAfterDiscount: true }

/** Calculated by hand. `taxes`: per tax line, the tax and the taxable amount. */
const table: { title: string; body: object; taxes: [number, number][]; total: number }[] = [
  { title: 'one line with HST', body: sale([{ amount: 100 }]), taxes: [[13, 100]], total: 113 },
  {
    title: 'HST and exempt: 9,079.90 × 13 % = 1,180.387',
    body: sale([{ amount: 8900 }, { amount: 1350, code: code.exempt }, { amount: 179.9, price: 89.95, quantity: 2 }]),
    taxes: [
      [1180.39, 9079.9],
      [0, 1350],
    ],
    total: 11_610.29,
  },
  {
    title: 'rounded once per rate: 1.05 × 13 % = 0.1365, though each line alone would be 0.05',
    body: sale([{ amount: 0.35 }, { amount: 0.35 }, { amount: 0.35 }]),
    taxes: [[0.14, 1.05]],
    total: 1.19,
  },
  { title: 'half a cent is rounded up: 0.50 × 13 % = 0.065', body: sale([{ amount: 0.5 }]), taxes: [[0.07, 0.5]], total: 0.57 },
  {
    title: 'half a cent of a fractional rate: 20.00 × 9.975 % = 1.995',
    body: sale([{ amount: 20, code: code.qst }]),
    taxes: [[2, 20]],
    total: 22,
  },
  { title: '99.99 × 9.975 % = 9.974', body: sale([{ amount: 99.99, code: code.qst }]), taxes: [[9.97, 99.99]], total: 109.96 },
  {
    title: 'two codes of 5 % are two rates: each 10.10 × 5 % = 0.505',
    body: sale([
      { amount: 10.1, code: code.gst },
      { amount: 10.1, code: code.gstOnSales },
    ]),
    taxes: [
      [0.51, 10.1],
      [0.51, 10.1],
    ],
    total: 21.22,
  },
  { title: 'zero-rated', body: sale([{ amount: 50, code: code.zero }]), taxes: [[0, 50]], total: 50 },
  {
    title: '10 % off before tax: 180 × 13 %',
    body: sale([{ amount: 200 }, { amount: 100, code: code.exempt }], before, [percentOff(10)]),
    taxes: [
      [23.4, 180],
      [0, 90],
    ],
    total: 293.4,
  },
  {
    title: '25 off 150 before tax leaves 5/6: 83.33… × 13 % = 10.833, 41.66… × 5 % = 2.083',
    body: sale([{ amount: 100 }, { amount: 50, code: code.gst }], before, [dollarsOff(25)]),
    taxes: [
      [10.83, 83.33],
      [2.08, 41.67],
    ],
    total: 137.91,
  },
  {
    title: '25 off 150 after tax: the full amount is taxed',
    body: sale([{ amount: 100 }, { amount: 50, code: code.gst }], {}, [dollarsOff(25)]),
    taxes: [
      [13, 100],
      [2.5, 50],
    ],
    total: 140.5,
  },
  { title: 'a discount of 100 %', body: sale([{ amount: 80 }], before, [percentOff(100)]), taxes: [[0, 0]], total: 0 },
  {
    title: 'tax-inclusive amounts',
    body: sale([{ amount: 113 }, { amount: 105, code: code.gst }], { GlobalTaxCalculation: 'TaxInclusive' }),
    taxes: [
      [13, 100],
      [5, 100],
    ],
    total: 218,
  },
  {
    title: 'tax-inclusive amounts, 10 % off before tax: 203.40 × 13/113',
    body: sale([{ amount: 226 }], { GlobalTaxCalculation: 'TaxInclusive', ...before }, [percentOff(10)]),
    taxes: [[23.4, 180]],
    total: 203.4,
  },
  { title: 'no tax at all', body: sale([{ amount: 100 }], { GlobalTaxCalculation: 'NotApplicable' }), taxes: [], total: 100 },
]

describe('tax', () => {
  test.each(table)('$title', async ({ body, taxes, total }) => {
    const receipt = await book(body)
    const { TaxLine = [], TotalTax } = receipt.TxnTaxDetail as {
      TaxLine?: { Amount: number; TaxLineDetail: { NetAmountTaxable: number } }[]
      TotalTax: number
    }
    expect(TaxLine.map(({ Amount, TaxLineDetail }) => [Amount, TaxLineDetail.NetAmountTaxable])).toEqual(taxes)
    expect(TotalTax).toBe(Math.round(taxes.reduce((sum, [tax]) => sum + tax, 0) * 100) / 100)
    expect(receipt.TotalAmt).toBe(total)
  })

  test('lists a discount after the subtotal, with its amount', async () => {
    const receipt = await book(sale([{ amount: 99.99 }], before, [percentOff(15)]))
    expect(receipt.Line).toMatchObject([
      {},
      { Amount: 99.99, DetailType: 'SubTotalLineDetail' },
      { Amount: 15, DiscountLineDetail: { PercentBased: true, DiscountPercent: 15, DiscountAccountRef: { name: 'Discounts given' } } },
    ])
  })

  test('treats Amount as without tax when TaxInclusiveAmt is given', async () => {
    const body = sale([{ amount: 100 }], { GlobalTaxCalculation: 'TaxInclusive' })
    Object.assign(body.Line[0] as object, {
      SalesItemLineDetail: { ItemRef: { value: '1' }, TaxCodeRef: { value: code.hst }, TaxInclusiveAmt: 113 },
    })
    expect(await book(body)).toMatchObject({ TotalAmt: 113, TxnTaxDetail: { TotalTax: 13 } })
  })

  const three = [{ amount: 0.35 }, { amount: 0.35 }, { amount: 0.35 }]

  test('keeps a caller-supplied amount within one cent per taxed line', async () => {
    expect(await book(sale(three, withTax(taxLine(hstRate, 0.17))))).toMatchObject({
      TotalAmt: 1.22,
      TxnTaxDetail: { TotalTax: 0.17, TaxLine: [{ Amount: 0.17, TaxLineDetail: { OverrideDeltaAmount: 0.03, TaxPercent: 13 } }] },
    })
    expect(await book(sale([{ amount: 100 }], withTax(taxLine(hstRate, 12.99))))).toMatchObject({ TotalAmt: 112.99 })
  })

  test('refuses an amount beyond that (6000)', async () => {
    await expectRefused(sale(three, withTax(taxLine(hstRate, 0.18))), '6000', expect.stringContaining('The tax amount is not valid'))
    await expectRefused(sale([{ amount: 100 }], withTax(taxLine(hstRate, 13.02))), '6000')
  })

  test('refuses tax of a rate that no line has (6000) and of an unknown rate (2500)', async () => {
    await expectRefused(sale([{ amount: 100 }], withTax(taxLine('5', 0.01))), '6000')
    await expectRefused(sale([{ amount: 100 }], withTax(taxLine('77', 0))), '2500')
  })
})

describe('inconsistent sales', () => {
  test.each([
    [
      'an unknown customer',
      sale([{ amount: 1 }], { CustomerRef: { value: '9999' } }),
      '2500',
      'Invalid Reference Id : Names element id 9999 not found',
    ],
    ['an unknown item', sale([{ amount: 1, item: '999' }]), '2500', 'Invalid Reference Id : Item element id 999 not found'],
    ['an item that is no longer sold', sale([{ amount: 1, item: '37' }]), '2500', expect.stringContaining('made inactive')],
    ['an unknown tax code', sale([{ amount: 1, code: '99' }]), '2500', expect.stringContaining('TaxCode')],
    ['an unknown account', sale([{ amount: 1 }], { DepositToAccountRef: { value: '99' } }), '2500', expect.stringContaining('Accounts')],
    ['an account that takes no money', sale([{ amount: 1 }], { DepositToAccountRef: { value: '17' } }), '6000', undefined],
    ['an unknown class', sale([{ amount: 1 }], { ClassRef: { value: '99' } }), '2500', expect.stringContaining('Klasses')],
    ['an unknown payment method', sale([{ amount: 1 }], { PaymentMethodRef: { value: '99' } }), '2500', undefined],
    ['an amount that is not price times quantity', sale([{ amount: 20.01, price: 10, quantity: 2 }]), '6070', undefined],
    ['an amount with three decimals', sale([{ amount: 20.015 }]), '6070', undefined],
    ['a total below zero', sale([{ amount: 10 }], {}, [dollarsOff(12)]), '6000', undefined],
    ['no line', sale([]), '2020', undefined],
    ['two discounts', sale([{ amount: 10 }], {}, [dollarsOff(1), dollarsOff(1)]), '6000', undefined],
    ['a note of 4,001 letters', sale([{ amount: 1 }], { PrivateNote: 'a'.repeat(4001) }), '2050', undefined],
    ['a number of 22 letters', sale([{ amount: 1 }], { DocNumber: '1'.repeat(22) }), '2050', undefined],
    ['a date that is none', sale([{ amount: 1 }], { TxnDate: '2026-02-30' }), '2010', undefined],
    ['an amount that is no number', sale([{ amount: Number.NaN }]), '2010', undefined],
  ])('%s', async (_, body, faultCode, detail) => {
    await expectRefused(body, faultCode, detail)
  })

  test('a line without a tax code', async () => {
    const body = sale([{ amount: 1 }])
    Object.assign(body.Line[0] as object, { SalesItemLineDetail: { ItemRef: { value: '1' } } })
    await expectRefused(body, '6000', expect.stringContaining('GST/HST rate'))
  })

  test('a body that is not JSON, and what the simulator cannot do', async () => {
    expect((await books.post('salesreceipt', {}, { body: '{' })).body).toMatchObject(fault('2010'))
    expect((await books.post('invoice', {})).body).toMatchObject(fault('500'))
    expect((await books.post('salesreceipt?operation=delete', { Id: '1', SyncToken: '0' })).body).toMatchObject(fault('500'))
  })
})

test('computes a price in fractions of a cent exactly and rounds to the cent', async () => {
  expect(await book(sale([{ amount: 1.01, price: 0.335, quantity: 3 }]))).toMatchObject({ Line: [{ Amount: 1.01 }, { Amount: 1.01 }] })
})
