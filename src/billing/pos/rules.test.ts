import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOfCents, centsOfAmount } from '../../shared/money.ts'
import { type CartLine, cartLimits, needsExemptReason, taxRateOf, totalsOf } from './rules.ts'

/** CARTS=1000000 sets the number of carts; the default run uses fewer. */
const numRuns = Number(process.env.CARTS ?? 20_000)

const line = (unitPrice: number, quantity: number, rate = 130_000, taxCodeId = String(rate)): CartLine => ({
  unitPrice,
  quantity,
  rate,
  taxCodeId,
})

/** An independent decimal model, written only from the text of spec 9. */
function byDecimals(cart: readonly CartLine[], discountHundredths: number) {
  const halfUp = (value: Big) => value.round(2, Big.roundHalfUp)
  const percent = new Big(discountHundredths).div(100)
  const amounts = cart.map(({ unitPrice, quantity }) => new Big(unitPrice).div(100).times(quantity))
  const subtotal = amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))
  const discount = halfUp(subtotal.times(percent).div(100))
  const ratio = new Big(100).minus(percent).div(100)
  const taxes = amounts.map((amount, index) => halfUp(amount.times(cart[index]!.rate).div(1_000_000).times(ratio)))
  const tax = taxes.reduce((sum, one) => sum.plus(one), new Big(0))
  const cents = (value: Big) => value.times(100).toNumber()
  return {
    lines: amounts.map((amount, index) => ({ amount: cents(amount), tax: cents(taxes[index]!) })),
    subtotal: cents(subtotal),
    discount: cents(discount),
    tax: cents(tax),
    total: cents(subtotal.minus(discount).plus(tax)),
  }
}

const rates = fc.constantFrom(130_000, 50_000, 0, 99_750)
const carts = fc.array(
  fc.record({
    unitPrice: fc.oneof(fc.nat(9_999), fc.nat(cartLimits.unitPrice)),
    quantity: fc.integer({ min: 1, max: 40 }),
    rate: rates,
    taxCodeId: fc.constantFrom('1', '2', '3'),
  }),
  { minLength: 1, maxLength: 12 },
)
const discounts = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 }))

describe('cart totals (spec 9)', () => {
  it('match the mock-up: three taxed lines, an exempt one, five percent off', () => {
    const cart = [line(820_000, 1), line(81_500, 3), line(190_000, 1, 0), line(4_895, 2)]
    expect(totalsOf(cart, 500)).toEqual({
      lines: [
        { amount: 820_000, tax: 101_270 },
        { amount: 244_500, tax: 30_196 },
        { amount: 190_000, tax: 0 },
        { amount: 9_790, tax: 1_209 },
      ],
      subtotal: 1_264_290,
      discount: 63_215,
      taxable: 1_201_075,
      taxes: [
        { taxCodeId: '130000', rate: 130_000, base: 1_020_575, tax: 132_675 },
        { taxCodeId: '0', rate: 0, base: 180_500, tax: 0 },
      ],
      tax: 132_675,
      total: 1_333_750,
    })
  })

  it.each([
    ['a half cent of tax is rounded up', [line(50, 1, 10_000)], 0, { tax: 1, total: 51 }],
    ['just under a half cent is rounded down', [line(49, 1, 10_000)], 0, { tax: 0, total: 49 }],
    ['a half cent of discount is rounded up', [line(1, 1, 0)], 5_000, { discount: 1, total: 0 }],
    ['tax is rounded for each line, not for their sum', [line(50, 1, 10_000), line(50, 1, 10_000)], 0, { tax: 2 }],
    ['everything off leaves nothing to tax', [line(820_000, 1)], 10_000, { discount: 820_000, tax: 0, total: 0 }],
    ['a price of nothing costs nothing', [line(0, 3)], 0, { subtotal: 0, total: 0 }],
    ['a third of a percent has no float in it', [line(10, 3, 130_000)], 0, { subtotal: 30, tax: 4, total: 34 }],
    [
      'the dearest cart that there can be is exact',
      [line(cartLimits.unitPrice, cartLimits.quantity)],
      1,
      { subtotal: 999_900_000_000, discount: 99_990_000 },
    ],
  ])('%s', (_, cart, discount, expected) => {
    expect(totalsOf(cart, discount)).toMatchObject(expected)
  })

  it(
    `agree to the cent with a decimal model for ${numRuns.toLocaleString('en-CA')} random carts, and their tax bases add up`,
    {
      timeout: 3_600_000,
    },
    () => {
      fc.assert(
        fc.property(carts, discounts, (cart, discount) => {
          const totals = totalsOf(cart, discount)
          expect(totals).toMatchObject(byDecimals(cart, discount))
          expect(totals.taxes.reduce((sum, { base }) => sum + base, 0)).toBe(totals.taxable)
          expect(totals.taxes.reduce((sum, { tax }) => sum + tax, 0)).toBe(totals.tax)
          expect(totals.total).toBe(totals.taxable + totals.tax)
        }),
        { numRuns },
      )
    },
  )

  it('do not depend on the order of the lines', () => {
    fc.assert(
      fc.property(carts, discounts, (cart, discount) => {
        const { subtotal, discount: off, tax, total } = totalsOf(cart, discount)
        expect(totalsOf(cart.toReversed(), discount)).toMatchObject({ subtotal, discount: off, tax, total })
      }),
    )
  })
})

describe('the rate of a tax code (spec 9)', () => {
  it.each([
    ['HST ON', [15], 130_000],
    ['GST', [], 50_000],
    ['GST 5% ON SALES', [7], 50_000],
    ['Zero-rated', [5], 0],
    ['Exempt', [5], 0],
    ['Out of Scope', [5], 0],
    ['QST 9.975%', [9.975], 99_750],
    ['GST/PST BC', [5, 7], 50_000],
    ['New code', [], 0],
    ['A tenth', [0.1], 1_000],
  ])('%s with %j is %i millionths', (name, rates, rate) => {
    expect(taxRateOf({ name, rates })).toBe(rate)
  })
  it('requires a reason for exempt lines only', () => {
    expect(['Exempt', 'Zero-rated', 'Out of Scope', 'HST ON'].map(needsExemptReason)).toEqual([true, false, false, false])
  })
})

describe('amounts in JSON', () => {
  it('convert to cents and back for any amount', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (cents) => centsOfAmount(amountOfCents(cents)) === cents))
    expect([centsOfAmount(0.1 + 0.2), centsOfAmount(1.005), centsOfAmount(-1), centsOfAmount(1e21), centsOfAmount(Number.NaN)]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect(amountOfCents(-150)).toBe(-1.5)
  })
})
