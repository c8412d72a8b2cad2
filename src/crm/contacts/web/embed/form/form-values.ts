import type { z } from 'zod'
import type { contactFields } from '../../../contract.ts'
import { type ContactFieldName, contactFieldNames, type FieldOfKind, isOfKind } from '../../../fields.ts'
import { formatPhone, formatPostalCode } from '../../../../../ui/format.ts'
import type { ContactData } from '../contact-data.ts'
import { toInstant, toLocal } from '../../../../../shared/zoned-time.ts'
import { noConsult } from '../../../consult-rules.ts'
import { centsToText, textToCents } from '../../../../../shared/money.ts'

/** The contract's fields as they are sent: instants as ISO 8601, money in cents. */
export type ContactFields = z.input<typeof contactFields>

type Ticks = FieldOfKind<'tick'>
type Lists = FieldOfKind<'emails' | 'phones'>
type Details = FieldOfKind<'details'>
type Texts = Exclude<ContactFieldName, Ticks | Lists | Details>

/** One detail of `metadata`; `kept` is the value as stored, for as long as its text is not touched. */
export interface Detail {
  name: string
  value: string
  kept?: unknown
}

/**
 * What the form's controls hold, by the contract's names, so that a refusal's messages find their field. Everything typed is text: money in
 * dollars, an instant as the practice's calendar day with its time beside it.
 */
export type ContactFormValues = Record<Texts | 'lastContactTime' | 'nextFollowUpTime', string> &
  Record<Ticks, boolean> &
  Record<Lists, string[]> &
  Record<Details, Detail[]>

/** A time that was left out: when the clinic's day begins. */
const defaultTime = '09:00'

const emptyValue = (name: ContactFieldName) => (isOfKind(name, 'tick') ? false : isOfKind(name, 'emails', 'phones', 'details') ? [] : '')
const empty = {
  ...Object.fromEntries(contactFieldNames.map((name) => [name, emptyValue(name)])),
  lastContactTime: '',
  nextFollowUpTime: '',
} as ContactFormValues

/** A patient who is still to be added. The stage is left to the server, which knows where patients begin. */
export const blankValues: ContactFormValues = { ...empty, status: 'active' }

export function valuesOf(contact: ContactData, timeZone: string): ContactFormValues {
  const local = (instant: string | null) => (instant === null ? { day: '', time: '' } : toLocal(instant, timeZone))
  const [last, next] = [local(contact.lastContactDate), local(contact.nextFollowUpDate)]
  const stored = Object.fromEntries(
    Object.keys(empty).flatMap((key) => (key in contact ? [[key, contact[key as keyof ContactData] ?? '']] : [])),
  ) as Partial<ContactFormValues>
  return {
    ...empty,
    ...stored,
    phone: formatPhone(contact.phone ?? ''),
    otherPhones: contact.otherPhones.map(formatPhone),
    zipCode: formatPostalCode(contact.zipCode ?? ''),
    leadSource: contact.leadSourceId ?? contact.leadSourceText ?? '',
    funnelStage: contact.funnelStageId,
    procedureOfInterest: contact.procedureId ?? contact.procedureText ?? '',
    lastContactDate: last.day,
    lastContactTime: last.time,
    nextFollowUpDate: next.day,
    nextFollowUpTime: next.time,
    revenueCents: centsToText(contact.revenueCents),
    metadata: Object.entries(contact.metadata ?? {}).map(([name, kept]) => ({ name, value: textOf(kept), kept })),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the form says, in the contract's terms: trimmed, null where nothing is. */
export function fieldsOf(values: ContactFormValues, timeZone: string): ContactFields {
  const {
    lastContactTime,
    nextFollowUpTime,
    consentToCommunicate,
    specialistResultsReceived,
    otherEmails,
    otherPhones,
    metadata,
    ...typed
  } = values
  const text = (value: string) => value.trim() || null
  const instant = (day: string, time: string) => (day === '' ? null : toInstant({ day, time: time || defaultTime }, timeZone))
  const { requiresSpecialistConsult, firstName, lastName, status, funnelStage, ...texts } = typed
  const optional = Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, text(value)])) as Record<
    keyof typeof texts,
    string | null
  >
  return {
    ...optional,
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    status: status.trim(),
    funnelStage: funnelStage.trim(),
    otherEmails: listed(otherEmails),
    otherPhones: listed(otherPhones),
    consentToCommunicate,
    lastContactDate: instant(values.lastContactDate, lastContactTime),
    nextFollowUpDate: instant(values.nextFollowUpDate, nextFollowUpTime),
    revenueCents: textToCents(values.revenueCents) ?? null,
    metadata: detailsOf(metadata),
    specialistResultsDate: specialistResultsReceived ? text(values.specialistResultsDate) : null,
    specialistResultsReceived,
    requiresSpecialistConsult,
    ...(requiresSpecialistConsult ? {} : noConsult),
  }
}

/** A line that was left empty is none. */
const listed = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== '')

function detailsOf(details: readonly Detail[]): ContactFields['metadata'] {
  const named = details.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
  if (named.length === 0) return null
  const entries = named.map(({ name, value, kept }) => [name.trim(), kept !== undefined && textOf(kept) === value ? kept : value.trim()])
  return Object.fromEntries(entries) as ContactFields['metadata']
}

/** The fields that differ from what they were. */
export function changedFields(before: ContactFields, after: ContactFields): Partial<ContactFields> {
  const keys = Object.keys(after) as (keyof ContactFields)[]
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  return Object.fromEntries(changed.map((key) => [key, after[key]])) as Partial<ContactFields>
}
