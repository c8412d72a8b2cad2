import type { Client } from '../../../ui/client/api.ts'
import { type Clock, formatDateTime, formatDay, formatMoney } from '../../../ui/format.ts'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { formatFieldValue, nothing } from '../../../crm/contacts/web/embed/field-labels.ts'
import { fieldLabels } from '../../../crm/contacts/derived-fields.ts'
import { roleNames } from '../../../kernel/access/rules.ts'
import type { AuditAction } from '../../../kernel/audit/rules.ts'

export type EntryRowData = Awaited<ReturnType<Client['audit']['list']>>['data'][number]
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

export const actorLabels: Record<EntryRowData['byRole'], string> = {
  ...roleNames,
  system: 'System',
  visitor: 'Link or form',
  patient: 'Patient',
  api_key: 'API client',
}

/** The name of the actor, or a label for an actor without a name. */
export function formatActor({ by, byName, byRole }: Pick<EntryRowData, 'by' | 'byName' | 'byRole'>): string {
  if (byName !== null) return byName
  return by === null || byRole === 'api_key' ? actorLabels[byRole] : 'Deleted account'
}

/** 'Changed · Patient', or just 'Signed in'. */
export const formatTitle = ({ action, about }: Pick<EntryRowData, 'action' | 'about'>): string =>
  action === 'signed-in' || action === 'signed-out' ? actionLabels[action] : `${actionLabels[action]} · ${about}`

/** 'Ana Silva, Bo Li and 48 more' */
export function formatPatients({ patients, patientCount }: Pick<EntryRowData, 'patients' | 'patientCount'>): string {
  const names = patients.map(({ name }) => name ?? 'deleted patient')
  const more = patientCount - names.length
  if (more > 0) return `${names.join(', ')} and ${more} more`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}

export interface FieldChange {
  label: string
  /** Null if this side does not have the field. */
  before: string | null
  after: string | null
}

/** The values before and after, field by field, formatted for display. */
export function formatChanges(
  { kind, before, after }: Pick<EntryData, 'kind' | 'before' | 'after'>,
  directory: Directory,
  clock: Clock,
): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((field) => !hiddenFields.has(field))
  const format = (side: Record<string, unknown>, field: string) =>
    field in side ? formatValue(kind, field, side[field], directory, clock) : null
  return fields
    .map((field) => ({ label: getLabel(kind, field), before: format(was, field), after: format(is, field) }))
    .filter(({ before, after }) => (before ?? nothing) !== nothing || (after ?? nothing) !== nothing)
}

/** Columns that are not shown. */
const hiddenFields = new Set(['version', 'updatedAt', 'updated_at', 'searchText', 'sortName'])

const fieldsOf = (side: unknown): Record<string, unknown> => {
  if (side === null || side === undefined) return {}
  return typeof side === 'object' && !Array.isArray(side) ? { ...side } : { '': side }
}

function getLabel(kind: string, field: string): string {
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
  // Format patient fields as the patient screens do.
  const isPatientField = kind === 'contact' && field in fieldLabels
  if (!isPatientField && typeof value === 'string') {
    if (instantText.test(value) && !Number.isNaN(Date.parse(value))) return formatDateTime(value, clock)
    if (dayText.test(value)) return formatDay(value)
  }
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ') || nothing
  return formatFieldValue(isPatientField ? field : '', value, directory, clock)
}
