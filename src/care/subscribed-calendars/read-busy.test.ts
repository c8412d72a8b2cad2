import { expect, it } from 'vitest'
import { readBusy } from './read-busy.ts'

const zone = 'America/Toronto'
const calendar = (...events: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR'].join('\r\n')
let uids = 0
const event = (...lines: string[]) =>
  ['BEGIN:VEVENT', ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:${++uids}`]), ...lines, 'END:VEVENT'].join('\r\n')
/** Busy times of December 2026 as they are in Toronto. */
function busyIn(text: string) {
  const read = readBusy({
    text,
    from: Date.parse('2026-12-01T05:00Z'),
    to: Date.parse('2027-01-01T05:00Z'),
    timeZone: zone,
    own: '@clinic.example',
  })
  if ('problem' in read) return read.problem
  const shown = (ms: number) => new Date(ms).toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return read.busy.map(([from, to]) => `${shown(from)} to ${shown(to)}`)
}
const tokyo = [
  'BEGIN:VTIMEZONE',
  'TZID:Tokyo Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T000000',
  'TZOFFSETFROM:+0900',
  'TZOFFSETTO:+0900',
  'END:STANDARD',
  'END:VTIMEZONE',
].join('\r\n')

it.each<[what: string, text: string, expected: string[] | string]>([
  ['UTC', calendar(event('DTSTART:20261202T150000Z', 'DTEND:20261202T160000Z')), ['2026-12-02 10:00 to 2026-12-02 11:00']],
  [
    'a named zone',
    calendar(event('DTSTART;TZID=Europe/Paris:20261202T150000', 'DTEND;TZID=Europe/Paris:20261202T163000')),
    ['2026-12-02 09:00 to 2026-12-02 10:30'],
  ],
  [
    'a zone that the file defines',
    calendar(tokyo, event('DTSTART;TZID=Tokyo Standard Time:20261202T230000', 'DURATION:PT45M')),
    ['2026-12-02 09:00 to 2026-12-02 09:45'],
  ],
  [
    'the practice’s zone for times without one',
    calendar(event('DTSTART:20261202T090000', 'DTEND:20261202T093000')),
    ['2026-12-02 09:00 to 2026-12-02 09:30'],
  ],
  ['whole days', calendar(event('DTSTART;VALUE=DATE:20261202', 'DTEND;VALUE=DATE:20261204')), ['2026-12-02 00:00 to 2026-12-04 00:00']],
  ['a whole day without an end', calendar(event('DTSTART;VALUE=DATE:20261202')), ['2026-12-02 00:00 to 2026-12-03 00:00']],
  ['nothing for an instant', calendar(event('DTSTART:20261202T150000Z')), []],
  [
    'nothing for free, cancelled and our own',
    calendar(
      event('DTSTART:20261202T150000Z', 'DTEND:20261202T160000Z', 'TRANSP:TRANSPARENT'),
      event('DTSTART:20261203T150000Z', 'DTEND:20261203T160000Z', 'STATUS:CANCELLED'),
      event('DTSTART:20261204T150000Z', 'DTEND:20261204T160000Z', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
      event('UID:0192f3c1@clinic.example', 'DTSTART:20261205T150000Z', 'DTEND:20261205T160000Z'),
    ),
    [],
  ],
  [
    'events that overlap or touch once',
    calendar(
      event('DTSTART:20261202T150000Z', 'DTEND:20261202T160000Z'),
      event('DTSTART:20261202T153000Z', 'DTEND:20261202T170000Z'),
      event('DTSTART:20261202T170000Z', 'DTEND:20261202T171500Z'),
    ),
    ['2026-12-02 10:00 to 2026-12-02 12:15'],
  ],
  [
    'what began before as of the first day',
    calendar(event('DTSTART:20261101T150000Z', 'DTEND:20261201T160000Z')),
    ['2026-12-01 00:00 to 2026-12-01 11:00'],
  ],
  [
    'repetitions, also of a rule that began years ago, without an excluded one',
    calendar(
      event(
        'DTSTART;TZID=America/Toronto:20200106T090000',
        'DTEND;TZID=America/Toronto:20200106T100000',
        'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20261222T000000Z',
        'EXDATE;TZID=America/Toronto:20261214T090000',
      ),
    ),
    ['2026-12-07 09:00 to 2026-12-07 10:00', '2026-12-21 09:00 to 2026-12-21 10:00'],
  ],
  [
    'a repetition that was moved, and not one that was cancelled or set free',
    calendar(
      event('UID:a', 'DTSTART:20261201T150000Z', 'DTEND:20261201T160000Z', 'RRULE:FREQ=DAILY;COUNT=4'),
      event('UID:a', 'RECURRENCE-ID:20261202T150000Z', 'DTSTART:20261202T200000Z', 'DTEND:20261202T210000Z'),
      event('UID:a', 'RECURRENCE-ID:20261203T150000Z', 'DTSTART:20261203T150000Z', 'DTEND:20261203T160000Z', 'STATUS:CANCELLED'),
      event('UID:a', 'RECURRENCE-ID:20261204T150000Z', 'DTSTART:20261204T150000Z', 'DTEND:20261204T160000Z', 'TRANSP:TRANSPARENT'),
    ),
    ['2026-12-01 10:00 to 2026-12-01 11:00', '2026-12-02 15:00 to 2026-12-02 16:00'],
  ],
  ['a page of a website as no calendar', '<html></html>', 'not-a-calendar'],
  ['an empty file as no calendar', '', 'not-a-calendar'],
  [
    'a rule that never ends as too complex',
    calendar(event('DTSTART:19700101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY')),
    'too-complex',
  ],
  ['a calendar without events', calendar(), []],
])('reads %s (issue 29)', (_, text, expected) => {
  expect(busyIn(text)).toEqual(expected)
})

it('keeps the time of day of repetitions across a change of the clock (issue 29)', () => {
  const text = calendar(
    event('DTSTART;TZID=America/Toronto:20261030T090000', 'DTEND;TZID=America/Toronto:20261030T100000', 'RRULE:FREQ=DAILY;COUNT=4'),
  )
  const read = readBusy({ text, from: 0, to: Date.parse('2027-01-01T00:00Z'), timeZone: zone, own: '@clinic.example' })
  expect('busy' in read && read.busy.map(([from]) => new Date(from).toISOString())).toEqual([
    '2026-10-30T13:00:00.000Z',
    '2026-10-31T13:00:00.000Z',
    '2026-11-01T14:00:00.000Z',
    '2026-11-02T14:00:00.000Z',
  ])
})
