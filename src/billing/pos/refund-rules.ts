import { divideHalfUp } from '../../shared/money.ts'
import { shareOut } from './rules.ts'

/** A line of a sale as it was paid, after the discount; whole cents. */
export type PaidLine = { netCents: number; taxCents: number }

/** What is given back of a line: of which one, and how much of it; whole cents, not negative. */
export type RefundedLine = PaidLine & { line: number }

type Sale = {
  lines: readonly { amountCents: number; taxCents: number; taxCodeId: string }[]
  taxes: readonly { taxCodeId: string; base: number }[]
}

/** What was paid for each line of a sale: the base of its tax code shared out over the lines that have it, so that all sum to the total. */
export function paidLinesOf({ lines, taxes }: Sale): PaidLine[] {
  const paid = lines.map(({ taxCents }) => ({ netCents: 0, taxCents }))
  for (const { taxCodeId, base } of taxes) {
    const places = [...lines.keys()].filter((place) => lines[place]!.taxCodeId === taxCodeId)
    const amounts = places.map((place) => BigInt(lines[place]!.amountCents))
    const parts = shareProportionally(amounts, base)
    for (const [index, place] of places.entries()) paid[place]!.netCents = parts[index]!
  }
  return paid
}

/** Whole parts of `total` in the proportion of `amounts`. */
function shareProportionally(amounts: readonly bigint[], total: number): number[] {
  const sum = amounts.reduce((all, amount) => all + amount, 0n)
  if (sum === 0n) return amounts.map(() => 0)
  return shareOut(
    amounts.map((amount) => amount * BigInt(total)),
    sum,
    total,
  )
}

const grossOf = ({ netCents, taxCents }: PaidLine): number => netCents + taxCents

/** What can still be given back of each line, tax included, in cents. `refunded`: what was given back already. */
export function leftOfLines(paid: readonly PaidLine[], refunded: readonly RefundedLine[]): number[] {
  const given = paid.map(() => 0)
  for (const refund of refunded) given[refund.line]! += grossOf(refund)
  return paid.map((line, place) => grossOf(line) - given[place]!)
}

/**
 * How a refund of so many cents, tax included, is spread over lines of a sale. Each chosen line gives in proportion to what is left of it, the
 * cents that are left over going to the largest remainders, and so never more than it has. Of what a line gives, its tax is as much as brings
 * the tax given back of it in all to its share of the whole, rounded half up: so many small refunds come to the same as a large one, and
 * all of a line gives back exactly its tax.
 *
 * @param amountCents at most what is left of the chosen lines together
 */
export function spreadRefund(
  paid: readonly PaidLine[],
  refunded: readonly RefundedLine[],
  chosen: readonly number[],
  amountCents: number,
): RefundedLine[] {
  const left = leftOfLines(paid, refunded)
  const parts = shareProportionally(
    chosen.map((line) => BigInt(left[line]!)),
    amountCents,
  )
  return chosen.flatMap((line, index) => {
    const gross = parts[index]!
    if (gross === 0) return []
    const whole = paid[line]!
    const before = grossOf(whole) - left[line]!
    const taxCents = taxWithin(whole, before + gross) - taxWithin(whole, before)
    return [{ line, netCents: gross - taxCents, taxCents }]
  })
}

/** The tax in the first `cents` of what was paid for a line. */
const taxWithin = (line: PaidLine, cents: number): number => divideHalfUp(BigInt(cents) * BigInt(line.taxCents), BigInt(grossOf(line)))
