import { normalizeWord } from './column-rules.ts'

/** The values of a row that identify its patient; null for missing ones. */
export interface PatientRef {
  id: string | null
  email: string | null
  phone: string | null
  name: string | null
}

/** A patient who matches one of the values. */
export interface Candidate {
  id: string
  firstName: string
  lastName: string
}
/** The patients with the ID, email and phone number of a row; null where the row has no value. */
export interface Found {
  id: readonly Candidate[] | null
  email: readonly Candidate[] | null
  phone: readonly Candidate[] | null
}

export type Choice = { contactId: string } | { problem: string; by: keyof PatientRef }

const labels = { id: 'ID', email: 'email', phone: 'phone number' } as const

/** Normalizes a name regardless of order: 'Silva, Ana' equals 'Ana Silva'. */
const nameKey = (name: string): string => {
  const parts = name.split(/[\s,]+/).map(normalizeWord)
  return parts.filter(Boolean).toSorted().join(' ')
}
const hasName = ({ firstName, lastName }: Candidate, name: string): boolean => nameKey(`${firstName} ${lastName}`) === nameKey(name)

/**
 * Chooses the patient of a row: the only one who matches all of its values. The import of patients takes the oldest of several; here such a
 * row is refused, because a record must not go to the wrong patient. Null if the row names no patient.
 */
export function choosePatient(ref: PatientRef, found: Found): Choice | null {
  const given = (['id', 'email', 'phone'] as const).filter((key) => ref[key] !== null)
  const [first] = given
  if (first === undefined) {
    return ref.name === null
      ? null
      : { problem: 'A name alone does not identify a patient. Add their email, phone number or ID.', by: 'name' }
  }
  if (ref.id !== null && !found.id?.length) return { problem: 'No patient has this ID', by: 'id' }
  const known = given.filter((key) => found[key]?.length)
  if (known.length === 0) return { problem: `No patient has this ${given.map((key) => labels[key]).join(' or ')}`, by: first }
  const [by, ...others] = known as [keyof Found, ...(keyof Found)[]]
  const fitting = others.reduce(
    (matches, key) => matches.filter(({ id }) => found[key]?.some((other) => other.id === id)),
    unique(found[by] ?? []),
  )
  if (fitting.length === 0) {
    return { problem: `The ${known.map((key) => labels[key]).join(' and the ')} belong to different patients`, by }
  }
  const { name } = ref
  const named = name === null ? fitting : fitting.filter((candidate) => hasName(candidate, name))
  const [only] = named
  if (only && named.length === 1) return { contactId: only.id }
  if (fitting.length > 1) return { problem: `${fitting.length} patients have this ${known.map((key) => labels[key]).join(' and ')}`, by }
  // A phone number may be a relative's; an email or an ID belongs to one person, even if their name has changed.
  if (known.every((key) => key === 'phone')) return { problem: 'The patient with this phone number has another name', by: 'name' }
  return { contactId: fitting[0]!.id }
}

const unique = (candidates: readonly Candidate[]): Candidate[] => [
  ...new Map(candidates.map((candidate) => [candidate.id, candidate])).values(),
]
