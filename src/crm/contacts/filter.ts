import { isUuid } from '../../shared/text.ts'
import { type DeclaredFilter, fieldOf, filteredControl, type FilteredField, filteredFields, filterOf } from './fields.ts'

/**
 * The filter of the patient list, as a language of its own: the same text stands in the address, in the API and in a saved view.
 *
 *     stage:<id>,<id>;tag!:<id>;follow-up:overdue     all of these
 *     stage:consult_booked;source:Website Form        a stage, source or procedure by its name or value, in any case
 *     any|owner:me;owner:none                         any of these
 *     city:Montréal,Barrie%2C ON                      a text in any case, with or without accents; its comma is written as %2C
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
  /** Anyone who has none of the values, rather than one of them. */
  not: boolean
  values: readonly string[]
}

/** Beyond these, an address would become longer than mail programs carry it. */
export const maxConditions = 12
export const maxValues = 50
export const maxFilterLength = 4_000
const maxTextLength = 200

/** Beside their names, what a field's values may be: an id, an id or what it is called, a group of sources, any text, or days. */
interface Field {
  label: string
  also: 'id' | 'reference' | 'group' | 'text' | 'days' | null
  /** How many characters a text may have. */
  maxLength?: number
  /** The values that have a name, as they are read. */
  named: Readonly<Record<string, string>>
  /** A patient has one of few values, so that one is chosen; of the others, several may be. */
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
/** A stretch of days that moves on with the calendar. */
export type Period = keyof typeof days

/** What the filter of a field may be asked for, by the field's kind. */
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

/** The first in the menu; the others follow in the order of the form. */
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

/** Whether a value is what something is called, in place of its id. */
export const isNameOf = (field: FilterField, value: string): boolean =>
  filterFields[field].also === 'reference' && nameOfValue(field, value) === null && !isUuid(value)

/** What a value with a name is called ('overdue'); null for ids, texts and days. */
export const nameOfValue = (field: FilterField, value: string): string | null =>
  Object.hasOwn(filterFields[field].named, value) ? (filterFields[field].named[value] ?? null) : null

/** Days from the first to the last, both included; an end that is left out is open. */
export interface Days {
  from: string | null
  to: string | null
}

/** Reads '2026-11-01..2026-11-30', '2026-11-01..' or '..2026-11-30'; null for anything else. */
export function readDays(value: string): Days | null {
  const parts = /^(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?$/.exec(value)
  if (!parts) return null
  const [from, to] = [parts[1] ?? null, parts[2] ?? null]
  const stands = [from, to].every((day) => day === null || isDay(day)) && (from ?? to) !== null
  return stands && (from === null || to === null || from <= to) ? { from, to } : null
}

export const writeDays = ({ from, to }: Days): string => `${from ?? ''}..${to ?? ''}`

/** Whether there is such a day, between 1900 and 2200. */
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

/** The filter as text; null when it has no condition. */
export function writeFilter({ mode, conditions }: Filter): string | null {
  if (conditions.length === 0) return null
  return (mode === 'any' ? anyPrefix : '') + conditions.map(writeCondition).join(';')
}

const writeCondition = ({ field, not, values }: Condition) => `${field}${not ? '!' : ''}:${values.map(escaped).join(',')}`

/** What has a meaning in the language stands in a value as its number. */
const escaped = (value: string) =>
  value.replace(/[%,;:!|]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Reads a filter that a program has sent: null when any part of it makes no sense. */
export function parseFilter(text: string): Filter | null {
  if (text === '') return { mode: 'all', conditions: [] }
  if (text.length > maxFilterLength) return null
  const { mode, pieces } = split(text)
  const conditions = pieces.map(parseCondition)
  const isWhole = conditions.length <= maxConditions && conditions.every((condition) => condition !== null)
  return isWhole ? { mode, conditions } : null
}

/** Reads a filter out of an address that anyone may have typed: what makes no sense in it is as if it were not there. */
export function readFilter(text: string): Filter {
  const { mode, pieces } = split(text.slice(0, maxFilterLength))
  const conditions = pieces.map(readCondition).filter((condition) => condition !== null)
  return { mode, conditions: conditions.slice(0, maxConditions) }
}

function split(text: string): { mode: Filter['mode']; pieces: string[] } {
  const isAny = text.startsWith(anyPrefix)
  return { mode: isAny ? 'any' : 'all', pieces: (isAny ? text.slice(anyPrefix.length) : text).split(';') }
}

/** Field, relation and values of a condition, each value null that the field does not have. */
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
  const isWhole = values.length > 0 && values.length <= maxValues && values.every((value) => value !== null)
  return parts && isWhole ? { ...parts, values: [...new Set(values)] } : null
}

function readCondition(text: string): Condition | null {
  const parts = partsOf(text)
  if (!parts) return null
  const values = new Set(parts.values.filter((value) => value !== null))
  return values.size > 0 ? { ...parts, values: [...values].slice(0, maxValues) } : null
}
