import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOf, toLocal } from '../../shared/zoned-time.ts'
import {
  reminderLookahead,
  needsUpdate,
  dueUpdate,
  reminderDue,
  type ReminderKind,
  reminderTime,
  type PastNotification,
  templateOf,
} from './email-rules.ts'

const zone = 'America/Toronto'
const hour = 3_600_000
const startsAt = new Date('2026-12-01T15:00:00Z')
const planned = (given: object = {}) => ({
  startsAt,
  providerId: 'okafor',
  place: '1 Lakeshore Road',
  status: 'booked' as const,
  notifiesPatient: true,
  ...given,
})
const notified = (kind: PastNotification['kind'], at: string, given: object = {}): PastNotification => ({
  kind,
  startsAt,
  providerId: 'okafor',
  place: '1 Lakeshore Road',
  createdAt: new Date(at),
  ...given,
})
const booked = notified('confirmation', '2026-11-20T12:00:00Z')
const later = new Date('2026-12-02T15:00:00Z')
const now = new Date('2026-11-21T15:00:00Z')

describe('the template of an email (issue 29)', () => {
  it.each([
    ['confirmation', 'booked', 'staff', 'appointment_confirmation'],
    ['confirmation', 'booked', null, 'appointment_booked'],
    ['confirmation', 'confirmed', 'staff', 'appointment_booked'],
    ['changed', 'booked', null, 'appointment_changed'],
    ['changed', 'confirmed', 'staff', 'appointment_updated'],
    ['cancelled', 'cancelled', null, 'appointment_cancelled'],
  ] as const)('of a %s of a visit that is %s, made by %s, is %s', (kind, status, createdBy, name) => {
    expect(templateOf(kind, { status, createdBy })).toBe(name)
  })
})

describe('the update a patient is due', () => {
  it.each([
    ['confirms a new appointment', planned(), [], 'confirmation'],
    ['does not send the same update twice', planned(), [booked], null],
    ['announces another time', planned({ startsAt: later }), [booked], 'changed'],
    ['announces another provider', planned({ providerId: null }), [booked], 'changed'],
    ['announces another place', planned({ place: 'Elsewhere' }), [booked], 'changed'],
    ['does not announce a move that was undone', planned(), [booked], null],
    [
      'announces the move back if the first move was announced',
      planned(),
      [booked, notified('changed', '2026-11-20T13:00:00Z', { startsAt: later })],
      'changed',
    ],
    ['announces a cancellation', planned({ status: 'cancelled' }), [booked], 'cancelled'],
    ['does not announce the cancellation of an appointment that was never confirmed', planned({ status: 'cancelled' }), [], null],
    [
      'does not announce a cancellation twice',
      planned({ status: 'cancelled' }),
      [booked, notified('cancelled', '2026-11-20T13:00:00Z')],
      null,
    ],
    ['confirms a reinstated appointment again', planned(), [booked, notified('cancelled', '2026-11-20T13:00:00Z')], 'confirmation'],
    ['does not count a reminder as an update', planned(), [booked, notified('reminder_48h', '2026-11-20T13:00:00Z')], null],
    ['does not notify a patient who has arrived', planned({ status: 'arrived', startsAt: later }), [booked], null],
    ['does not notify a patient who did not show up', planned({ status: 'no_show' }), [booked], null],
    ['does not notify a patient who opted out', planned({ notifiesPatient: false }), [], null],
    ['does not notify about a past appointment', planned({ startsAt: now }), [], null],
    ['does not announce the cancellation of a past appointment', planned({ status: 'cancelled', startsAt: now }), [booked], null],
  ] as const)('%s', (_, one, past, kind) => expect(dueUpdate(now, one, [...past])).toBe(kind))
})

describe('whether a change is announced', () => {
  it.each([
    ['announces another time', { startsAt: later }, true],
    ['announces another provider', { providerId: null }, true],
    ['does not announce another room or duration', {}, false],
    ['does not announce a past appointment', { startsAt: new Date('2026-11-20T15:00:00Z') }, false],
    ['does not notify a patient who has arrived', { startsAt: later, status: 'arrived' as const }, false],
    ['does not notify a patient who opted out', { startsAt: later, notifiesPatient: false }, false],
  ])('%s', (_, given, isAnnounced) => expect(needsUpdate(now, planned(), planned(given))).toBe(isAnnounced))
})

