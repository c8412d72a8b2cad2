import type { Client } from '../../../ui/client/api.ts'
import type { Person } from '../rules.ts'

/** Rows as they arrive in the browser: instants are ISO strings. */
export type Connection = Awaited<ReturnType<Client['mailbox']['connection']>>
export type FolderRow = Awaited<ReturnType<Client['mailbox']['folders']>>[number]
export type ThreadPage = Awaited<ReturnType<Client['mailbox']['threads']>>
export type ThreadRow = ThreadPage['data'][number]
export type ThreadData = Awaited<ReturnType<Client['mailbox']['thread']>>
export type MessageData = ThreadData['messages'][number]
export type DraftData = Awaited<ReturnType<Client['mailbox']['drafts']>>[number]
export type Party = NonNullable<ThreadRow['contact']>

export const noSubject = 'No subject'

/** A person's name, else the address. */
export const nameOf = ({ name, email }: Person): string => name.trim() || email

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** 'Ana Silva, Bo Li': all participants except oneself, who is shown only when alone. */
export function othersIn(people: readonly Person[], own: string): string {
  const others = people.filter(({ email }) => !isSame(email, own))
  return others.length > 0 ? others.map(nameOf).join(', ') : 'Me'
}

/** 'me and Ana Silva', 'Ana Silva and 2 others': an email's recipients. */
export function namesOf(people: readonly Person[], own: string): string {
  const names = people.map((person) => (isSame(person.email, own) ? 'me' : nameOf(person)))
  if (names.length === 0) return 'undisclosed recipients'
  if (names.length <= 2) return names.join(' and ')
  return `${names[0]} and ${names.length - 1} others`
}

export const partyName = ({ firstName, lastName }: Pick<Party, 'firstName' | 'lastName'>): string => `${firstName} ${lastName}`.trim()
