/**
 * Money is whole cents. Amounts are parsed and formatted as text, so that no float ever adds, multiplies or rounds money.
 */

/** '8,200.00' for 820000 cents: the value of a field, without the dollar sign. */
export function centsToText(cents: number | null): string {
  if (cents === null) return ''
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/** Whole cents of an amount in dollars as a person types it: '8200', '$8,200.5', '8 200.00'. Null if empty, undefined if invalid. */
export function textToCents(text: string): number | null | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return text.trim() === '' ? null : undefined
  const match = /^(\d{1,3}(?:[, \u00a0]\d{3})+|\d{1,12})(?:\.(\d{0,2}))?$/.exec(typed)
  if (!match) return undefined
  return Number(`${match[1]?.replace(/\D/g, '')}${(match[2] ?? '').padEnd(2, '0')}`)
}

/** Cents of a non-negative JSON amount (169.5). Null: it has fractions of a cent or is out of range. */
export function centsOfAmount(amount: number): number | null {
  const match = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(String(amount))
  return match ? Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`) : null
}

/** The amount in dollars for JSON, exact to the cent: 169.5 for 16950. */
export const amountOfCents = (cents: number): number => Number(`${cents < 0 ? '-' : ''}${centsToText(Math.abs(cents)).replaceAll(',', '')}`)

/** numerator / denominator, rounded half up to an integer. Both must be non-negative. */
export function divideHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator))
}