describe('reminder times', () => {
  it.each([
    ['2026-12-01T15:00:00Z', '2026-11-29T15:00:00Z', '2026-11-30T15:00:00Z'],
    // The clocks go back on Sunday, November 1, 2026: an hour more, at the same time of day.
    ['2026-11-02T15:00:00Z', '2026-10-31T14:00:00Z', '2026-11-01T15:00:00Z'],
    // They go forward on Sunday, March 14, 2027: an hour less.
    ['2027-03-15T14:00:00Z', '2027-03-13T15:00:00Z', '2027-03-14T14:00:00Z'],
    // 2:30 a.m. on the day before does not exist: an hour later.
    ['2027-03-15T06:30:00Z', '2027-03-13T07:30:00Z', '2027-03-14T07:30:00Z'],
  ])('reminds of an appointment at %s at %s and %s', (start, first, second) => {
    const of = (kind: ReminderKind) => reminderTime(kind, new Date(start), zone).toISOString()
    expect([of('reminder_48h'), of('reminder_24h')].map((text) => text.replace('.000', ''))).toEqual([first, second])
  })

  it('reminds two days and one day before at the same time of day, within the look-ahead', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, fc.constantFrom(zone, 'Australia/Lord_Howe', 'UTC', 'America/St_Johns'), (start, timeZone) => {
        const local = toLocal(start, timeZone)
        for (const [kind, days] of [
          ['reminder_48h', 2],
          ['reminder_24h', 1],
        ] as const) {
          const moment = reminderTime(kind, start, timeZone)
          const ahead = start.getTime() - moment.getTime()
          expect(Math.abs(ahead - days * 24 * hour)).toBeLessThanOrEqual(hour + 60_000)
          expect(ahead).toBeLessThan(reminderLookahead)
          const localReminder = toLocal(moment, timeZone)
          // Except when the clocks skip that time.
          if (instantOf(localReminder, timeZone).getTime() === instantOf({ day: localReminder.day, time: local.time }, timeZone).getTime())
            expect(Math.abs(Number(localReminder.time.replace(':', '')) - Number(local.time.replace(':', '')))).toBeLessThanOrEqual(100)
        }
      }),
    )
  })

  const due = (at: string, past: readonly PastNotification[] = [booked], given: object = {}) =>
    reminderDue(new Date(at), planned(given), past, zone)

  it('is due at its exact time and not a millisecond earlier', () => {
    expect(due('2026-11-29T14:59:59.999Z')).toBeNull()
    expect(due('2026-11-29T15:00:00Z')).toBe('reminder_48h')
    const first = notified('reminder_48h', '2026-11-29T15:00:00Z')
    expect(due('2026-11-29T15:01:00Z', [booked, first])).toBeNull()
    expect(due('2026-11-30T14:59:59.999Z', [booked, first])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [booked, first])).toBe('reminder_24h')
    expect(due('2026-12-01T14:59:59.999Z', [booked, first, notified('reminder_24h', '2026-11-30T15:00:00Z')])).toBeNull()
  })

  it('sends a late reminder after downtime, only the later of two, and none once the appointment begins', () => {
    expect(due('2026-11-30T14:00:00Z')).toBe('reminder_48h')
    expect(due('2026-12-01T14:59:59.999Z')).toBe('reminder_24h')
    expect(due('2026-12-01T15:00:00Z')).toBeNull()
  })

  it('skips a reminder that was due before the patient knew the time', () => {
    expect(due('2026-11-29T15:00:00Z', [notified('confirmation', '2026-11-29T14:59:59Z')])).toBe('reminder_48h')
    expect(due('2026-11-29T15:00:00Z', [notified('confirmation', '2026-11-29T15:00:00Z')])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [notified('confirmation', '2026-11-29T15:00:00Z')])).toBe('reminder_24h')
    const moved = [notified('confirmation', '2026-11-20T12:00:00Z', { startsAt: later }), notified('changed', '2026-11-29T18:00:00Z')]
    expect(due('2026-11-29T18:01:00Z', moved)).toBeNull()
    expect(due('2026-11-30T15:00:00Z', moved)).toBe('reminder_24h')
  })

  it('counts from the move back to a time, and ignores a change of provider', () => {
    const away = notified('changed', '2026-11-29T16:00:00Z', { startsAt: later })
    expect(due('2026-11-30T15:00:00Z', [booked, away, notified('changed', '2026-11-30T16:00:00Z')])).toBeNull()
    expect(due('2026-11-30T15:00:00Z', [booked, notified('changed', '2026-11-30T14:59:00Z', { providerId: null })])).toBe('reminder_24h')
  })

  it('skips cancelled, begun, past and unannounced appointments, and times other than the announced one', () => {
    const at = '2026-11-30T15:00:00Z'
    for (const status of ['cancelled', 'arrived', 'completed', 'no_show']) expect(due(at, [booked], { status })).toBeNull()
    expect(due(at, [booked], { status: 'confirmed' })).toBe('reminder_24h')
    expect(due(at, [booked], { notifiesPatient: false })).toBeNull()
    expect(due(at, [])).toBeNull()
    expect(due(at, [booked, notified('cancelled', '2026-11-21T12:00:00Z')])).toBeNull()
    expect(due(at, [booked], { startsAt: new Date('2026-12-01T14:00:00Z') })).toBeNull()
  })

  it('sends each reminder at most once per appointment time, however often it checks', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 5 * 24 * 60 }), { maxLength: 40 })
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 5 * 24 * 60 }), (runs, notifiedAt) => {
        const begin = startsAt.getTime() - 4 * 24 * hour
        const sent = [{ ...booked, createdAt: new Date(begin + notifiedAt * 60_000) }]
        for (const run of runs.toSorted((a, b) => a - b)) {
          const at = new Date(begin + run * 60_000)
          if (at < sent[0]!.createdAt) continue
          const kind = reminderDue(at, planned(), sent, zone)
          if (kind) sent.push({ ...booked, kind, createdAt: at })
        }
        const kinds = sent.slice(1).map(({ kind }) => kind)
        expect(kinds).toEqual(['reminder_48h', 'reminder_24h'].filter((kind) => kinds.includes(kind as ReminderKind)))
        for (const { createdAt } of sent.slice(1)) expect(createdAt < startsAt).toBe(true)
      }),
    )
  })
})
