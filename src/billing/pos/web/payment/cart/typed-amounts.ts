import { centsToText } from '../../../../../shared/money.ts'

/**
 * Cents of a unit price as typed, or as in QuickBooks (spec 5: anything that is not a number becomes 0). Fractions of a cent are rounded
 * half up; a negative price is invalid.
 */
export function priceOfText(text: string): number {
  const typed = text.trim().replace(/^\$\s*/, '')
  const match = /^(\d{1,3}(?:[, \u00a0]\d{3})+|\d{0,12})(?:\.(\d*))?$/.exec(typed)
  const [whole = '', part = ''] = [match?.[1]?.replace(/\D/g, ''), match?.[2]]
  if (whole === '' && part === '') return 0
  const cents = Number(`${whole}${part.slice(0, 2).padEnd(2, '0')}`)
  return part.charAt(2) >= '5' ? cents + 1 : cents
}

/** Hundredths of a percent as typed; an empty text is 0. Null: not from 0 to 100 in steps of 0.01 (spec 5). */
export function discountOfText(text: string): number | null {
  const typed = text.trim().replace(/\s*%$/, '')
  if (typed === '') return 0
  const match = /^(\d{0,3})(?:\.(\d{0,2}))?$/.exec(typed)
  if (!match || !/\d/.test(typed)) return null
  const hundredths = Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`)
  return hundredths <= 10_000 ? hundredths : null
}

/** '5.00' for 500 hundredths of a percent. */
export const discountToText = (hundredths: number): string => centsToText(hundredths)

/** '13%' for 130,000 millionths, '9.975%' for 99,750: all of its digits. */
export function rateToText(millionths: number): string {
  const digits = String(millionths).padStart(5, '0')
  const part = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${part ? `.${part}` : ''}%`
}
