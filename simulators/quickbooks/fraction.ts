/** Exact arithmetic: amounts and rates are fractions of integers, rounded once at the end. */

/** `bottom` is positive. */
export type Fraction = { top: bigint; bottom: bigint }

export const zero: Fraction = { top: 0n, bottom: 1n }

/** The format of amounts, prices, quantities and percentages. */
export const decimalPattern = /^-?\d{1,15}(\.\d{1,12})?$/

/** @param value such as '9.975' or 12.5; has to match `decimalPattern`. */
export function decimal(value: string | number): Fraction {
  const [whole = '0', decimals = ''] = String(value).split('.')
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) }
}

export function add(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.top, bottom: a.bottom * b.bottom }
}

/** @param b must not be zero. */
export function divide(a: Fraction, b: Fraction): Fraction {
  const sign = b.top < 0n ? -1n : 1n
  return { top: sign * a.top * b.bottom, bottom: sign * a.bottom * b.top }
}

export function equal(a: Fraction, b: Fraction): boolean {
  return a.top * b.bottom === b.top * a.bottom
}

/** Rounds half away from zero, so that a refund mirrors its sale. */
export function rounded({ top, bottom }: Fraction): bigint {
  const size = top < 0n ? -top : top
  const nearest = (2n * size + bottom) / (2n * bottom)
  return top < 0n ? -nearest : nearest
}

/** An amount in dollars as cents. */
export function centsOf(dollars: string | number): bigint {
  return rounded(multiply(decimal(dollars), { top: 100n, bottom: 1n }))
}

/** Cents as dollars for JSON: 12.34 for 1234n. */
export function dollarsOf(cents: bigint): number {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return Number(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`)
}
