import { TZDate } from '@date-fns/tz'
import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { tzlib_get_ical_block } from 'timezones-ical-library'

/** An event of an iCalendar file (RFC 5545). */
export interface CalendarEvent {
  /** Identifies the event across files. */
  uid: string
  /** Increases with every change, so that a late file does not overwrite a newer one. */
  sequence: number
  /** When it was last changed. Not the current time, so that unchanged events produce the same file. */
  changedAt: Date
  startsAt: Date
  endsAt: Date
  title: string
  place: string | null
  description?: string | null
  status: 'tentative' | 'confirmed' | 'cancelled'
}

/** The organizer and the attendee of an invitation. */
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

/** Replaces control characters, which RFC 5545 cannot represent. */
const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, ' ')
    .toWellFormed()

function calendarOf(events: readonly CalendarEvent[], timeZone: string, parties: Parties | null) {
  // Without rules for the time zone, instants are written in UTC.
  const hasRules = rulesOf(timeZone) !== undefined
  // The time zone is set per event. Set on the calendar, it would also apply to the time of the change, which RFC 5545 requires in UTC.
  const calendar = ical({ prodId: product, timezone: { name: null, generator: (zone) => rulesOf(zone) ?? '' } })
  for (const { uid, sequence, changedAt, startsAt, endsAt, title, place, description, status } of events) {
    calendar.createEvent({
      id: uid,
      sequence,
      stamp: changedAt,
      start: new TZDate(startsAt.getTime(), timeZone),
      end: new TZDate(endsAt.getTime(), timeZone),
      timezone: hasRules ? timeZone : null,
      summary: plain(title),
      location: place === null ? null : plain(place),
      description: description ? plain(description) : null,
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

/** The rules of a time zone as a VTIMEZONE; undefined for an unknown one. */
function rulesOf(timeZone: string): string | undefined {
  const block = tzlib_get_ical_block(timeZone)
  // The rules of an alias have the canonical name, so the requested one is restored.
  return Array.isArray(block) ? block[0]?.replace(/^(TZID|X-LIC-LOCATION):.*?(\r?)$/gm, `$1:${timeZone}$2`) : undefined
}

/**
 * The attachment that adds, updates or removes an event in the recipient's calendar. It does not ask for a response.
 */
export function invitation(event: CalendarEvent, timeZone: string, parties: Parties): string {
  const isOff = event.status === 'cancelled'
  return calendarOf([event], timeZone, parties)
    .method(isOff ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST)
    .toString()
}

/** The file with which a reader adds an event to a calendar: without the parties, which only an invitation has. */
export function eventFile(event: CalendarEvent, timeZone: string): string {
  return calendarOf([event], timeZone, null).method(ICalCalendarMethod.PUBLISH).toString()
}

/** A calendar that programs can subscribe to. */
export function calendarFeed(name: string, events: readonly CalendarEvent[], timeZone: string): string {
  return calendarOf(events, timeZone, null)
    .name(plain(name))
    .method(ICalCalendarMethod.PUBLISH)
    .ttl(15 * 60)
    .toString()
}
