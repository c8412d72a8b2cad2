import { divideHalfUp } from '../../shared/money.ts'

/** A discount is kept in hundredths of a percent, 0 to 10,000 (spec 5: 0 to 100, step 0.01). */
const wholeDiscount = 10_000
/** A tax rate is kept in millionths: 13 % is 130,000, 9.975 % is 99,750. */
export const wholeRate = 1_000_000

export const cartLimits = { lines: 100, quantity: 9_999, /** In cents. */ unitPrice: 100_000_000 } as const

/** What a receipt was paid by where the call does not say. */
export const otherMethod = 'Other'

/** Spec 9: the practice's default tax code goes by this name until it is resolved. */
export const defaultTaxCode = 'TAX'

/** Spec 9: the rates that are known by name, in millionths. */
const namedRates: Record<string, number> = {
  'HST ON': 130_000,
  GST: 50_000,
  'GST 5% ON SALES': 50_000,
  'Zero-rated': 0,
  Exempt: 0,
  'Out of Scope': 0,
}

/** A rate of the accounting's list, 9.975 for 9.975 %, in millionths. Taken as text, so that no float rounds it. */
const rateOfPercent = (percent: number): number => {
  const [whole = '0', part = ''] = String(percent).split('.')
  return Number(`${whole}${part.slice(0, 4).padEnd(4, '0')}`)
}

/** In millionths. Spec 9: by its name, otherwise the first rate that it lists; a code that lists none taxes nothing. */
export function taxRateOf({ name, rates }: { name: string; rates: readonly number[] }): number {
  return namedRates[name] ?? rateOfPercent(rates[0] ?? 0)
}

/** A rate in percent, for people: 13, 9.975. */
export const percentOfRate = (rate: number): string => String((rate * 100) / wholeRate)

/** 'HST ON 13%'; of a code that taxes nothing, its name alone. */
export const formatTax = ({ name, rate }: { name: string; rate: number }): string =>
  rate === 0 || /\d%/.test(name) ? name : `${name} ${percentOfRate(rate)}%`

/** Why a line is not taxed has to be said (kept with the receipt) when its code is this one. */
export const needsExemptReason = (taxCodeName: string): boolean => taxCodeName === 'Exempt'

export type CartLine = {
  /** In cents. */
  unitPrice: number
  quantity: number
  taxCodeId: string
  /** In millionths. */
  rate: number
}

export type TaxTotal = {
  taxCodeId: string
  rate: number
  /** What is taxed at it, after the discount, in cents. */
  base: number
  tax: number
}

export type Totals = {
  /** In the cart's order, in cents. */
  lines: { amount: number; tax: number }[]
  subtotal: number
  discount: number
  /** The subtotal after the discount. */
  taxable: number
  /** By tax code, in the order in which the cart names them first. */
  taxes: TaxTotal[]
  tax: number
  total: number
}

/**
 * What a cart costs (spec 9), in whole cents; the same in the browser, on the server and in what is sent to the books. Where it rounds:
 *
 * 1. A line's amount is unit price × quantity: whole cents times a whole number, exact.
 * 2. The subtotal is their sum: exact.
 * 3. The discount is subtotal × percent, rounded half up once, on the whole cart. Lines have no discount of their own in cents.
 * 4. A line's tax is amount × (100 % − percent) × rate, exact until it is rounded half up, once, at the end. It starts from the exact
 *    share of the line, not from a discount that was rounded before.
 * 5. The tax is the sum of the lines' taxes, and the total is subtotal − discount + tax: exact.
 *
 * The bases of the tax codes are the lines' amounts after the discount, shared out so that they sum to the discounted subtotal to the cent:
 * each is rounded down, and the cents that are left go to the largest remainders.
 */
export function totalsOf(cart: readonly CartLine[], discount: number): Totals {
  const kept = BigInt(wholeDiscount - discount)
  const lines = cart.map(({ unitPrice, quantity, rate }) => {
    const amount = unitPrice * quantity
    return { amount, tax: divideHalfUp(BigInt(amount) * kept * BigInt(rate), BigInt(wholeDiscount) * BigInt(wholeRate)) }
  })
  const subtotal = sumOf(lines.map(({ amount }) => amount))
  const discounted = divideHalfUp(BigInt(subtotal) * BigInt(discount), BigInt(wholeDiscount))
  const taxable = subtotal - discounted
  const tax = sumOf(lines.map((line) => line.tax))
  return { lines, subtotal, discount: discounted, taxable, taxes: taxesOf(cart, lines, kept, taxable), tax, total: taxable + tax }
}

function taxesOf(cart: readonly CartLine[], lines: Totals['lines'], kept: bigint, taxable: number): TaxTotal[] {
  const byCode = new Map<string, { rate: number; amount: number; tax: number }>()
  for (const [index, { taxCodeId, rate }] of cart.entries()) {
    const line = lines[index]!
    const sum = byCode.get(taxCodeId) ?? { rate, amount: 0, tax: 0 }
    byCode.set(taxCodeId, { rate, amount: sum.amount + line.amount, tax: sum.tax + line.tax })
  }
  const shares = [...byCode.values()].map(({ amount }) => BigInt(amount) * kept)
  const bases = shareOut(shares, BigInt(wholeDiscount), taxable)
  return [...byCode].map(([taxCodeId, { rate, tax }], index) => ({ taxCodeId, rate, base: bases[index]!, tax }))
}

/** Whole parts of `shares / unit` that sum to `total`: rounded down, what is left to the largest remainders, the first of equals first. */
export function shareOut(shares: readonly bigint[], unit: bigint, total: number): number[] {
  const parts = shares.map((share) => Number(share / unit))
  const byRemainder = shares
    .map((share, index) => ({ index, left: share % unit }))
    .toSorted((a, b) => Number(b.left - a.left) || a.index - b.index)
  for (const { index } of byRemainder.slice(0, total - sumOf(parts))) parts[index]!++
  return parts
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
