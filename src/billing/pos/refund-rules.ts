import { divideHalfUp } from '../../shared/money.ts'
import { shareOut } from './rules.ts'

type Amounts = { netCents: number; taxCents: number }

/** A paid line of a sale after the discount; whole cents. `rate`: of its tax, in millionths. */
export type PaidLine = Amounts & { rate: number }

/** The refunded part of a line; whole cents, not negative. */
export type RefundedLine = Amounts & { line: number }

type Sale = {
  lines: readonly { amountCents: number; taxCents: number; taxCodeId: string }[]
  taxes: readonly { taxCodeId: string; rate: number; base: number }[]
}

/** The amount paid for each line: its tax code's base split over the lines with that code, so that all sum to the total. */
export function paidLinesOf({ lines, taxes }: Sale): PaidLine[] {
  const paid = lines.map(({ taxCents }) => ({ netCents: 0, taxCents, rate: 0 }))
  for (const { taxCodeId, rate, base } of taxes) {
    const places = [...lines.keys()].filter((place) => lines[place]!.taxCodeId === taxCodeId)
    const amounts = places.map((place) => BigInt(lines[place]!.amountCents))
    const parts = shareProportionally(amounts, base)
    for (const [index, place] of places.entries()) Object.assign(paid[place]!, { netCents: parts[index]!, rate })
  }
  return paid
}

/** Splits `total` into whole parts in proportion to `amounts`. */
function shareProportionally(amounts: readonly bigint[], total: number): number[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0n)
  if (sum === 0n) return amounts.map(() => 0)
  return shareOut(
    amounts.map((amount) => amount * BigInt(total)),
    sum,
    total,
  )
}

const grossOf = ({ netCents, taxCents }: Amounts): number => netCents + taxCents

/** What is left of each line. `refunded`: earlier refunds. */
function amountsLeft(paid: readonly PaidLine[], refunded: readonly RefundedLine[]): PaidLine[] {
  const left = paid.map((line) => ({ ...line }))
  for (const { line, netCents, taxCents } of refunded) {
    left[line]!.netCents -= netCents
    left[line]!.taxCents -= taxCents
  }
  return left
}

/** The refundable amount of each line, tax included, in cents. `refunded`: earlier refunds. */
export const leftOfLines = (paid: readonly PaidLine[], refunded: readonly RefundedLine[]): number[] =>
  amountsLeft(paid, refunded).map(grossOf)

/**
 * Splits a refund in cents, tax included, over the chosen lines of a sale, in proportion to what is left of each. The
 * leftover cents go to the largest remainders, so no line refunds more than it has. Refunding the whole rest of a line
 * refunds exactly the rest of its tax.
 *
 * @param amountCents at most the sum of what is left of the chosen lines
 */
export function spreadRefund(
  paid: readonly PaidLine[],
  refunded: readonly RefundedLine[],
  chosen: readonly number[],
  amountCents: number,
): RefundedLine[] {
  const left = amountsLeft(paid, refunded)
  const parts = shareProportionally(
    chosen.map((line) => BigInt(grossOf(left[line]!))),
    amountCents,
  )
  return chosen.flatMap((line, index) => {
    const gross = parts[index]!
    if (gross === 0) return []
    const taxCents = taxWithin(left[line]!, gross)
    return [{ line, netCents: gross - taxCents, taxCents }]
  })
}

const million = 1_000_000

/**
 * The tax in `gross` cents of what is left of a line. QuickBooks accepts a tax that is one cent from its own, and rounding has put the line's
 * tax off by some fraction of a cent. The part takes half of that deviation, as far as whole cents allow, so neither the part nor the rest,
 * however it is split later, is off by more than a cent.
 */
function taxWithin({ netCents, taxCents, rate }: PaidLine, gross: number): number {
  // tax − net × rate = half of (taxCents − netCents × rate), where net = gross − tax
  const doubled = BigInt(2 * gross) * BigInt(rate) + BigInt(taxCents) * BigInt(million) - BigInt(netCents) * BigInt(rate)
  const tax = doubled < 0n ? 0 : divideHalfUp(doubled, BigInt(2 * (million + rate)))
  return Math.min(Math.max(tax, gross - netCents, 0), gross, taxCents)
}
