import type { Client } from '../../../ui/client/api.ts'
import { type Clock, formatDateTime, formatDay, formatMoney } from '../../../ui/format.ts'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { formatFieldValue, nothing } from '../../../crm/contacts/web/embed/field-labels.ts'
import { fieldLabels } from '../../../crm/contacts/fields.ts'
import { roleNames } from '../../../kernel/access/rules.ts'
import type { AuditAction } from '../../../kernel/audit/rules.ts'

export type LineData = Awaited<ReturnType<Client['audit']['list']>>['data'][number]
export type EntryData = Awaited<ReturnType<Client['audit']['get']>>

export const actionLabels: Record<AuditAction, string> = {
  viewed: 'Viewed',
  created: 'Added',
  changed: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
  merged: 'Merged',
  unmerged: 'Undid merge',
  exported: 'Exported',
  printed: 'Printed',
  denied: 'Refused',
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
}

export const actorLabels: Record<LineData['byRole'], string> = {
  ...roleNames,
  system: 'The system',
  visitor: 'A link or a form',
  patient: 'The patient',
  api_key: 'API client',
}

/** Whoever it was: a name, or what stands in its place where no one of the staff has done it. */
export function whoIn({ by, byName, byRole }: Pick<LineData, 'by' | 'byName' | 'byRole'>): string {
  if (byName !== null) return byName
  return by === null || byRole === 'api_key' ? actorLabels[byRole] : 'An account that is gone'
}

/** 'Changed · Patient'; 'Signed in' says it all. */
export const titleIn = ({ action, about }: Pick<LineData, 'action' | 'about'>): string =>
  action === 'signed-in' || action === 'signed-out' ? actionLabels[action] : `${actionLabels[action]} · ${about}`

/** 'Ana Silva, Bo Li and 48 more' */
export function patientsIn({ patients, patientCount }: Pick<LineData, 'patients' | 'patientCount'>): string {
  const names = patients.map(({ name }) => name ?? 'a deleted patient')
  const more = patientCount - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}

export interface FieldChange {
  label: string
  /** Null: this side says nothing of the field. */
  before: string | null
  after: string | null
}

/** Both sides of a change, field by field, in words. */
export function changesIn(
  { kind, before, after }: Pick<EntryData, 'kind' | 'before' | 'after'>,
  directory: Directory,
  clock: Clock,
): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const told = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => !internal.has(field))
  const say = (side: Record<string, unknown>, field: string) =>
    field in side ? formatValue(kind, field, side[field], directory, clock) : null
  return told
    .map((field) => ({ label: labelOf(kind, field), before: say(was, field), after: say(is, field) }))
    .filter(({ before, after }) => (before ?? nothing) !== nothing || (after ?? nothing) !== nothing)
}

/** What the database keeps for itself. */
const internal = new Set(['version', 'updatedAt', 'updated_at', 'searchText', 'sortName'])

const fieldsOf = (side: unknown): Record<string, unknown> => {
  if (side === null || side === undefined) return {}
  return typeof side === 'object' && !Array.isArray(side) ? { ...side } : { '': side }
}

function labelOf(kind: string, field: string): string {
  if (kind === 'contact' && fieldLabels[field]) return fieldLabels[field]
  if (field === '') return 'Value'
  const words = field
    .replace(/(?:_id|Ids?|Cents|_cents)$/, '')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const instantText = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
const dayText = /^\d{4}-\d\d-\d\d$/

function formatValue(kind: string, field: string, value: unknown, directory: Directory, clock: Clock): string {
  if (typeof value === 'number' && /cents$/i.test(field)) return formatMoney(value)
  // Fields that the patient's own screens name say it their way.
  const isOfPatient = kind === 'contact' && field in fieldLabels
  if (!isOfPatient && typeof value === 'string') {
    if (instantText.test(value) && !Number.isNaN(Date.parse(value))) return formatDateTime(value, clock)
    if (dayText.test(value)) return formatDay(value)
  }
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one))).join(', ') || nothing
  return formatFieldValue(isOfPatient ? field : '', value, directory, clock)
}
