/**
 * Sales tax as QuickBooks calculates it for a Canadian company. Per tax rate: the sum of the lines with that rate, less their share of a
 * discount before tax, times the rate, rounded once to the cent, half up.
 */
import { add, decimal, divide, type Fraction, multiply, rounded, zero } from '../fraction.ts'

/** A tax rate of a tax code, in percent. */
export type Rate = { id: string; name: string; percent: string }

export type TaxableLine = { cents: bigint; rates: readonly Rate[] }

export type Sale = {
  /** TaxInclusive: the lines' cents include tax. NotApplicable: no tax. */
  method: 'TaxExcluded' | 'TaxInclusive' | 'NotApplicable'
  lines: readonly TaxableLine[]
  discountCents: bigint
  discountBeforeTax: boolean
}

/** `cents` is the tax on `netCents`; `lines` is the number of lines with the rate. */
export type RateTax = { rate: Rate; netCents: bigint; cents: bigint; lines: number }

const hundred = decimal(100)

/** @returns one entry per rate, including 0 %, in order of occurrence. */
export function taxOf(sale: Sale): RateTax[] {
  if (sale.method === 'NotApplicable') return []
  const share = shareAfterDiscount(sale)
  const sums = new Map<string, { rate: Rate; net: Fraction; tax: Fraction; lines: number }>()
  for (const line of sale.lines) {
    const amount = multiply({ top: line.cents, bottom: 1n }, share)
    const percents = line.rates.map(({ percent }) => decimal(percent)).reduce(add, zero)
    const net = sale.method === 'TaxInclusive' ? divide(multiply(amount, hundred), add(hundred, percents)) : amount
    for (const rate of line.rates) {
      const sum = sums.get(rate.id) ?? { rate, net: zero, tax: zero, lines: 0 }
      const tax = divide(multiply(net, decimal(rate.percent)), hundred)
      sums.set(rate.id, { rate, net: add(sum.net, net), tax: add(sum.tax, tax), lines: sum.lines + 1 })
    }
  }
  return [...sums.values()].map(({ rate, net, tax, lines }) => ({ rate, netCents: rounded(net), cents: rounded(tax), lines }))
}

/** A discount applies to all lines proportionally, taxed or not: 10 off 200 leaves 190/200 of each. */
function shareAfterDiscount({ lines, discountCents, discountBeforeTax }: Sale): Fraction {
  const total = lines.reduce((sum, { cents }) => sum + cents, 0n)
  if (!discountBeforeTax || total === 0n) return decimal(1)
  return divide({ top: total - discountCents, bottom: 1n }, { top: total, bottom: 1n })
}
