import { type FieldMap, type MappableField, maxFieldName } from '../../lead-sources/rules.ts'
import { type Fields, isObject, type LabelledText, readLabels, textsOf, withFullName } from './field-labels.ts'
import { type LeadField, leadFields, readLead } from '../rules.ts'
import { tools } from './tools.ts'

/**
 * Reads the fields of a lead from its body, in this order: fields mapped by staff, the names of spec 5, the shape of a known form tool,
 * names that differ from spec 5 only in case and spaces ('First Name'), and recognized labels.
 */
export function flatten(body: Fields, fieldMap: FieldMap = {}): Record<LeadField, string | null> {
  const { fields: wrapped } = unwrap(body)
  const readings = [
    readMapped(body, fieldMap),
    readLead(body),
    ...(wrapped ? [readLead(wrapped), readLead(alias(wrapped))] : []),
    readLead(alias(body)),
    // If the fields are wrapped, the rest of the body describes the form, and a name in it is not a person's.
    readLabels(textsOf(wrapped ?? expand(body))),
  ]
  const first = (field: LeadField) => readings.find((reading) => reading[field] !== null)?.[field] ?? null
  return Object.fromEntries(leadFields.map((field) => [field, first(field)])) as Record<LeadField, string | null>
}

/** The places where a body may contain fields, in order of precedence. */
export function fieldSets(body: Fields): Fields[] {
  const wrapped = unwrap(body).fields ?? {}
  return [body, wrapped, alias(wrapped), alias(body)]
}

/** Whether the tool that sent this body treats any status other than 200 as a failure. */
export const requires200 = (body: Fields): boolean => unwrap(body).tool?.requires200 === true

/** The received fields for display: first with the tool's names, then as received. At most 200, with 2,000 characters each. */
export function receivedFields(body: Fields): LabelledText[] {
  const { fields: wrapped } = unwrap(body)
  const texts = [...(wrapped ? textsOf(wrapped) : []), ...textsOf(expand(body))]
  const byName = new Map<string, string>()
  for (const text of texts) {
    const name = text.name.slice(0, maxFieldName).toWellFormed()
    if (!byName.has(name)) byName.set(name, text.value.slice(0, 2000).toWellFormed())
  }
  return [...byName].slice(0, 200).map(([name, value]) => ({ name, value }))
}

function readMapped(body: Fields, fieldMap: FieldMap): Record<LeadField, string | null> {
  const wanted = Object.entries(fieldMap) as [MappableField, string][]
  if (wanted.length === 0) return withFullName({})
  const received = new Map(receivedFields(body).map(({ name, value }) => [name, value]))
  return withFullName(Object.fromEntries(wanted.flatMap(([field, name]) => (received.has(name) ? [[field, received.get(name)]] : []))))
}

/** Finds the first tool whose shape the body has, and returns its fields. */
function unwrap(body: Fields): { tool: (typeof tools)[number] | null; fields: Fields | null } {
  const expanded = expand(body)
  for (const tool of tools) {
    const fields = tool.unwrap(expanded)
    if (fields) return { tool, fields }
  }
  return { tool: null, fields: null }
}

/** Normalizes names: 'First Name' becomes first_name, 'Email Address' becomes email_address. */
function alias(fields: Fields): Fields {
  const aliased = Object.entries(fields).map(([name, value]) => [
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
    value,
  ])
  return Object.fromEntries(aliased) as Fields
}

const maxBrackets = 5

/** Expands names with brackets, which forms use for nested fields: fields[email][value]=… and interest[]=… become objects and lists. */
function expand(body: Fields): Fields {
  const names = Object.keys(body)
  if (!names.some((name) => name.endsWith(']'))) return body
  const expanded: Fields = Object.create(null) as Fields
  for (const name of names) {
    const parts = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
    const keys = parts ? [...parts[2]!.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1]!) : []
    if (!parts || keys.length > maxBrackets) expanded[name] = body[name]
    else put(expanded, [parts[1]!, ...keys.filter((key) => key !== '')], body[name])
  }
  return expanded
}

function put(into: Fields, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    into[key] ??= value
    return
  }
  if (!isObject(into[key])) into[key] = Object.create(null) as Fields
  put(into[key] as Fields, rest, value)
}
