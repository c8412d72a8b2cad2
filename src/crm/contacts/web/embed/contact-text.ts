import { sourceGroup } from '../../../lead-sources/rules.ts'
import { ageOn } from '../../../../shared/zoned-time.ts'
import { type Clock, daysBetween, formatAge, formatDay, formatDue, formatShortDate, today } from '../../../../ui/format.ts'
import { byId, type Directory } from './directory.ts'

/** The name of the procedure of interest, or the form's text, or null. */
export function procedureName(
  contact: { procedureId: string | null; procedureText: string | null },
  { procedures }: { procedures: readonly { id: string; name: string }[] },
): string | null {
  return byId(procedures, contact.procedureId)?.name ?? contact.procedureText
}

/** The display group of a contact's source (spec 9). */
export function sourceName(
  contact: { leadSourceId: string | null; leadSourceText: string | null },
  { sources }: Pick<Directory, 'sources'>,
): string {
  return sourceGroup(byId(sources, contact.leadSourceId)?.name ?? contact.leadSourceText)
}

/** The display group of a contact without a source. */
export const unknownSource = sourceGroup(null)

/** The form's source text, unless it equals the display group apart from case and punctuation. */
export function extraSourceText(group: string, text: string | null): string | null {
  const plain = (value: string) =>
    value
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ')
  return text !== null && plain(text) !== plain(group) ? text : null
}

/** 'Oakville, ON'; null when neither is known. */
export function placeName({ city, state }: { city: string | null; state: string | null }): string | null {
  return [city, state].filter((part) => part !== null).join(', ') || null
}

const noBreak = '\u00a0'

/** The address in one line, with a non-breaking postal code: '218 Lakeshore Rd E, Oakville, ON L6J 1H9' */
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

/** A tel: link for a phone as typed, with extension; null if it has no digits, as in 'ask his wife'. */
export function telephoneLink(phone: string | null): string | null {
  return phone !== null && /\d/.test(phone) ? `tel:${phone.replace(/[^\d+,;x]/gi, '')}` : null
}

/** 'Born Mar 14, 1988 (38)' */
export const formatBirth = (birthDate: string, clock: Clock): string => `Born ${formatDay(birthDate)} (${ageOn(birthDate, today(clock))})`

/** The text with an initial capital: 'Active' for 'active'. */
export const capitalised = (text: string): string => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** The label for staff who have left but are still assigned. */
export const formerStaff = 'Former staff'

export interface FollowUp {
  text: string
  /** A follow-up is for a day: it is overdue from the next day on. */
  when: 'overdue' | 'today' | 'later'
}

export function followUp(instant: string | null, clock: Clock): FollowUp | null {
  if (instant === null) return null
  const days = daysBetween(instant, clock)
  if (days === 0) return { text: formatDue(instant, clock), when: 'today' }
  return { text: formatShortDate(instant, clock), when: days > 0 ? 'overdue' : 'later' }
}

/** A lead without contact is marked new for this many days, as on the dashboard (spec 2). */
const newForDays = 7

/** The last contact for the list: time ago, 'new', or null if never. */
export function lastContact(contact: { lastContactDate: string | null; createdAt: string }, clock: Clock): { ago: string } | 'new' | null {
  if (contact.lastContactDate !== null) return { ago: formatAge(contact.lastContactDate, clock) }
  return daysBetween(contact.createdAt, clock) < newForDays ? 'new' : null
}
