import { factOf } from '../../crm/contacts/form-fields.ts'
import { type MergeField, mergeColumnsOf, mergeFieldNames } from '../../crm/contacts/derived-fields.ts'

/** The patient a field is taken from: the one who is kept, or the one who is merged into them. */
export type Side = 'target' | 'source'

/** From spec 8, without 'Some data may have been partially transferred.', because a merge is one transaction. */
export const mergeFailed = 'Failed to merge contacts'

export type MergeChoices = Partial<Record<MergeField, Side>>

/**
 * The fields of a specialist consult are copied together, and only if the target requires none, so that results are never attributed to
 * another specialist.
 */
const isConsultField = (field: MergeField): boolean => factOf(field) === 'specialist'

type Columns = Record<string, unknown>

/** Email and phone: the choice decides the primary one; the others are kept as additional. */
const isContactPoint = (field: MergeField): boolean => field === 'email' || field === 'phone'
const valuesOf = (row: Columns, field: MergeField) =>
  mergeColumnsOf(field)
    .slice(0, isContactPoint(field) ? 1 : undefined)
    .map((column) => row[column] ?? null)
const isEmpty = (value: unknown) => value === null || value === ''
const isMissing = (row: Columns, field: MergeField) => valuesOf(row, field).every(isEmpty)

/** Whether the two patients have different values. */
export const differs = (target: Columns, source: Columns, field: MergeField): boolean =>
  JSON.stringify(valuesOf(target, field)) !== JSON.stringify(valuesOf(source, field))

/** The default side of a field: the target, unless only the source has a value. */
export function defaultSide(target: Columns, source: Columns, field: MergeField): Side {
  const isFromSource = isConsultField(field)
    ? target.requiresSpecialistConsult !== true && source.requiresSpecialistConsult === true
    : isMissing(target, field) && !isMissing(source, field)
  return isFromSource ? 'source' : 'target'
}

/** The fields that are empty on the target and filled on the source. */
export const missingFields = (target: Columns, source: Columns): MergeField[] =>
  mergeFieldNames.filter((field) => isMissing(target, field) && !isMissing(source, field))

/** The columns that the target takes from the source, except emails and phones. */
export function columnsFromSource(target: Columns, source: Columns, choices: MergeChoices): string[] {
  const fields = mergeFieldNames.filter(
    (field) =>
      !isContactPoint(field) && differs(target, source, field) && (choices[field] ?? defaultSide(target, source, field)) === 'source',
  )
  return fields.flatMap((field) => mergeColumnsOf(field))
}

/** How many days a merge can be undone; its snapshot is deleted afterwards. */
export const undoDays = 30
