import { type Clock, formatDateTime, formatDay, formatMoney, formatPhone, formatTimeOfDay } from '../../../../ui/format.ts'
import { byId, type Directory } from './directory.ts'

const days: readonly string[] = ['surgicalDate', 'appointmentDate', 'specialistResultsDate']

export const nothing = 'None'

/** A field's value as the screens show it. Fields are named as in the contact form. */
export function inWords(field: string, value: unknown, directory: Directory, clock: Clock): string {
  if (value === null || value === undefined || value === '') return nothing
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field === 'revenueCents' && typeof value === 'number') return formatMoney(value)
  if (Array.isArray(value))
    return value.map((one) => (field === 'otherPhones' ? formatPhone(String(one)) : String(one))).join(', ') || nothing
  if (typeof value !== 'string') return detailsInWords(value)
  if (field === 'lastContactDate' || field === 'nextFollowUpDate') return formatDateTime(value, clock)
  if (field === 'phone') return formatPhone(value)
  if (field === 'appointmentTime') return formatTimeOfDay(value)
  if (days.includes(field)) return formatDay(value)
  const { stages, procedures, sources, people } = directory
  const named = byId([...stages, ...procedures, ...sources], value)?.name ?? byId(people, value)?.fullName
  return named ?? value
}

function detailsInWords(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, detail]) => `${name}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`)
  return entries.join(', ') || nothing
}
