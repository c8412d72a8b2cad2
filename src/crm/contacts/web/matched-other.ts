import { formatPhone } from '../../../ui/format.ts'
import { digitsOf } from '../../../shared/digits.ts'
import { readTerm } from '../rules.ts'
import type { ContactRow } from './embed/contact-data.ts'

type Addresses = Pick<ContactRow, 'email' | 'otherEmails' | 'phone' | 'otherPhones'>

/** The other email or phone that matches the search, formatted; null if the primary one matches or nothing does. */
export function matchedOther({ email, otherEmails, phone, otherPhones }: Addresses, search: string): string | null {
  const term = readTerm(search)
  if (!term || (otherEmails.length === 0 && otherPhones.length === 0)) return null
  const { phrase, digits } = term
  const has = (value: string | null) =>
    value !== null && (value.toLowerCase().includes(phrase.toLowerCase()) || (digits !== null && digitsOf(value).includes(digits)))
  if (has(email) || has(phone)) return null
  const number = otherPhones.find(has)
  return otherEmails.find(has) ?? (number === undefined ? null : formatPhone(number))
}
