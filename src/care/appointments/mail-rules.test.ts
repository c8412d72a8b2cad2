import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, toLocal } from '../../shared/zoned-time.ts'
import { earliestReminder, isNews, newsToTell, reminderDue, type ReminderKind, reminderMoment, type Told } from './mail-rules.ts'

const zone = 'America/Toronto'
const hour = 3_600_000
const startsAt = new Date('2026-12-01T15:00:00Z')
const planned = (given: object = {}) => ({
  startsAt,
  providerId: 'okafor',
  place: '1 Lakeshore Road',
  status: 'booked' as const,
  tellsPatient: true,
  ...given,
})
const told = (kind: Told['kind'], at: string, given: object = {}): Told => ({
  kind,
  startsAt,
  providerId: 'okafor',
  place: '1 Lakeshore Road',
  createdAt: new Date(at),
  ...given,
})
const booked = told('confirmation', '2026-11-20T12:00:00Z')
const later = new Date('2026-12-02T15:00:00Z')
const now = new Date('2026-11-21T15:00:00Z')

describe('issue 8: what a patient has to be told', () => {
  it.each([
    ['a new appointment is confirmed', planned(), [], 'confirmation'],
    ['nothing is said twice', planned(), [booked], null],
    ['another time is told', planned({ startsAt: later }), [booked], 'changed'],
    ['someone else who sees them, and another place, too', planned({ providerId: null }), [booked], 'changed'],
    ['another place, too', planned({ place: 'Elsewhere' }), [booked], 'changed'],
    ['a move that was taken back is not told', planned(), [booked], null],
    ['one that was told is, again', planned(), [booked, told('changed', '2026-11-20T13:00:00Z', { startsAt: later })], 'changed'],
    ['a cancellation is told', planned({ status: 'cancelled' }), [booked], 'cancelled'],
    ['of one that no one knew of it is not', planned({ status: 'cancelled' }), [], null],
    ['nor twice', planned({ status: 'cancelled' }), [booked, told('cancelled', '2026-11-20T13:00:00Z')], null],
    ['one that comes back is confirmed again', planned(), [booked, told('cancelled', '2026-11-20T13:00:00Z')], 'confirmation'],
    ['a reminder is no news', planned(), [booked, told('reminder_48h', '2026-11-20T13:00:00Z')], null],
    ['a patient who is here is told nothing', planned({ status: 'arrived', startsAt: later }), [booked], null],
    ['nor is one who did not come', planned({ status: 'no_show' }), [booked], null],
    ['nor is one who is not to be told', planned({ tellsPatient: false }), [], null],
    ['nor of what is over', planned({ startsAt: now }), [], null],
    ['nor that it was cancelled', planned({ status: 'cancelled', startsAt: now }), [booked], null],
  ] as const)('%s', (_, one, earlier, kind) => expect(newsToTell(now, one, [...earlier])).toBe(kind))
})

describe('issue 8: whether a change is told', () => {
  it.each([
    ['another time is', { startsAt: later }, true],
    ['someone else who sees them is', { providerId: null }, true],
    ['where only the room or the length is another, nothing is', {}, false],
    ['nor of what is over', { startsAt: new Date('2026-11-20T15:00:00Z') }, false],
    ['nor is one who is here', { startsAt: later, status: 'arrived' as const }, false],
    ['nor is one who is not to be told', { startsAt: later, tellsPatient: false }, false],
  ])('%s', (_, given, isTold) => expect(isNews(now, planned(), planned(given))).toBe(isTold))
})

