import type { Person } from './mailbox.ts'

export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Removes duplicate people, keeping a name where one is given. */
export function peopleOnce(people: readonly Person[]): Person[] {
  const found = new Map<string, Person>()
  for (const person of people) {
    const key = person.email.toLowerCase()
    const known = found.get(key)
    if (!known || (known.name === '' && person.name !== '')) found.set(key, person)
  }
  return [...found.values()]
}
