import { factOf, type MergeField, mergeColumnsOf, mergeFieldNames } from '../../crm/contacts/fields.ts'

/** Which of the two patients a field is taken from: the one who stays, or the one who is merged into them. */
export type Side = 'target' | 'source'

/** Spec 8, without 'Some data may have been partially transferred.': a merge is one transaction. */
export const mergeFailed = 'Failed to merge contacts'

export type MergeChoices = Partial<Record<MergeField, Side>>

/**
 * What says that a consult is required belongs together: the source's counts only where the target requires none, so that its results are never
 * taken for those of another specialist.
 */
const isOfConsult = (field: MergeField): boolean => factOf(field) === 'specialist'

type Columns = Record<string, unknown>

/** What is chosen of emails and phones is the primary one: the others of both are kept beside it. */
const isPoint = (field: MergeField): boolean => field === 'email' || field === 'phone'
const valuesOf = (row: Columns, field: MergeField) =>
  mergeColumnsOf(field)
    .slice(0, isPoint(field) ? 1 : undefined)
    .map((column) => row[column] ?? null)
const isEmpty = (value: unknown) => value === null || value === ''
const lacks = (row: Columns, field: MergeField) => valuesOf(row, field).every(isEmpty)

/** Whether there is something to choose. */
export const differs = (target: Columns, source: Columns, field: MergeField): boolean =>
  JSON.stringify(valuesOf(target, field)) !== JSON.stringify(valuesOf(source, field))

/** The side a field is taken from by default: a filled value wins over an empty one, and the target's over the source's. */
export function defaultSide(target: Columns, source: Columns, field: MergeField): Side {
  const isFromSource = isOfConsult(field)
    ? target.requiresSpecialistConsult !== true && source.requiresSpecialistConsult === true
    : lacks(target, field) && !lacks(source, field)
  return isFromSource ? 'source' : 'target'
}

/** The fields that the target lacks and the source has. */
export const missingFields = (target: Columns, source: Columns): MergeField[] =>
  mergeFieldNames.filter((field) => lacks(target, field) && !lacks(source, field))

/** The columns that the target gets from the source, besides emails and phones. */
export function takenFromSource(target: Columns, source: Columns, choices: MergeChoices): string[] {
  const taken = mergeFieldNames.filter(
    (field) => !isPoint(field) && differs(target, source, field) && (choices[field] ?? defaultSide(target, source, field)) === 'source',
  )
  return taken.flatMap((field) => mergeColumnsOf(field))
}

/** A merge can be undone for so many days; then its snapshot is deleted. */
export const undoDays = 30