describe('issue 8: when a patient is reminded', () => {
  it.each([
    ['2026-12-01T15:00:00Z', '2026-11-29T15:00:00Z', '2026-11-30T15:00:00Z'],
    // The clocks go back on Sunday, November 1, 2026: an hour longer, the same time of day.
    ['2026-11-02T15:00:00Z', '2026-10-31T14:00:00Z', '2026-11-01T15:00:00Z'],
    // They go forward on Sunday, March 14, 2027: an hour shorter.
    ['2027-03-15T14:00:00Z', '2027-03-13T15:00:00Z', '2027-03-14T14:00:00Z'],
    // 2:30 a.m. of the day before does not exist: an hour later.
    ['2027-03-15T06:30:00Z', '2027-03-13T07:30:00Z', '2027-03-14T07:30:00Z'],
  ])('of %s at %s and %s', (start, first, second) => {
    const of = (kind: ReminderKind) => reminderMoment(kind, new Date(start), zone).toISOString()
    expect([of('reminder_48h'), of('reminder_24h')].map((text) => text.replace('.000', ''))).toEqual([first, second])
  })

  it('two days and one before, at the same time of day, whatever the day; never more than is looked ahead', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, fc.constantFrom(zone, 'Australia/Lord_Howe', 'UTC', 'America/St_Johns'), (start, timeZone) => {
        const local = toLocal(start, timeZone)
        for (const [kind, days] of [
          ['reminder_48h', 2],
          ['reminder_24h', 1],
        ] as const) {
          const moment = reminderMoment(kind, start, timeZone)
          const ahead = start.getTime() - moment.getTime()
          expect(Math.abs(ahead - days * 24 * hour)).toBeLessThanOrEqual(hour + 60_000)
          expect(ahead).toBeLessThan(earliestReminder)
          const there = toLocal(moment, timeZone)
          // Unless the clocks skip that time.
          if (instantOf(there, timeZone).getTime() === instantOf({ day: there.day, time: local.time }, timeZone).getTime())
            expect(Math.abs(Number(there.time.replace(':', '')) - Number(local.time.replace(':', '')))).toBeLessThanOrEqual(100)
        }
      }),
    )
  })

  const due = (at: string, earlier: readonly Told[] = [booked], given: object = {}) =>
    reminderDue(new Date(at), planned(given), earlier, zone)

  it('at the moment, and not a millisecond before', () => {
    expect(due('2026-11-29T14:59:59.999Z')).toBeNull()
    expect(due('2026-11-29T15:00:00Z')).toBe('reminder_48h')
    const first = told('reminder_48h', '2026-11-29T15:00:00Z')
    expect(due('2026-11-29T15:01:00Z', [booked, first])).toBeNull()
    expect(due('2026-11-30T14:59:59.999Z', [booked, first])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [booked, first])).toBe('reminder_24h')
    expect(due('2026-12-01T14:59:59.999Z', [booked, first, told('reminder_24h', '2026-11-30T15:00:00Z')])).toBeNull()
  })

  it('late, where nothing ran; the later one alone where both are due; none once it begins', () => {
    expect(due('2026-11-30T14:00:00Z')).toBe('reminder_48h')
    expect(due('2026-12-01T14:59:59.999Z')).toBe('reminder_24h')
    expect(due('2026-12-01T15:00:00Z')).toBeNull()
  })

  it('none of one that was booked, or moved there, within that time', () => {
    expect(due('2026-11-29T15:00:00Z', [told('confirmation', '2026-11-29T14:59:59Z')])).toBe('reminder_48h')
    expect(due('2026-11-29T15:00:00Z', [told('confirmation', '2026-11-29T15:00:00Z')])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [told('confirmation', '2026-11-29T15:00:00Z')])).toBe('reminder_24h')
    const moved = [told('confirmation', '2026-11-20T12:00:00Z', { startsAt: later }), told('changed', '2026-11-29T18:00:00Z')]
    expect(due('2026-11-29T18:01:00Z', moved)).toBeNull()
    expect(due('2026-11-30T15:00:00Z', moved)).toBe('reminder_24h')
  })

  it('one that was moved away and back is known since it came back; another provider makes no time new', () => {
    const away = told('changed', '2026-11-29T16:00:00Z', { startsAt: later })
    expect(due('2026-11-30T15:00:00Z', [booked, away, told('changed', '2026-11-30T16:00:00Z')])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [booked, told('changed', '2026-11-30T14:59:00Z', { providerId: null })])).toBe('reminder_24h')
  })

  it('none of what is cancelled, over or begun, of what no one was told, or of another time than was told', () => {
    const at = '2026-11-30T15:00:00Z'
    for (const status of ['cancelled', 'arrived', 'completed', 'no_show']) expect(due(at, [booked], { status })).toBeNull()
    expect(due(at, [booked], { status: 'confirmed' })).toBe('reminder_24h')
    expect(due(at, [booked], { tellsPatient: false })).toBeNull()
    expect(due(at, [])).toBeNull()
    expect(due(at, [booked, told('cancelled', '2026-11-21T12:00:00Z')])).toBeNull()
    expect(due(at, [booked], { startsAt: new Date('2026-12-01T14:00:00Z') })).toBeNull()
  })

  it('each at most once for a time, however often it is looked for', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 }), { maxLength: 40 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 5 * 24 * 60 }), (looks, known) => {
        const begin = startsAt.getTime() - 4 * 24 * hour
        const told = [{ ...booked, createdAt: new Date(begin + known * 60_000) }]
        for (const look of looks.toSorted((a, b) => a - b)) {
          const at = new Date(begin + look * 60_000)
          if (at < told[0]!.createdAt) continue
          const kind = reminderDue(at, planned(), told, zone)
          if (kind) told.push({ ...booked, kind, createdAt: at })
        }
        const kinds = told.slice(1).map(({ kind }) => kind)
        expect(kinds).toEqual(['reminder_48h', 'reminder_24h'].filter((kind) => kinds.includes(kind as ReminderKind)))
        for (const { createdAt } of told.slice(1)) expect(createdAt < startsAt).toBe(true)
      }),
    )
  })
})
