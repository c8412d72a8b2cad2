import type { DocumentData, DocumentFields } from './document-data.ts'

/**
 * The fields that both sides changed to different values since `base`. All other fields of ours can be applied on top of their change
 * without asking.
 */
export function clashesOf(base: DocumentData, theirs: DocumentData, ours: DocumentFields): (keyof DocumentFields)[] {
  const fields = Object.keys(ours) as (keyof DocumentFields)[]
  return fields.filter((field) => theirs[field] !== base[field] && theirs[field] !== ours[field])
}

/** The wanted fields that differ from `base`. */
export function changedFields(base: DocumentData, wanted: DocumentFields): DocumentFields {
  const fields = Object.keys(wanted) as (keyof DocumentFields)[]
  return Object.fromEntries(fields.filter((field) => wanted[field] !== base[field]).map((field) => [field, wanted[field]]))
}
