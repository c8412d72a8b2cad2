import { hasWebAddress, inOneLine } from '../../shared/text.ts'

/** The input names of each lead field, in order of precedence (spec 5). */
const names = {
  firstName: ['firstName', 'first_name', 'fname', 'given_name'],
  lastName: ['lastName', 'last_name', 'lname', 'surname', 'family_name'],
  email: ['email', 'email_address'],
  phone: ['phone', 'phone_number', 'mobile', 'telephone'],
  procedure: ['procedure', 'treatment', 'service', 'interest'],
  source: ['source', 'lead_source', 'utm_source'],
  // Not 'referrer', which in most forms is the page that the visitor came from.
  referredBy: ['referredBy', 'referred_by', 'referrer_name', 'referral_name'],
} as const

export type LeadField = keyof typeof names
export const leadFields = Object.keys(names) as LeadField[]
const inputNames: ReadonlySet<string> = new Set(Object.values(names).flat())

/** Whether spec 5 lists this input name. */
export const isLeadName = (name: string): boolean => inputNames.has(name)

export type Lead = {
  firstName: string
  lastName: string
  email: string
  phone: string | null
  procedure: string | null
  source: string | null
  /** Who referred them, as typed. */
  referredBy: string | null
}

/** Reads each field from the first of its input names with a non-empty string, trimmed (spec 5). */
export function readLead(fields: Readonly<Record<string, unknown>>): Record<LeadField, string | null> {
  const first = (candidates: readonly string[]) => {
    for (const name of candidates) {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (typeof value === 'string' && value.trim() !== '') return value.trim()
    }
    return null
  }
  return Object.fromEntries(Object.entries(names).map(([field, candidates]) => [field, first(candidates)])) as Record<
    LeadField,
    string | null
  >
}

/** Reads a lead. Null: the first name, last name or email is missing (spec 5: 'Missing required fields'). */
export function normaliseLead(fields: Readonly<Record<string, unknown>>): Lead | null {
  const { email, ...others } = readLead(fields)
  const [firstName, lastName] = [others.firstName, others.lastName].map((name) => inOneLine(name ?? ''))
  return firstName && lastName && email ? { ...others, firstName, lastName, email } : null
}

const advertisingPattern = /[$€£]\s*\d|@|\d(?:[\s().-]*\d){9}|\{\{/

/** Whether a message may greet someone by this name. Spammers put advertising into names to have it sent to others. */
export const isGreetable = (name: string): boolean => name.length <= 60 && !hasWebAddress(name) && !advertisingPattern.test(name)
