import type { DocumentData, DocumentFields } from './document-data.ts'

/**
 * The fields that both have changed to something different since `base`: ours go on top of the rest of their change without asking, for they do
 * not concern each other.
 */
export function clashesOf(base: DocumentData, theirs: DocumentData, ours: DocumentFields): (keyof DocumentFields)[] {
  const fields = Object.keys(ours) as (keyof DocumentFields)[]
  return fields.filter((field) => theirs[field] !== base[field] && theirs[field] !== ours[field])
}

/** What of the wanted fields is not so already. */
export function changedFields(base: DocumentData, wanted: DocumentFields): DocumentFields {
  const fields = Object.keys(wanted) as (keyof DocumentFields)[]
  return Object.fromEntries(fields.filter((field) => wanted[field] !== base[field]).map((field) => [field, wanted[field]]))
}
