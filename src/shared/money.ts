/** '8,200.00' for 820000 cents: what stands in a field, without the sign. */
export function centsToText(cents: number | null): string {
  if (cents === null) return ''
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

/**
 * Whole cents of an amount in dollars as a person types it: '8200', '$8,200.5', '8 200.00'. Null when nothing is typed, undefined when it is
 * no amount. Digits are put together as text, so that no float ever holds money.
 */
export function textToCents(text: string): number | null | undefined {
  const typed = text.trim().replace(/^\$\s*/, '')
  if (typed === '') return text.trim() === '' ? null : undefined
  const match = /^(\d{1,3}(?:[, \u00a0]\d{3})+|\d{1,12})(?:\.(\d{0,2}))?$/.exec(typed)
  if (!match) return undefined
  return Number(`${match[1]?.replace(/\D/g, '')}${(match[2] ?? '').padEnd(2, '0')}`)
}
