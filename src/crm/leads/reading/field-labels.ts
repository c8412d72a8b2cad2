import { readEmails } from '../emails.ts'
import { splitFullName } from '../name-rules.ts'
import type { LeadField } from '../rules.ts'

export type Fields = Record<string, unknown>
/** A form field: its name or label, and its value as text. */
export type LabelledText = { name: string; value: string }

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objects = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Limits for reading a body: its 64 KiB can contain thousands of fields. */
const maxTexts = 200
const maxDepth = 6

/**
 * All texts in `fields`, in order, with their paths ('name › first'), at most 200. Several values of one field are joined with commas; {
 * value: … } is read as its value.
 */
export function textsOf(fields: Fields): LabelledText[] {
  const texts: LabelledText[] = []
  const add = (name: string, value: unknown, depth: number): void => {
    if (texts.length >= maxTexts || depth > maxDepth) return
    const text = scalar(value)
    if (text !== null) {
      if (text !== '') texts.push({ name, value: text })
    } else if (Array.isArray(value)) {
      const scalars = value.map(scalar)
      if (scalars.every((one) => one !== null)) add(name, scalars.filter((one) => one !== '').join(', '), depth)
      else for (const [i, inner] of value.entries()) add(`${name} › ${i + 1}`, inner, depth + 1)
    } else if (isObject(value)) {
      if (Object.hasOwn(value, 'value')) return add(name, value.value, depth + 1)
      // A phone number entered in two inputs.
      const [area, number] = [scalar(value.area), scalar(value.phone)]
      if (area !== null && number !== null) return add(name, `${area} ${number}`.trim(), depth + 1)
      for (const [key, inner] of Object.entries(value))
        if (key !== '__proto__') add(name === '' ? key : `${name} › ${key}`, inner, depth + 1)
    }
  }
  for (const [name, value] of Object.entries(fields)) if (name !== '__proto__') add(name, value, 0)
  return texts
}

const scalar = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : null

/** Normalizes a label to lower-case words without accents, tool prefixes ('q3_', 'field:', 'No label') and suffix numbers. */
function normalizeLabel(label: string): string {
  const words = label
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words.replace(/^(q\d+|field|no label|your|votre) /, '').replace(/ (\d+|(?=\w*\d)[0-9a-f]{4})$/, '')
}

type LooseField = Exclude<LeadField, 'source'> | 'fullName'

/** Limited to 320 characters: no address is longer, and matching longer text would be slow. */
export const emailLike = /^(?=.{3,320}$)[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The patterns of label and value for each lead field. The first match wins. */
const labels: { field: LooseField; label: RegExp; value?: Pick<RegExp, 'test'> }[] = [
  { field: 'fullName', label: /\b(first (and )?last name|prenom et nom|nom et prenom)\b/ },
  { field: 'firstName', label: /\b(first|given) ?name\b|\bname first$|\bprenom\b/, value: /\p{L}/u },
  { field: 'lastName', label: /\b(last|family) ?name\b|\bname last$|\bsurname\b|\bnom de famille\b/, value: /\p{L}/u },
  {
    field: 'email',
    label: /\be ?mail\b|\bcourriel\b|^mail$/,
    value: { test: (text) => emailLike.test(text) || readEmails(text) !== null },
  },
  {
    field: 'referredBy',
    label: /\breferred by\b|\bwho referred\b|\breferral name\b|\brecommandee? par\b|\breferee? par\b/,
    value: /\p{L}/u,
  },
  // At least seven digits, which excludes extensions and yes/no answers.
  { field: 'phone', label: /phone\b|\bmobile\b|\bcell\b|\btel\b/, value: /^(?=(?:\D*\d){7})[+\d\s().\-/#ext]+$/i },
  { field: 'procedure', label: /\b(procedures?|treatments?|services?|interest(s|ed)?)\b/ },
  {
    field: 'fullName',
    label: /^((full|my|complete|contact|patient|client|customer|what is|what s|name) )*(your )?(full ?)?name( full)?$|\bnom complet$|^nom$/,
  },
]

/** The lead field of a labelled text. Null: the label is not recognized. */
function fieldOf({ name, value }: LabelledText): LooseField | null {
  const words = normalizeLabel(name)
  return labels.find((known) => known.label.test(words) && (known.value?.test(value) ?? true))?.field ?? null
}

/** Reads a lead from its labels, whatever the form calls its fields. A full name is split. */
export function readLabels(texts: readonly LabelledText[]): Record<LeadField, string | null> {
  const found: Partial<Record<LooseField, string>> = {}
  // The first match counts: 'May we email you?' and a friend's name come after the sender's own.
  for (const text of texts) {
    const field = fieldOf(text)
    if (field) found[field] ??= text.value
  }
  return withFullName(found)
}

/** Takes missing first and last names from `fullName`. In French forms, 'Nom' next to 'Prénom' is the last name. */
export function withFullName(found: Partial<Record<LeadField | 'fullName', string>>): Record<LeadField, string | null> {
  const { fullName, firstName, lastName, email, phone, procedure, source, referredBy } = found
  const split = fullName === undefined || (firstName !== undefined && lastName !== undefined) ? null : splitFullName(fullName)
  const restOfName = split?.lastName ?? (firstName === undefined ? null : (split?.firstName ?? null))
  return {
    firstName: firstName ?? split?.firstName ?? null,
    lastName: lastName ?? restOfName,
    email: email ?? null,
    phone: phone ?? null,
    procedure: procedure ?? null,
    source: source ?? null,
    referredBy: referredBy ?? null,
  }
}
