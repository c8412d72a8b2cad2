import parsePhone, { type CountryCode } from 'libphonenumber-js/max'

/**
 * `either`: in North America mobile phones and landlines share their numbers, so that only the carrier knows. `other`: toll-free, premium
 * and similar numbers, which receive no texts.
 */
export type PhoneKind = 'mobile' | 'landline' | 'either' | 'other'
export type Phone = { number: string; kind: PhoneKind }

/** Numbers without a country are Canadian: Canada and the United States have one plan. */
const defaultCountry: CountryCode = 'CA'
/** Longer texts hold no number. */
const maxLength = 50

const kinds: Partial<Record<string, PhoneKind>> = { MOBILE: 'mobile', FIXED_LINE: 'landline', FIXED_LINE_OR_MOBILE: 'either' }

/**
 * The number of a phone as typed, in E.164, and what it is. Null: not a number that exists. The metadata are the largest of the package:
 * the smaller ones know neither landlines nor toll-free numbers. Patients are compared by `phone_e164` in the database, which has an index.
 */
export function readPhone(text: string): Phone | null {
  if (text.length > maxLength) return null
  const phone = parsePhone(text.replace(/^\s*00(?=[1-9])/, '+'), { defaultCountry, extract: false })
  return phone?.isValid() ? { number: phone.number, kind: kinds[phone.getType() ?? ''] ?? 'other' } : null
}
