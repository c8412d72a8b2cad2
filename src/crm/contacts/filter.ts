import { isUuid } from '../../shared/text.ts'
import { type DeclaredFilter, fieldOf, filteredControl, type FilteredField, filteredFields, filterOf } from './derived-fields.ts'

/**
 * The filter syntax of the patient list, used in URLs, the API and saved views.
 *
 *     stage:<id>,<id>;tag!:<id>;follow-up:overdue     all of these
 *     stage:consult_booked;source:Website Form        a stage, source or procedure by its name or value, in any case
 *     any|owner:me;owner:none                         any of these
 *     city:Montréal,Barrie%2C ON                      a text in any case, with or without accents; a comma is escaped as %2C
 *
 * A condition is a field, ':' for "is one of" or '!:' for "is none of", and its values. See decision "contact-filters".
 */
export interface Filter {
  /** Whether a patient must meet all the conditions, or any. */
  mode: 'all' | 'any'
  conditions: readonly Condition[]
}

export interface Condition {
  field: FilterField
  /** Matches patients with none of the values, instead of any of them. */
  not: boolean
  values: readonly string[]
}

/** Limits that keep URLs short enough for email programs. */
export const maxConditions = 12
export const maxValues = 50
export const maxFilterLength = 4_000
const maxTextLength = 200

/** `also`: what values may be besides the named ones: an id, an id or a name, a source group, any text, or days. */
interface Field {
  label: string
  also: 'id' | 'reference' | 'group' | 'text' | 'days' | null
  /** How many characters a text may have. */
  maxLength?: number
  /** The labels of named values. */
  named: Readonly<Record<string, string>>
  /** Whether only one value can be chosen. */
  isSingle: boolean
}

const days = {
  today: 'Today',
  yesterday: 'Yesterday',
  tomorrow: 'Tomorrow',
  'this-week': 'This week',
  'last-week': 'Last week',
  'next-week': 'Next week',
  'this-month': 'This month',
  'last-month': 'Last month',
  'next-month': 'Next month',
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'last-90-days': 'Last 90 days',
  'next-7-days': 'Next 7 days',
  'next-30-days': 'Next 30 days',
} as const
/** A period relative to today. */
export type Period = keyof typeof days

/** The values that a field can be filtered by, for its kind. */
function valuesOf(name: FilteredField): Omit<Field, 'label'> {
  const control = filteredControl(name)
  const { offered, none = 'None' } = filterOf(name)
  switch (control.kind) {
    case 'stage':
      return { also: 'reference', named: {}, isSingle: false }
    case 'vocabulary':
      return { also: 'reference', named: { none }, isSingle: false }
    case 'staff':
      return { also: 'id', named: { me: 'Me', none: 'No one' }, isSingle: false }
    case 'day':
    case 'moment':
      return { also: 'days', named: { ...(offered?.includes('overdue') && { overdue: 'Overdue' }), ...days, none }, isSingle: true }
    case 'tick':
      return { also: null, named: { yes: control.yes ?? 'Yes', no: control.no ?? 'No' }, isSingle: true }
    case 'choice':
      return { also: null, named: { ...control.options, none }, isSingle: false }
    case 'text':
      return { also: 'text', maxLength: control.max, named: { none }, isSingle: false }
  }
}

export type FilterField = DeclaredFilter | 'source-group' | 'tag' | 'added'

const declared = filteredFields.map((name): [FilterField, Field] => {
  const { id, label = fieldOf(name).label } = filterOf(name)
  return [id, { label, ...valuesOf(name) }]
})
const fields = {
  ...(Object.fromEntries(declared) as Record<DeclaredFilter, Field>),
  'source-group': { label: 'Source', also: 'group', named: {}, isSingle: false },
  tag: { label: 'Tag', also: 'id', named: { none: 'No tag' }, isSingle: false },
  added: { label: 'Added', also: 'days', named: days, isSingle: true },
} as const satisfies Record<FilterField, Field>

/** The first fields in the menu; the others follow in the order of the form. */
const first = [
  'stage',
  'source-group',
  'source',
  'tag',
  'owner',
  'provider',
  'procedure',
  'follow-up',
  'last-contact',
  'added',
  'surgery',
] as const
const menu = new Set<FilterField>([...first, ...declared.map(([id]) => id)])
export const filterFields = Object.fromEntries([...menu].map((field) => [field, fields[field]])) as Record<FilterField, Field>

/** Whether a value is a name instead of an id. */
export const isNameOf = (field: FilterField, value: string): boolean =>
  filterFields[field].also === 'reference' && nameOfValue(field, value) === null && !isUuid(value)

