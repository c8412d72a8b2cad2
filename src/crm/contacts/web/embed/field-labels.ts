import { type Clock, formatDateTime, formatDay, formatMoney, formatPhone, formatTimeOfDay } from '../../../../ui/format.ts'
import { choiceLabel, type ContactFieldName, isContactField, kindOf } from '../../derived-fields.ts'
import { byId, type Directory } from './directory.ts'

export const nothing = 'None'

/** Formats the stored text of a field for display. */
export function valueText(field: ContactFieldName, value: string): string {
  switch (kindOf(field)) {
    case 'day':
      return formatDay(value)
    case 'time':
      return formatTimeOfDay(value)
    case 'phone':
    case 'phones':
      return formatPhone(value)
    default:
      return choiceLabel(field, value)
  }
}

/** Formats a field's value for display. Fields are named as in the contact form. */
export function formatFieldValue(field: string, value: unknown, directory: Directory, clock: Clock): string {
  if (value === null || value === undefined || value === '') return nothing
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const textOf = (text: string) => (isContactField(field) ? valueText(field, text) : text)
  if (Array.isArray(value)) return value.map((one) => textOf(String(one))).join(', ') || nothing
  const kind = isContactField(field) ? kindOf(field) : null
  if (kind === 'amount' && typeof value === 'number') return formatMoney(value)
  if (typeof value !== 'string') return formatDetails(value)
  if (kind === 'moment') return formatDateTime(value, clock)
  const { stages, procedures, sources, people } = directory
  const named = byId([...stages, ...procedures, ...sources], value)?.name ?? byId(people, value)?.fullName
  return named ?? textOf(value)
}

function formatDetails(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, detail]) => `${name}: ${detailText(detail)}`)
  return entries.join(', ') || nothing
}

/** Formats a value of the details: text as is, anything else as JSON. */
export const detailText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
