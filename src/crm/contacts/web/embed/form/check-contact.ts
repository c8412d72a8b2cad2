import { consultProblems, noteOfConsult, resultsReceived } from '../../../consult-rules.ts'
import { contactFields } from '../../../contract.ts'
import { contactFieldNames, isClinical, isOfKind, timedDays } from '../../../fields.ts'
import { futureDays } from '../../../rules.ts'
import type { ContactData } from '../contact-data.ts'
import { digitsOf } from '../../../../../shared/digits.ts'
import { textToCents } from '../../../../../shared/money.ts'
import { changedFields, type ContactFields, type ContactFormValues, fieldsOf, valuesOf } from './form-values.ts'

export const formMessages = {
  amount: 'Enter an amount such as 8,200.00',
  detailName: 'Give each detail a name of its own',
  timeAlone: 'Enter a date',
  phone: 'Enter a phone number of at least 7 digits',
} as const

/** What is typed by hand is a number to call; what a form or a file brought stays as it came. */
const leastDigits = 7

interface Situation {
  /** The contact as it was when the form was filled; null for a new one. */
  base: ContactData | null
  timeZone: string
  /** Today at the practice, 'yyyy-MM-dd'. */
  today: string
  /** Whether the writer may see and change clinical notes. */
  clinical: boolean
}

/** What is to be sent. */
export interface ReadyContact {
  fields: Partial<ContactFields>
}

export type Checked = ReadyContact | { errors: Record<string, string> }

/**
 * What is to be sent of a form, or the first message per field. A new contact sends what is filled in, an existing one what was changed: what
 * the database already holds is not checked again, so that an odd address of an old import does not stop a new phone number.
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
  if (fields.phone && digitsOf(fields.phone).length < leastDigits) errors.phone ??= formMessages.phone
  Object.assign(errors, futureDays(fields, situation.today))
  Object.assign(errors, consultProblems(after, before), momentErrors(values), detailErrors(values))
  return Object.keys(errors).length > 0 ? { errors } : { fields }
}

/** Nothing is sent for what is left empty, except the names, whose absence has to be said. */
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

/** Spec 4: a consult that becomes required, and results that arrive, leave a dated line. */
function withConsultLines(after: ContactFields, before: ContactFields | null, today: string): ContactFields {
  if (!after.requiresSpecialistConsult) return after
  const noted = before?.requiresSpecialistConsult ? after : { ...after, ...noteOfConsult(after, today) }
  if (!after.specialistResultsReceived || before?.specialistResultsReceived) return noted
  return { ...noted, ...resultsReceived(noted, after.specialistResultsDate ?? today) }
}

/** A time without its day would be lost silently. */
function momentErrors(values: ContactFormValues): Record<string, string> {
  const lacking = timedDays.filter(({ name, time }) => values[name] === '' && values[time] !== '')
  return Object.fromEntries(lacking.map(({ name }) => [name, formMessages.timeAlone]))
}

function detailErrors({ metadata }: ContactFormValues): Record<string, string> {
  const names = metadata.filter(({ name, value }) => name.trim() || value.trim()).map(({ name }) => name.trim())
  return names.includes('') || new Set(names).size < names.length ? { metadata: formMessages.detailName } : {}
}
