import { divideHalfUp } from '../../shared/money.ts'
import { shareOut } from './rules.ts'

/** A paid line of a sale after the discount; whole cents. */
export type PaidLine = { netCents: number; taxCents: number }

/** The refunded part of a line; whole cents, not negative. */
export type RefundedLine = PaidLine & { line: number }

type Sale = {
  lines: readonly { amountCents: number; taxCents: number; taxCodeId: string }[]
  taxes: readonly { taxCodeId: string; base: number }[]
}

/** The amount paid for each line: its tax code's base split over the lines with that code, so that all sum to the total. */
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

const grossOf = ({ netCents, taxCents }: PaidLine): number => netCents + taxCents

/** The refundable amount of each line, tax included, in cents. `refunded`: earlier refunds. */
export function leftOfLines(paid: readonly PaidLine[], refunded: readonly RefundedLine[]): number[] {
  const given = paid.map(() => 0)
  for (const refund of refunded) given[refund.line]! += grossOf(refund)
  return paid.map((line, place) => grossOf(line) - given[place]!)
}

/**
 * Splits a refund in cents, tax included, over the chosen lines of a sale, in proportion to what is left of each. The
 * leftover cents go to the largest remainders, so no line refunds more than it has. The tax in a line's part is what brings
 * its total refunded tax to its share of the whole, rounded half up. So many small refunds equal one large refund, and
 * refunding a whole line refunds exactly its tax.
 *
 * @param amountCents at most the sum of what is left of the chosen lines
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

/** The tax in the first `cents` paid for a line. */
const taxWithin = (line: PaidLine, cents: number): number => divideHalfUp(BigInt(cents) * BigInt(line.taxCents), BigInt(grossOf(line)))
