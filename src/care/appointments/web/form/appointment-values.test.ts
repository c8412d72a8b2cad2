import { describe, expect, it } from 'vitest'
import { blankAppointment, changesOf, problemsOf, toInput, withType, withVisitType } from './appointment-values.ts'

const timeZone = 'America/Toronto'
const good = blankAppointment({ contactId: 'c', day: '2026-11-26', time: '10:15' })

describe('the booking form', () => {
  it.each([
    [{ contactId: null }, { contactId: 'Choose a patient' }],
    [{ day: '' }, { day: 'Choose a day' }],
    [{ time: '' }, { time: 'Choose a time' }],
    [{ minutes: '' }, { minutes: 'At least 5 minutes' }],
    [{ minutes: '4' }, { minutes: 'At least 5 minutes' }],
    [{ minutes: '721' }, { minutes: 'At most 12 hours' }],
    [{ minutes: '7.5' }, { minutes: 'At least 5 minutes' }],
    [{}, {}],
  ])('%j: %j', (given, problems) => {
    expect(problemsOf({ ...good, ...given })).toEqual(problems)
  })

  it('uses the default duration of the type until another one is typed', () => {
    expect(good.minutes).toBe('45')
    expect(withType(good, 'treatment').minutes).toBe('60')
    expect(withType({ ...good, minutes: '50' }, 'treatment').minutes).toBe('50')
  })

  it('takes type and duration of a visit type, and keeps people and rooms that it has', () => {
    const visitType = { id: 'v', type: 'treatment' as const, minutes: 30, providerIds: ['p'], secondIds: [], roomIds: ['r'] }
    const chosen = (given: object) => withVisitType({ ...good, ...given }, visitType as unknown as Parameters<typeof withVisitType>[1])
    expect(chosen({ providerId: 'p', roomId: 'r' })).toMatchObject({
      visitTypeId: 'v',
      type: 'treatment',
      minutes: '30',
      providerId: 'p',
      roomId: 'r',
    })
    expect(chosen({ providerId: 'q', secondPersonId: 'n', roomId: 's' })).toMatchObject({
      providerId: null,
      secondPersonId: null,
      roomId: null,
    })
    expect(withVisitType(chosen({}), null)).toMatchObject({ visitTypeId: null, type: 'treatment', minutes: '30' })
  })

  it('sends an instant in the practice’s time zone, and null for empty notes', () => {
    expect(toInput({ ...good, notes: ' ' }, timeZone)).toEqual({
      visitTypeId: null,
      type: 'consult',
      providerId: null,
      secondPersonId: null,
      notifiesPatient: true,
      roomId: null,
      startsAt: '2026-11-26T15:15:00.000Z',
      minutes: 45,
      notes: null,
    })
  })

  it('sends only the changes of an existing appointment', () => {
    expect(changesOf({ ...good, time: '10:30', notes: 'Brings her mother' }, good, timeZone)).toEqual({
      startsAt: '2026-11-26T15:30:00.000Z',
      notes: 'Brings her mother',
    })
    expect(changesOf({ ...good, providerId: 'p' }, good, timeZone)).toEqual({ providerId: 'p' })
  })
})
