import { plainWord } from './column-rules.ts'

/** What a row says of the patient whose it is; what it does not say is null. */
export interface Whose {
  id: string | null
  email: string | null
  phone: string | null
  name: string | null
}

/** A patient whom one of these belongs to. */
export interface Candidate {
  id: string
  firstName: string
  lastName: string
}
/** Who has the ID, the email and the phone number of a row; null where the row gives none. */
export interface Found {
  id: readonly Candidate[] | null
  email: readonly Candidate[] | null
  phone: readonly Candidate[] | null
}

export type Choice = { contactId: string } | { wrong: string; by: keyof Whose }

const words = { id: 'ID', email: 'email', phone: 'phone number' } as const

/** A name in either order: 'Silva, Ana' and 'Ana Silva' are one. */
const nameKey = (name: string): string => {
  const parts = name.split(/[\s,]+/).map(plainWord)
  return parts.filter(Boolean).toSorted().join(' ')
}
const isCalled = ({ firstName, lastName }: Candidate, name: string): boolean => nameKey(`${firstName} ${lastName}`) === nameKey(name)

/**
 * Whose a row is: the one patient who fits all that it gives. The import of patients takes the oldest of several; a row that would be put into the
 * wrong record is refused instead. Null: it names no one.
 */
export function choosePatient(whose: Whose, found: Found): Choice | null {
  const given = (['id', 'email', 'phone'] as const).filter((key) => whose[key] !== null)
  const [first] = given
  if (first === undefined) {
    return whose.name === null
      ? null
      : { wrong: 'A name alone does not identify a patient. Add their email, phone number or ID.', by: 'name' }
  }
  if (whose.id !== null && !found.id?.length) return { wrong: 'No patient has this ID', by: 'id' }
  const known = given.filter((key) => found[key]?.length)
  if (known.length === 0) return { wrong: `No patient has this ${given.map((key) => words[key]).join(' or ')}`, by: first }
  const [by, ...others] = known as [keyof Found, ...(keyof Found)[]]
  const fitting = others.reduce(
    (some, key) => some.filter(({ id }) => found[key]?.some((other) => other.id === id)),
    unique(found[by] ?? []),
  )
  if (fitting.length === 0) {
    return { wrong: `The ${known.map((key) => words[key]).join(' and the ')} belong to different patients`, by }
  }
  const { name } = whose
  const named = name === null ? fitting : fitting.filter((candidate) => isCalled(candidate, name))
  const [only] = named
  if (only && named.length === 1) return { contactId: only.id }
  if (fitting.length > 1) return { wrong: `${fitting.length} patients have this ${known.map((key) => words[key]).join(' and ')}`, by }
  // A phone number may be a relative's; an email or an ID is a person's own, whatever they are called by now.
  if (known.every((key) => key === 'phone')) return { wrong: 'The patient with this phone number has another name', by: 'name' }
  return { contactId: fitting[0]!.id }
}

const unique = (candidates: readonly Candidate[]): Candidate[] => [...new Map(candidates.map((one) => [one.id, one])).values()]