/** The label of a named value such as 'overdue'; null for ids, texts and days. */
export const nameOfValue = (field: FilterField, value: string): string | null =>
  Object.hasOwn(filterFields[field].named, value) ? (filterFields[field].named[value] ?? null) : null

/** A range of days, both ends included; null is an open end. */
export interface Days {
  from: string | null
  to: string | null
}

/** Reads '2026-11-01..2026-11-30', '2026-11-01..' or '..2026-11-30'; null for anything else. */
export function readDays(value: string): Days | null {
  const parts = /^(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?$/.exec(value)
  if (!parts) return null
  const [from, to] = [parts[1] ?? null, parts[2] ?? null]
  const isValid = [from, to].every((day) => day === null || isDay(day)) && (from ?? to) !== null
  return isValid && (from === null || to === null || from <= to) ? { from, to } : null
}

export const writeDays = ({ from, to }: Days): string => `${from ?? ''}..${to ?? ''}`

/** Whether the day exists and is between 1900 and 2200. */
function isDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '1900' && day < '2201'
}

function isValue(field: FilterField, value: string): boolean {
  if (nameOfValue(field, value) !== null) return true
  const { also, maxLength = maxTextLength } = filterFields[field]
  switch (also) {
    case 'id':
      return isUuid(value)
    case 'reference':
    case 'group':
      return value !== '' && isText(value, maxLength)
    case 'text':
      return value.trim() !== '' && isText(value, maxLength)
    case 'days':
      return readDays(value) !== null
    case null:
      return false
  }
}

const isText = (value: string, maxLength: number) => value.length <= maxLength && value.isWellFormed() && !value.includes('\0')

const anyPrefix = 'any|'

/** The filter as text; null when it has no conditions. */
export function writeFilter({ mode, conditions }: Filter): string | null {
  if (conditions.length === 0) return null
  return (mode === 'any' ? anyPrefix : '') + conditions.map(writeCondition).join(';')
}

const writeCondition = ({ field, not, values }: Condition) => `${field}${not ? '!' : ''}:${values.map(escaped).join(',')}`

/** Percent-encodes characters with a meaning in the syntax. */
const escaped = (value: string) =>
  value.replace(/[%,;:!|]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Parses a filter strictly, for the API: null when any part is invalid. */
export function parseFilter(text: string): Filter | null {
  if (text === '') return { mode: 'all', conditions: [] }
  if (text.length > maxFilterLength) return null
  const { mode, pieces } = split(text)
  const conditions = pieces.map(parseCondition)
  const isValid = conditions.length <= maxConditions && conditions.every((condition) => condition !== null)
  return isValid ? { mode, conditions } : null
}

/** Parses a filter leniently, from a URL: ignores invalid parts. */
export function readFilter(text: string): Filter {
  const { mode, pieces } = split(text.slice(0, maxFilterLength))
  const conditions = pieces.map(readCondition).filter((condition) => condition !== null)
  return { mode, conditions: conditions.slice(0, maxConditions) }
}

function split(text: string): { mode: Filter['mode']; pieces: string[] } {
  const isAny = text.startsWith(anyPrefix)
  return { mode: isAny ? 'any' : 'all', pieces: (isAny ? text.slice(anyPrefix.length) : text).split(';') }
}

/** Field, relation and values of a condition; an invalid value is null. */
function partsOf(text: string) {
  const parts = /^([a-z-]+)(!?):(.*)$/su.exec(text)
  const field = parts?.[1]
  if (!parts || field === undefined || !isField(field)) return null
  const values = (parts[3] ?? '').split(',').map((written) => {
    const value = unescaped(written)
    const plain = value !== null && isUuid(value) ? value.toLowerCase() : value
    return plain !== null && isValue(field, plain) ? plain : null
  })
  return { field, not: parts[2] === '!', values }
}

const isField = (text: string): text is FilterField => Object.hasOwn(filterFields, text)

function parseCondition(text: string): Condition | null {
  const parts = partsOf(text)
  const { values = [] } = parts ?? {}
  const isValid = values.length > 0 && values.length <= maxValues && values.every((value) => value !== null)
  return parts && isValid ? { ...parts, values: [...new Set(values)] } : null
}

function readCondition(text: string): Condition | null {
  const parts = partsOf(text)
  if (!parts) return null
  const values = new Set(parts.values.filter((value) => value !== null))
  return values.size > 0 ? { ...parts, values: [...values].slice(0, maxValues) } : null
}
