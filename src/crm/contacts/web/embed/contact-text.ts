import { sourceGroup } from '../../../lead-sources/rules.ts'
import { type Clock, daysBetween, formatAge, formatDue, formatShortDate } from '../../../../ui/format.ts'
import { byId, type Directory } from './directory.ts'

/** What a procedure of interest is called, or literally was by a form; null when there is none. */
export function procedureName(
  contact: { procedureId: string | null; procedureText: string | null },
  { procedures }: { procedures: readonly { id: string; name: string }[] },
): string | null {
  return byId(procedures, contact.procedureId)?.name ?? contact.procedureText
}

/** The display group of where a contact came from (spec 9). */
export function sourceName(
  contact: { leadSourceId: string | null; leadSourceText: string | null },
  { sources }: Pick<Directory, 'sources'>,
): string {
  return sourceGroup(byId(sources, contact.leadSourceId)?.name ?? contact.leadSourceText)
}

/** The group of a contact that came from no one knows where. */
export const unknownSource = sourceGroup(null)

/** What a form literally said of the source, unless the display group says the same in other letters. */
export function wordsBeside(group: string, said: string | null): string | null {
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
  return said !== null && plain(said) !== plain(group) ? said : null
}

/** 'Oakville, ON'; null when neither is known. */
export function placeName({ city, state }: { city: string | null; state: string | null }): string | null {
  return [city, state].filter((part) => part !== null).join(', ') || null
}

const noBreak = '\u00a0'

/** Its postal code stays in one piece: '218 Lakeshore Rd E, Oakville, ON L6J 1H9' */
export function addressLine(contact: {
  address: string | null
  city: string | null
  state: string | null
  zipCode: string | null
}): string {
  const place = placeName(contact)
  return [contact.address, [place, contact.zipCode?.replaceAll(' ', noBreak) ?? null].filter((part) => part !== null).join(' ') || null]
    .filter((part) => part !== null)
    .join(', ')
}

/** What dials a phone as it was typed, extension included; null where it has no digits, as in 'ask his wife'. */
export function telephoneLink(phone: string | null): string | null {
  return phone !== null && /\d/.test(phone) ? `tel:${phone.replace(/[^\d+,;x]/gi, '')}` : null
}

/** A status as it is read: 'Active' for 'active'. */
export const capitalised = (text: string): string => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** Staff who have left are no longer listed, but what was theirs still is. */
export const formerStaff = 'Former staff'

export interface FollowUp {
  text: string
  /** A follow-up is for a day: it is late from the next one on. */
  when: 'overdue' | 'today' | 'later'
}

export function followUp(instant: string | null, clock: Clock): FollowUp | null {
  if (instant === null) return null
  const days = daysBetween(instant, clock)
  if (days === 0) return { text: formatDue(instant, clock), when: 'today' }
  return { text: formatShortDate(instant, clock), when: days > 0 ? 'overdue' : 'later' }
}

/** A lead that no one has spoken to is called new for as long as the dashboard counts it as one of the week (spec 2). */
const newForDays = 7

/** The last column of the list: how long ago, 'new', or null when never. */
export function lastContact(contact: { lastContactDate: string | null; createdAt: string }, clock: Clock): { ago: string } | 'new' | null {
  if (contact.lastContactDate !== null) return { ago: formatAge(contact.lastContactDate, clock) }
  return daysBetween(contact.createdAt, clock) < newForDays ? 'new' : null
}
