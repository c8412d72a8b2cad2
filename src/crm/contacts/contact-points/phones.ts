import parsePhone, { type CountryCode } from 'libphonenumber-js/max'

/**
 * `either`: in North America mobile phones and landlines share their numbers, so that only the carrier knows. `other`: toll-free, premium
 * and similar numbers, which receive no texts.
 */
export type PhoneKind = 'mobile' | 'landline' | 'either' | 'other'
/** `country`: ISO 3166-1 alpha-2. Null: a number of no country, such as a satellite phone’s. */
export type Phone = { number: string; kind: PhoneKind; country: CountryCode | null }

/** Numbers without a country are Canadian: Canada and the United States have one plan. */
const defaultCountry: CountryCode = 'CA'
/** Longer texts hold no number. */
const maxLength = 50

const kinds: Partial<Record<string, PhoneKind>> = { MOBILE: 'mobile', FIXED_LINE: 'landline', FIXED_LINE_OR_MOBILE: 'either' }

/**
 * The number of a phone as typed, in E.164, what it is, and its country. Null: not a number that exists. The metadata are the largest of the package:
 * the smaller ones know neither landlines nor toll-free numbers. Patients are compared by `phone_e164` in the database, which has an index.
 */
export function readPhone(text: string): Phone | null {
  if (text.length > maxLength) return null
  const phone = parsePhone(text.replace(/^\s*00(?=[1-9])/, '+'), { defaultCountry, extract: false })
  if (!phone?.isValid()) return null
  return { number: phone.number, kind: kinds[phone.getType() ?? ''] ?? 'other', country: phone.country ?? null }
}
