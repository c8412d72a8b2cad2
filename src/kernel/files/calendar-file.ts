import { TZDate } from '@date-fns/tz'
import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { tzlib_get_ical_block } from 'timezones-ical-library'

/** What stands in a calendar (RFC 5545). */
export interface CalendarEvent {
  /** The same event in every file that tells of it. */
  uid: string
  /** Higher with every change, so that a file that arrives late overwrites nothing newer. */
  sequence: number
  /** When it was last changed; not the present, so that the same events make the same file. */
  changedAt: Date
  startsAt: Date
  endsAt: Date
  title: string
  place: string | null
  words?: string | null
  status: 'tentative' | 'confirmed' | 'cancelled'
}

/** Whose invitation it is, and whom it invites: their addresses. */
export interface Parties {
  organizer: { name: string; email: string }
  attendee: string
}

const statuses = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
} as const
const product = { company: 'Refyne', product: 'Refyne', language: 'EN' }

/** Characters that no line of a calendar may have: RFC 5545 knows no way to write them. */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, ' ')
    .toWellFormed()

function calendarOf(events: readonly CalendarEvent[], timeZone: string, parties: Parties | null) {
  // Of a zone without rules the instants are written in UTC.
  const hasRules = rulesOf(timeZone) !== undefined
  // The zone is that of the events alone: the generator would otherwise write the moment of a change on its clock, where RFC 5545 wants UTC.
  const calendar = ical({ prodId: product, timezone: { name: null, generator: (zone) => rulesOf(zone) ?? '' } })
  for (const { uid, sequence, changedAt, startsAt, endsAt, title, place, words, status } of events) {
    calendar.createEvent({
      id: uid,
      sequence,
      stamp: changedAt,
      start: new TZDate(startsAt.getTime(), timeZone),
      end: new TZDate(endsAt.getTime(), timeZone),
      timezone: hasRules ? timeZone : null,
      summary: plain(title),
      location: place === null ? null : plain(place),
      description: words ? plain(words) : null,
      status: statuses[status],
      transparency: status === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      ...(parties && {
        organizer: { name: plain(parties.organizer.name).replaceAll('\n', ' '), email: parties.organizer.email },
        attendees: [{ email: parties.attendee, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }],
      }),
    })
  }
  return calendar
}

/** How the clocks of a zone change, as a VTIMEZONE; undefined of a zone that no one knows. */
function rulesOf(timeZone: string): string | undefined {
  const block = tzlib_get_ical_block(timeZone)
  // Of a zone that is another by now, the rules have that one's name.
  return Array.isArray(block) ? block[0]?.replace(/^(TZID|X-LIC-LOCATION):.*?(\r?)$/gm, `$1:${timeZone}$2`) : undefined
}

/**
 * The file of a mail that puts one event into its reader's calendar, moves it there, or takes it out again. It asks for no answer.
 */
export function invitation(event: CalendarEvent, timeZone: string, parties: Parties): string {
  const isOff = event.status === 'cancelled'
  return calendarOf([event], timeZone, parties)
    .method(isOff ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST)
    .toString()
}

/** A calendar to subscribe to. */
export function calendarFeed(name: string, events: readonly CalendarEvent[], timeZone: string): string {
  return calendarOf(events, timeZone, null)
    .name(plain(name))
    .method(ICalCalendarMethod.PUBLISH)
    .ttl(15 * 60)
    .toString()
}
