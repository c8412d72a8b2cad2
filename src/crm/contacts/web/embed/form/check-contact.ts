import { consultProblems, noteOfConsult, resultsReceived } from '../../../consult-rules.ts'
import { contactFields } from '../../../contact-contract.ts'
import { contactFieldNames, isClinical, isOfKind } from '../../../derived-fields.ts'
import { timedDays } from '../../../form-fields.ts'
import { futureDays } from '../../../rules.ts'
import type { ContactData } from '../contact-data.ts'
import { digitsOf } from '../../../../../shared/digits.ts'
import { textToCents } from '../../../../../shared/money.ts'
import { changedFields, type ContactFields, type ContactFormValues, fieldsOf, valuesOf } from './form-values.ts'

export const formMessages = {
  amount: 'Enter an amount such as 8,200.00',
  detailName: 'Give each detail a unique name',
  timeAlone: 'Enter a date',
  phone: 'Enter a phone number of at least 7 digits',
} as const

/** The minimum number of digits of a typed phone; imported ones are kept as they are. */
const minDigits = 7

interface Situation {
  /** The contact as it was when the form was filled; null for a new one. */
  base: ContactData | null
  timeZone: string
  /** Today at the practice, 'yyyy-MM-dd'. */
  today: string
  /** Whether the user may see and change clinical notes. */
  clinical: boolean
}

/** The fields to send. */
export interface ReadyContact {
  fields: Partial<ContactFields>
}

export type Checked = ReadyContact | { errors: Record<string, string> }

/**
 * Validates a form: returns the fields to send, or the first error per field. A new contact sends filled fields, an existing one changed
 * fields. Stored values are not validated again, so that an invalid email of an old import does not block a new phone number.
 */
export function checkContact(values: ContactFormValues, situation: Situation): Checked {
  const { base, timeZone } = situation
  const before = base ? fieldsOf(valuesOf(base, timeZone), timeZone) : null
  const after = withConsultLines(fieldsOf(values, timeZone), before, situation.today)
  const wanted = before ? changedFields(before, after) : filledIn(after)
  const fields = situation.clinical ? wanted : withoutClinical(wanted)

  const parsed = contactFields.partial().safeParse(fields)
  const errors: Record<string, string> = {}
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message
  for (const name of contactFieldNames)
    if (isOfKind(name, 'amount') && textToCents(values[name]) === undefined) errors[name] = formMessages.amount
  for (const name of contactFieldNames)
    if (isOfKind(name, 'phone') && fields[name] && digitsOf(fields[name]).length < minDigits) errors[name] ??= formMessages.phone
  Object.assign(errors, futureDays(fields, situation.today))
  Object.assign(errors, consultProblems(after, before), momentErrors(values), detailErrors(values))
  return Object.keys(errors).length > 0 ? { errors } : { fields }
}

/** Leaves out empty fields, except the names, so that the server reports them as missing. */
function filledIn(fields: ContactFields): Partial<ContactFields> {
  const kept = Object.entries(fields).filter(
    ([key, value]) =>
      key === 'firstName' ||
      key === 'lastName' ||
      (value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)),
  )
  return Object.fromEntries(kept) as Partial<ContactFields>
}

const withoutClinical = (fields: Partial<ContactFields>) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !isClinical(key))) as Partial<ContactFields>

/** Adds the dated lines of a consult that becomes required or receives results (spec 4). */
function withConsultLines(after: ContactFields, before: ContactFields | null, today: string): ContactFields {
  if (!after.requiresSpecialistConsult) return after
  const noted = before?.requiresSpecialistConsult ? after : { ...after, ...noteOfConsult(after, today) }
  if (!after.specialistResultsReceived || before?.specialistResultsReceived) return noted
  return { ...noted, ...resultsReceived(noted, after.specialistResultsDate ?? today) }
}

/** Errors for a time without its day, which would be lost silently. */
function momentErrors(values: ContactFormValues): Record<string, string> {
  const missing = timedDays.filter(({ name, time }) => values[name] === '' && values[time] !== '')
  return Object.fromEntries(missing.map(({ name }) => [name, formMessages.timeAlone]))
}

function detailErrors({ metadata }: ContactFormValues): Record<string, string> {
  const names = metadata.filter(({ name, value }) => name.trim() || value.trim()).map(({ name }) => name.trim())
  return names.includes('') || new Set(names).size < names.length ? { metadata: formMessages.detailName } : {}
}
