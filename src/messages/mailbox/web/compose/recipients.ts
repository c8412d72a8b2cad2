import { recipient } from '../../contract.ts'
import type { Person } from '../../rules.ts'

export const notAnAddress = 'This is not an email address'

const isAddress = (email: string): boolean => recipient.safeParse({ email }).success

/**
 * Parses typed or pasted recipients: 'ana@a.example, "Silva, Bo" <bo@b.example>'. @returns the people with an address, and the remaining
 * text.
 */
export function readRecipients(text: string): { people: Person[]; rest: string } {
  const people: Person[] = []
  const rest: string[] = []
  for (const part of partsOf(text)) {
    const [, name = '', bracketed] = /^(.*?)<([^<>]*)>$/.exec(part) ?? []
    const email = (bracketed ?? part).trim()
    if (isAddress(email)) people.push({ name: name.replaceAll(/["\\]/g, '').trim().slice(0, 200), email })
    else rest.push(part)
  }
  return { people, rest: rest.join(', ') }
}

/** Split at commas, semicolons and line breaks outside quotation marks and angle brackets; and at spaces when every part is an address. */
function partsOf(text: string): string[] {
  const parts = (text.match(/(?:"[^"]*"|<[^>]*>|[^,;\n])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '')
  return parts.flatMap((part) => {
    const words = part.split(/\s+/)
    return words.length > 1 && words.every(isAddress) ? words : [part]
  })
}

/** The recipients with a valid address. */
export const reachable = (people: readonly Person[]): Person[] =>
  people.filter(({ email }) => isAddress(email)).map(({ name, email }) => ({ name: name.slice(0, 200), email }))

const isSame = (a: Person, b: Person): boolean => a.email.toLowerCase() === b.email.toLowerCase()

/** Removes duplicate addresses, ignoring case. */
export const withRecipients = (before: readonly Person[], added: readonly Person[]): Person[] =>
  added.reduce<Person[]>((people, person) => (people.some((other) => isSame(other, person)) ? people : [...people, person]), [...before])
