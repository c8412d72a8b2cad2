import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leftOfLines, paidLinesOf, type RefundedLine, spreadRefund } from './refund-rules.ts'
import { totalsOf } from './rules.ts'

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** The stored sale of a cart. */
function saleOf(cart: { unitPrice: number; quantity: number; rate: number }[], discount: number) {
  const lines = cart.map((line) => ({ ...line, taxCodeId: `at ${line.rate}` }))
  const totals = totalsOf(lines, discount)
  return {
    ...totals,
    lines: lines.map(({ taxCodeId }, place) => ({
      taxCodeId,
      amountCents: totals.lines[place]!.amount,
      taxCents: totals.lines[place]!.tax,
    })),
  }
}

const rhinoplasty = saleOf(
  [
    { unitPrice: 820_000, quantity: 1, rate: 130_000 },
    { unitPrice: 1_999, quantity: 3, rate: 130_000 },
    { unitPrice: 190_001, quantity: 1, rate: 0 },
  ],
  1_000,
)

describe('refund arithmetic', () => {
  it('splits the total over the lines, with base and tax per tax code', () => {
    const paid = paidLinesOf(rhinoplasty)
    expect(sumOf(paid.map(({ netCents, taxCents }) => netCents + taxCents))).toBe(rhinoplasty.total)
    expect(paid[0]!.netCents + paid[1]!.netCents).toBe(rhinoplasty.taxes[0]!.base)
    expect(paid[2]).toEqual({ netCents: rhinoplasty.taxes[1]!.base, taxCents: 0, rate: 0 })
  })

  it('refunds a full line with its tax, and a partial line with its share of tax', () => {
    const paid = paidLinesOf(rhinoplasty)
    const { netCents, taxCents } = paid[0]!
    expect(spreadRefund(paid, [], [0], netCents + taxCents)).toEqual([{ line: 0, netCents, taxCents }])
    expect(spreadRefund(paid, [], [0], 113_00)).toEqual([{ line: 0, netCents: 100_00, taxCents: 13_00 }])
    expect(spreadRefund(paid, [], [2], 5)).toEqual([{ line: 2, netCents: 5, taxCents: 0 }])
  })

  it('keeps the tax of each part within a cent of its own, when rounding has put the tax of the line and of an earlier part off', () => {
    const sale = saleOf(
      [
        { unitPrice: 73_178, quantity: 2, rate: 99_750 },
        { unitPrice: 1_497, quantity: 1, rate: 130_000 },
        { unitPrice: 6_418, quantity: 3, rate: 130_000 },
        { unitPrice: 71_312, quantity: 6, rate: 130_000 },
      ],
      7,
    )
    const paid = paidLinesOf(sale)
    const [part] = spreadRefund(paid, [{ line: 3, netCents: 12_827, taxCents: 1_668 }], [3], 454_602)
    expect(Math.abs(part!.taxCents - Math.round(part!.netCents * 0.13))).toBeLessThanOrEqual(1)
  })

  it('never refunds more than was paid for a line, and sums to exactly that over any refunds', () => {
    const line = fc.record({
      unitPrice: fc.integer({ min: 0, max: 300_000 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      rate: fc.constantFrom(130_000, 50_000, 99_750, 0),
    })
    const cart = fc.array(line, { minLength: 1, maxLength: 8 })
    const wanted = fc.array(fc.record({ lines: fc.array(fc.nat(7), { minLength: 1 }), share: fc.integer({ min: 1, max: 100 }) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(cart, fc.integer({ min: 0, max: 10_000 }), wanted, (lines, discount, wishes) => {
        const sale = saleOf(lines, discount)
        const paid = paidLinesOf(sale)
        const refunded: RefundedLine[] = []
        const refund = (chosen: number[], cents: number) => {
          const parts = spreadRefund(paid, refunded, chosen, cents)
          expect(sumOf(parts.map(({ netCents, taxCents }) => netCents + taxCents))).toBe(cents)
          for (const part of parts) {
            expect(Math.min(part.netCents, part.taxCents)).toBeGreaterThanOrEqual(0)
            // As far as QuickBooks lets a tax be from its own.
            expect(Math.abs(part.taxCents - Math.round((part.netCents * lines[part.line]!.rate) / 1_000_000))).toBeLessThanOrEqual(1)
          }
          refunded.push(...parts)
        }
        for (const { lines: places, share } of wishes) {
          const chosen = [...new Set(places.filter((place) => place < lines.length))]
          const left = leftOfLines(paid, refunded)
          const cents = Math.floor((sumOf(chosen.map((place) => left[place]!)) * share) / 100)
          if (cents > 0) refund(chosen, cents)
        }
        const left = leftOfLines(paid, refunded)
        expect(Math.min(...left)).toBeGreaterThanOrEqual(0)
        if (sumOf(left) > 0) refund([...lines.keys()], sumOf(left))
        for (const [place, { netCents, taxCents }] of paid.entries()) {
          const mine = refunded.filter((part) => part.line === place)
          expect([sumOf(mine.map((part) => part.netCents)), sumOf(mine.map((part) => part.taxCents))]).toEqual([netCents, taxCents])
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
