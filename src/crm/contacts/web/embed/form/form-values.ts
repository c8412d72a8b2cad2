import type { z } from 'zod'
import type { contactFields } from '../../../contact-contract.ts'
import { columnsOf, type ContactFieldName, contactFieldNames, fieldOf, type FieldOfKind, isOfKind } from '../../../derived-fields.ts'
import { contactFieldDeclarations } from '../../../fields.ts'
import { type FormTime, timedDays } from '../../../form-fields.ts'
import { formatPhone, formatPostalCode } from '../../../../../ui/format.ts'
import type { ContactData } from '../contact-data.ts'
import { defaultTime } from '../follow-up-choices.ts'
import { toInstant, toLocal } from '../../../../../shared/zoned-time.ts'
import { noConsult } from '../../../consult-rules.ts'
import { centsToText, textToCents } from '../../../../../shared/money.ts'

/** The contract's fields as sent to the API: instants in ISO 8601, money in cents. */
export type ContactFields = z.input<typeof contactFields>

type Ticks = FieldOfKind<'tick'>
type Lists = FieldOfKind<'emails' | 'phones'>
type Details = FieldOfKind<'details'>
type Texts = Exclude<ContactFieldName, Ticks | Lists | Details>

/** One detail of `metadata`; `kept` is the stored value, used while its text is unchanged. */
export interface Detail {
  name: string
  value: string
  kept?: unknown
}

/**
 * The values of the form controls, named as in the contract so that its error messages map to fields. Typed values are text: money in
 * dollars, an instant as a calendar day at the practice with a separate time.
 */
export type ContactFormValues = Record<Texts | FormTime, string> &
  Record<Ticks, boolean> &
  Record<Lists, string[]> &
  Record<Details, Detail[]>

const emptyValue = (name: ContactFieldName) => (isOfKind(name, 'tick') ? false : isOfKind(name, 'emails', 'phones', 'details') ? [] : '')
const empty = Object.fromEntries([
  ...timedDays.map(({ time }) => [time, '']),
  ...contactFieldNames.map((name) => [name, emptyValue(name)]),
]) as ContactFormValues

/** The values of a new patient. The server sets the initial stage. */
export const blankValues: ContactFormValues = { ...empty, status: 'active' }

export function valuesOf(contact: ContactData, timeZone: string): ContactFormValues {
  const local = (instant: string | null) => (instant === null ? { day: '', time: '' } : toLocal(instant, timeZone))
  const valueOf = (name: ContactFieldName): unknown => {
    if (isOfKind(name, 'tick', 'emails')) return contact[name]
    if (isOfKind(name, 'phones')) return contact[name].map(formatPhone)
    if (isOfKind(name, 'moment')) return local(contact[name]).day
    if (isOfKind(name, 'amount')) return centsToText(contact[name])
    if (isOfKind(name, 'details'))
      return Object.entries(contact[name] ?? {}).map(([key, kept]) => ({ name: key, value: textOf(kept), kept }))
    if (isOfKind(name, 'stage', 'vocabulary'))
      return (
        columnsOf(name)
          .map((column) => contact[column])
          .find((value) => value !== null) ?? ''
      )
    const text = contact[name] ?? ''
    if (isOfKind(name, 'phone')) return formatPhone(text)
    const { control } = fieldOf(name)
    return control.kind === 'text' && control.isPostalCode ? formatPostalCode(text) : text
  }
  return Object.fromEntries([
    ...timedDays.flatMap(({ name, time }) => (isOfKind(name, 'moment') ? [[time, local(contact[name]).time]] : [])),
    ...contactFieldNames.map((name) => [name, valueOf(name)]),
  ]) as ContactFormValues
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The form values as API fields: trimmed, null if empty. */
export function fieldsOf(values: ContactFormValues, timeZone: string): ContactFields {
  const text = (value: string) => value.trim() || null
  const instant = (day: string, time: string) => (day === '' ? null : toInstant({ day, time: time || defaultTime }, timeZone))
  const sent = (name: ContactFieldName): unknown => {
    if (isOfKind(name, 'tick')) return values[name]
    if (isOfKind(name, 'emails', 'phones')) return listed(values[name])
    if (isOfKind(name, 'details')) return detailsOf(values[name])
    if (isOfKind(name, 'amount')) return textToCents(values[name]) ?? null
    if (isOfKind(name, 'moment')) return instant(values[name], values[contactFieldDeclarations[name].control.time])
    if (isOfKind(name, 'name', 'status', 'stage')) return values[name].trim()
    return text(values[name])
  }
  const fields = Object.fromEntries(contactFieldNames.map((name) => [name, sent(name)])) as ContactFields
  return {
    ...fields,
    ...(values.specialistResultsReceived ? {} : { specialistResultsDate: null }),
    ...(values.requiresSpecialistConsult ? {} : noConsult),
  }
}

/** The non-empty lines, trimmed. */
const listed = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '')

function detailsOf(details: readonly Detail[]): ContactFields['metadata'] {
  const named = details.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
  if (named.length === 0) return null
  const entries = named.map(({ name, value, kept }) => [name.trim(), kept !== undefined && textOf(kept) === value ? kept : value.trim()])
  return Object.fromEntries(entries) as ContactFields['metadata']
}

/** The changed fields. */
export function changedFields(before: ContactFields, after: ContactFields): Partial<ContactFields> {
  const keys = Object.keys(after) as (keyof ContactFields)[]
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<ContactFields>
}
