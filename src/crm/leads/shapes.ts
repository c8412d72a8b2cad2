import { type FieldMap, type MappableField, maxFieldName } from '../lead-sources/rules.ts'
import { type Fields, isObject, type LabelledText, readLabels, textsOf, withFullName } from './labels.ts'
import { type LeadField, leadFields, readLead } from './rules.ts'
import { tools } from './tools.ts'

/**
 * The fields of a lead, wherever its body has them: where staff said that this source has them, then under spec 5's own names, then in the
 * shape of a known form tool, then under names that differ from spec 5's in case and spaces only ('First Name'), then under any label that says
 * what it is.
 */
export function flatten(body: Fields, fieldMap: FieldMap = {}): Record<LeadField, string | null> {
  const { fields: wrapped } = unwrap(body)
  const readings = [
    readMapped(body, fieldMap),
    readLead(body),
    ...(wrapped ? [readLead(wrapped), readLead(alias(wrapped))] : []),
    readLead(alias(body)),
    // Of a body that wraps its fields, the rest is about the form: its name is no one's.
    readLabels(textsOf(wrapped ?? expand(body))),
  ]
  const first = (field: LeadField) => readings.find((reading) => reading[field] !== null)?.[field] ?? null
  return Object.fromEntries(leadFields.map((field) => [field, first(field)])) as Record<LeadField, string | null>
}

/** Where a body may have its fields, in the order in which they count. */
export function fieldSets(body: Fields): Fields[] {
  const wrapped = unwrap(body).fields ?? {}
  return [body, wrapped, alias(wrapped), alias(body)]
}

/** Whether the tool that sent this body takes any other answer than 200 for a failure. */
export const wants200 = (body: Fields): boolean => unwrap(body).tool?.wants200 === true

/** What a form sent, field by field, for people to read: first as its tool names them, then as they came. At most 200, 2,000 characters each. */
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

/** The fields inside the shape of the first tool that the body fits. */
function unwrap(body: Fields): { tool: (typeof tools)[number] | null; fields: Fields | null } {
  const expanded = expand(body)
  for (const tool of tools) {
    const fields = tool.unwrap(expanded)
    if (fields) return { tool, fields }
  }
  return { tool: null, fields: null }
}

/** 'First Name' is also read as first_name, 'Email Address' as email_address. */
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

/** Forms write nested fields with brackets: fields[email][value]=… and interest[]=… become objects and lists. */
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
