import { type ColumnRules, plainWord } from './column-rules.ts'
import { type ColumnChoice, type DateEvidence, type ImportColumn, type ImportField, importFields } from './contract.ts'
import type { ImportKind } from './kind-rules.ts'
import { patientColumns } from './patient-rules.ts'
import { documentColumns, interactionColumns, taskColumns } from './record-rules.ts'

/** What each table's columns may hold. */
export const columnRules: Record<ImportKind, ColumnRules> = {
  patients: patientColumns,
  tasks: taskColumns,
  interactions: interactionColumns,
  documents: documentColumns,
}

const labelOf = (kind: ImportKind, field: ImportField): string => columnRules[kind].labels.get(field) ?? field

/** The headers of an empty table that would be recognised as it is. */
export const templateHeaders = (kind: ImportKind): string[] =>
  importFields[kind].filter((field) => field !== 'fullName').map((field) => labelOf(kind, field))

type Known = readonly { field: ImportField; names: readonly string[] }[]
const knownOf = ({ labels, synonyms }: ColumnRules): Known =>
  [...labels].map(([field, label]) => ({ field, names: [label, field, ...(synonyms[field] ?? [])].map(plainWord) }))
const known: Record<ImportKind, Known> = {
  patients: knownOf(patientColumns),
  tasks: knownOf(taskColumns),
  interactions: knownOf(interactionColumns),
  documents: knownOf(documentColumns),
}

/** What the columns are likely to hold, by their headers; each field once. Either a whole name or its two parts. */
export function guessFields(kind: ImportKind, headers: readonly string[]): (ImportField | null)[] {
  const plain = headers.map(plainWord)
  const guessed: (ImportField | null)[] = headers.map(() => null)
  for (const { field, names } of known[kind]) {
    const at = names.map((name) => plain.findIndex((header, i) => header === name && guessed[i] === null)).find((i) => i >= 0)
    if (at !== undefined) guessed[at] = field
  }
  const hasParts = guessed.includes('firstName') && guessed.includes('lastName')
  const unwanted: readonly (ImportField | null)[] = hasParts ? ['fullName'] : guessed.includes('fullName') ? ['firstName', 'lastName'] : []
  return guessed.map((field) => (unwanted.includes(field) ? null : field))
}

/** What is wrong with a choice of columns, by where it is in the input; empty when it can be used. */
export function problemsOfColumns(
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
    else if (first < i) problems[`columns.${i}.field`] = `“${columns[first]!.header}” is ${labelOf(kind, field)} already`
    if (dates.includes(field) && columns[i]!.dates === 'either' && dateOrder === null)
      problems[`columns.${i}.dateOrder`] = 'Say how these dates are written'
  }
  const missing = problem(new Set(fields.filter((field) => field !== null)))
  if (missing) problems.columns = missing
  return problems
}

const numbered = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/

/** What one more value says of the order of a column's dates. */
export function evidenceOf(before: DateEvidence, value: string): DateEvidence {
  const match = numbered.exec(value)
  if (!match) return before
  const [first, second] = [Number(match[1]), Number(match[2])]
  if (first > 12 && second <= 12) return before === 'mdy' ? 'either' : 'dmy'
  if (second > 12 && first <= 12) return before === 'dmy' ? 'either' : 'mdy'
  return before === 'none' && first !== second ? 'either' : before
}
