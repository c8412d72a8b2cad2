import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, calendarFeed, invitation } from './calendar-file.ts'

const event = (given: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: '019ab2c8-0000-7000-8000-000000000000@refyne',
  sequence: 2,
  changedAt: new Date('2026-11-21T15:00:00Z'),
  startsAt: new Date('2026-12-01T15:00:00Z'),
  endsAt: new Date('2026-12-01T15:45:00Z'),
  title: 'Appointment at Harbourview',
  place: '1 Lakeshore Road, Oakville; ON',
  description: 'Questions?\nCall (905) 555-0118.',
  status: 'confirmed',
  ...given,
})
const parties = { organizer: { name: 'Harbourview "Plastic", Surgery', email: 'team@harbour.example' }, attendee: 'ana@patient.example' }
const zone = 'America/Toronto'

/** Parses it with an independent library. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const one of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(one)
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component))
  return { calendar, events, zones: calendar.getAllSubcomponents('vtimezone') }
}

describe('calendar files', () => {
  it('write an invitation with local time, time zone rules, place, organizer and attendee', () => {
    const { calendar, events, zones } = read(invitation(event(), zone, parties))
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(zones.map((one) => one.getFirstPropertyValue('tzid'))).toEqual([zone])
    const [one] = events
    expect(one).toMatchObject({
      uid: event().uid,
      sequence: 2,
      summary: event().title,
      location: event().place,
      description: event().description,
      organizer: 'mailto:team@harbour.example',
    })
    expect(one!.startDate.toString()).toBe('2026-12-01T10:00:00')
    expect(one!.startDate.zone.tzid).toBe(zone)
    expect(one!.startDate.toJSDate()).toEqual(event().startsAt)
    expect(one!.endDate.toJSDate()).toEqual(event().endsAt)
    expect(one!.component.getFirstPropertyValue('dtstamp')!.toString()).toBe('2026-11-21T15:00:00Z')
    expect(one!.attendees.map((each) => [String(each.getFirstValue()).toLowerCase(), each.getParameter('rsvp')])).toEqual([
      ['mailto:ana@patient.example', 'FALSE'],
    ])
  })

  it('write a cancellation with the method CANCEL that does not block time', () => {
    const { calendar, events } = read(invitation(event({ status: 'cancelled', sequence: 3 }), zone, parties))
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(events[0]).toMatchObject({ uid: event().uid, sequence: 3 })
    expect(events[0]!.component.getFirstPropertyValue('status')).toBe('CANCELLED')
    expect(events[0]!.component.getFirstPropertyValue('transp')).toBe('TRANSPARENT')
  })

  it.each([
    ['the day before the clocks go forward', '2027-03-13T14:00:00Z', '2027-03-13T09:00:00'],
    ['the day on which they do', '2027-03-14T13:00:00Z', '2027-03-14T09:00:00'],
    ['the day on which they go back', '2026-11-01T14:00:00Z', '2026-11-01T09:00:00'],
  ])('have the right time on %s', (_, instant, local) => {
    const startsAt = new Date(instant)
    const { events } = read(invitation(event({ startsAt, endsAt: new Date(startsAt.getTime() + 1_800_000) }), zone, parties))
    expect(events[0]!.startDate.toString()).toBe(local)
    expect(events[0]!.startDate.toJSDate()).toEqual(startsAt)
  })

  it('preserve any text, with lines of at most 75 bytes that end in CRLF', () => {
    const description = fc
      .string({ unit: 'grapheme', maxLength: 200 })
      .filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.trim() !== '')
    fc.assert(
      fc.property(description, description, fc.array(description, { minLength: 1, maxLength: 3 }), (title, place, lines) => {
        const text = calendarFeed('Calendar', [event({ title, place, description: lines.join('\n') })], zone)
        expect(read(text).events[0]).toMatchObject({ summary: title, location: place, description: lines.join('\n') })
        for (const line of text.split('\r\n')) {
          expect(line).not.toMatch(/[\r\n]/)
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        }
      }),
      { examples: [['Łukasz Nguyễn; Adébáyọ̀, "שלום" \\n', '🏥'.repeat(60), ['é'.repeat(100), 'BEGIN:VEVENT']]] },
    )
  })

  it('do not let text inject lines', () => {
    const text = calendarFeed('Calendar', [event({ title: 'a\r\nEND:VEVENT\r\nX-EVIL:1', place: 'b\rX-EVIL:2', description: '\0c' })], zone)
    expect(read(text).events).toHaveLength(1)
    expect(text).not.toMatch(/^(X-EVIL|END:VEVENT.+)/m)
  })

  it('write an empty feed, and the same file for the same events', () => {
    expect(read(calendarFeed('Dr. Okafor', [], zone)).events).toEqual([])
    expect(calendarFeed('Dr. Okafor', [event()], zone)).toBe(calendarFeed('Dr. Okafor', [event()], zone))
  })

  it('include the rules of every supported time zone, or use UTC', () => {
    for (const each of Intl.supportedValuesOf('timeZone')) {
      const { events } = read(calendarFeed('Calendar', [event()], each))
      expect([each, events[0]!.startDate.toJSDate()]).toEqual([each, event().startsAt])
    }
  })
})
