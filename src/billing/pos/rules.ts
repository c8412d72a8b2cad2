import { divideHalfUp } from '../../shared/money.ts'

/** A discount is stored in hundredths of a percent, 0 to 10,000 (spec 5: 0 to 100, step 0.01). */
const wholeDiscount = 10_000
/** A tax rate is stored in millionths: 13 % is 130,000, 9.975 % is 99,750. */
export const wholeRate = 1_000_000

export const cartLimits = { lines: 100, quantity: 9_999, /** In cents. */ unitPrice: 100_000_000 } as const

/** The payment method of a receipt if the call has none. */
export const otherMethod = 'Other'

/** Spec 9: placeholder for the practice's default tax code until it is resolved. */
export const defaultTaxCode = 'TAX'

/** Spec 9: the named rates, in millionths. */
const namedRates: Record<string, number> = {
  'HST ON': 130_000,
  GST: 50_000,
  'GST 5% ON SALES': 50_000,
  'Zero-rated': 0,
  Exempt: 0,
  'Out of Scope': 0,
}

/** Converts a rate from QuickBooks' list (9.975 for 9.975 %) to millionths. Parsed as text, so that no float rounds it. */
const rateOfPercent = (percent: number): number => {
  const [whole = '0', part = ''] = String(percent).split('.')
  return Number(`${whole}${part.slice(0, 4).padEnd(4, '0')}`)
}

/** A tax code's rate in millionths. Spec 9: by its name, otherwise its first listed rate; 0 if it lists none. */
export function taxRateOf({ name, rates }: { name: string; rates: readonly number[] }): number {
  return namedRates[name] ?? rateOfPercent(rates[0] ?? 0)
}

/** A rate in percent for display: 13, 9.975. */
export const percentOfRate = (rate: number): string => String((rate * 100) / wholeRate)

/** 'HST ON 13%'; just the name for a zero rate. */
export const formatTax = ({ name, rate }: { name: string; rate: number }): string =>
  rate === 0 || /\d%/.test(name) ? name : `${name} ${percentOfRate(rate)}%`

export interface NamedReceipt {
  kind: 'sale' | 'refund'
  docNumber: string | null
  qbId: string | null
}

/** 'Receipt 1042', 'Refund receipt 17', as staff read it. */
export const receiptName = ({ kind, docNumber, qbId }: NamedReceipt): string =>
  [kind === 'refund' ? 'Refund receipt' : 'Receipt', docNumber ?? qbId].filter((part) => part !== null).join(' ')

/** Whether lines with this tax code need an exemption reason, which is stored with the receipt. */
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
  /** The taxable amount after the discount, in cents. */
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
  /** By tax code, in order of first use in the cart. */
  taxes: TaxTotal[]
  tax: number
  total: number
}

/**
 * The totals of a cart (spec 9), in whole cents; the same in the browser, on the server and in the QuickBooks payload. Rounding:
 *
 * 1. A line's amount is unit price × quantity: whole cents times a whole number, exact.
 * 2. The subtotal is their sum: exact.
 * 3. The discount is subtotal × percent, rounded half up once, on the whole cart. Lines have no discount of their own in cents.
 * 4. A line's tax is amount × (100 % − percent) × rate, exact until it is rounded half up, once, at the end. It starts from the exact
 *    share of the line, not from a discount that was rounded before.
 * 5. The tax is the sum of the lines' taxes, and the total is subtotal − discount + tax: exact.
 *
 * The bases of the tax codes are the lines' amounts after the discount, split so that they sum to the discounted subtotal to the cent:
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

/** Splits `total` into whole parts of `shares / unit`: rounded down, with the rest going to the largest remainders, ties in order. */
export function shareOut(shares: readonly bigint[], unit: bigint, total: number): number[] {
  const parts = shares.map((share) => Number(share / unit))
  const byRemainder = shares
    .map((share, index) => ({ index, left: share % unit }))
    .toSorted((a, b) => Number(b.left - a.left) || a.index - b.index)
  for (const { index } of byRemainder.slice(0, total - sumOf(parts))) parts[index]!++
  return parts
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
