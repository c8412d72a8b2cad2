import { describe, expect, it } from 'vitest'
import { linkState, formatRescheduleRequest } from './link-rules.ts'
import type { AppointmentStatus } from './rules.ts'

const now = new Date('2026-11-21T15:00:00Z')
const startsAt = new Date('2026-12-01T15:00:00Z')
const later = new Date('2026-12-02T15:00:00Z')
const state = (status: AppointmentStatus, mailedFor = startsAt, at = now) => linkState(at, mailedFor, { status, startsAt })

describe('the state of an email link', () => {
  it('is valid until the appointment begins', () => {
    expect(state('booked')).toBe('booked')
    expect(state('confirmed')).toBe('confirmed')
    expect(state('booked', startsAt, new Date(startsAt.getTime() - 1))).toBe('booked')
    expect(state('booked', startsAt, startsAt)).toBeNull()
  })
  it('reports a move or a cancellation until the emailed time has passed', () => {
    expect(state('booked', later)).toBe('moved')
    expect(state('cancelled')).toBe('cancelled')
    expect(state('cancelled', startsAt, later)).toBeNull()
    expect(linkState(now, now, { status: 'booked', startsAt })).toBeNull()
    expect(linkState(now, later, { status: 'booked', startsAt: now })).toBeNull()
  })
  it.each(['arrived', 'completed', 'no_show'] as const)('shows nothing of an appointment that is %s', (status) =>
    expect(state(status)).toBeNull(),
  )
})

describe('the text of a reschedule request', () => {
  it.each([
    [{ weekdays: [], dayParts: [], words: null }, 'Any other time.'],
    [{ weekdays: [5, 1], dayParts: ['evening', 'morning'], words: null }, 'Monday, Friday. Mornings, Evenings.'],
    [{ weekdays: [], dayParts: ['afternoon'], words: 'After 3.' }, 'Afternoons.\nAfter 3.'],
    [{ weekdays: [], dayParts: [], words: 'In January' }, 'In January'],
  ] as const)('%j', (request, text) => expect(formatRescheduleRequest(request)).toBe(text))
})
