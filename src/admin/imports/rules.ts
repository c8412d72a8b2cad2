import { type ColumnRules, normalizeWord } from './column-rules.ts'
import { type ColumnChoice, type DateEvidence, type ImportColumn, type ImportField, importFields } from './contract.ts'
import type { ImportKind } from './kind-rules.ts'
import { patientColumns } from './patient-rules.ts'
import { documentColumns, interactionColumns, taskColumns } from './record-rules.ts'

/** The column rules of each kind of import. */
export const columnRules: Record<ImportKind, ColumnRules> = {
  patients: patientColumns,
  tasks: taskColumns,
  interactions: interactionColumns,
  documents: documentColumns,
}

const getLabel = (kind: ImportKind, field: ImportField): string => columnRules[kind].labels.get(field) ?? field

/** The headers of the template, which the import recognizes. */
export const templateHeaders = (kind: ImportKind): string[] =>
  importFields[kind].filter((field) => field !== 'fullName').map((field) => getLabel(kind, field))

type KnownNames = readonly { field: ImportField; names: readonly string[] }[]
const toKnownNames = ({ labels, synonyms }: ColumnRules): KnownNames =>
  [...labels].map(([field, label]) => ({ field, names: [label, field, ...(synonyms[field] ?? [])].map(normalizeWord) }))
const known: Record<ImportKind, KnownNames> = {
  patients: toKnownNames(patientColumns),
  tasks: toKnownNames(taskColumns),
  interactions: toKnownNames(interactionColumns),
  documents: toKnownNames(documentColumns),
}

/** Guesses the field of each column by its header, using each field once, and either the full name or its two parts. */
export function guessFields(kind: ImportKind, headers: readonly string[]): (ImportField | null)[] {
  const normalized = headers.map(normalizeWord)
  const guessed: (ImportField | null)[] = headers.map(() => null)
  for (const { field, names } of known[kind]) {
    const at = names.map((name) => normalized.findIndex((header, i) => header === name && guessed[i] === null)).find((i) => i >= 0)
    if (at !== undefined) guessed[at] = field
  }
  const hasParts = guessed.includes('firstName') && guessed.includes('lastName')
  const unwanted: readonly (ImportField | null)[] = hasParts ? ['fullName'] : guessed.includes('fullName') ? ['firstName', 'lastName'] : []
  return guessed.map((field) => (unwanted.includes(field) ? null : field))
}

/** The problems of a column mapping, keyed by path in the input; empty if it is valid. */
export function findColumnProblems(
  kind: ImportKind,
  columns: readonly ImportColumn[],
  chosen: readonly ColumnChoice[],
): Record<string, string> {
  if (chosen.length !== columns.length) return { columns: `This file has ${columns.length} columns` }
  const { labels, dates, problem } = columnRules[kind]
  const problems: Record<string, string> = {}
  const fields = chosen.map(({ field }) => field)
  for (const [i, { field, dateOrder }] of chosen.entries()) {
    if (field === null) continue
    const first = fields.indexOf(field)
    if (!labels.has(field)) problems[`columns.${i}.field`] = 'Unknown field'
    else if (first < i) problems[`columns.${i}.field`] = `“${columns[first]!.header}” is already mapped to ${getLabel(kind, field)}`
    if (dates.includes(field) && columns[i]!.dates === 'either' && dateOrder === null)
      problems[`columns.${i}.dateOrder`] = 'Choose the order of day and month'
  }
  const missing = problem(new Set(fields.filter((field) => field !== null)))
  if (missing) problems.columns = missing
  return problems
}

const numbered = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/

/** Updates what is known about the date order of a column with one more value. */
export function updateDateEvidence(before: DateEvidence, value: string): DateEvidence {
  const match = numbered.exec(value)
  if (!match) return before
  const [first, second] = [Number(match[1]), Number(match[2])]
  if (first > 12 && second <= 12) return before === 'mdy' ? 'either' : 'dmy'
  if (second > 12 && first <= 12) return before === 'dmy' ? 'either' : 'mdy'
  return before === 'none' && first !== second ? 'either' : before
}
