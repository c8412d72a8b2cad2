import { describe, expect, it } from 'vitest'
import { blankAppointment, changesOf, problemsOf, sentOf, withType } from './appointment-values.ts'

const timeZone = 'America/Toronto'
const good = blankAppointment({ contactId: 'c', day: '2026-11-26', time: '10:15' })

describe('issue 8: the booking form', () => {
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

  it('takes the usual time of its kind until another length is typed', () => {
    expect(good.minutes).toBe('45')
    expect(withType(good, 'treatment').minutes).toBe('60')
    expect(withType({ ...good, minutes: '50' }, 'treatment').minutes).toBe('50')
  })

  it('sends the instant of the practice’s clock, and empty notes as none', () => {
    expect(sentOf({ ...good, notes: ' ' }, timeZone)).toEqual({
      type: 'consult',
      providerId: null,
      tellsPatient: true,
      roomId: null,
      startsAt: '2026-11-26T15:15:00.000Z',
      minutes: 45,
      notes: null,
    })
  })

  it('sends of one that there is what was changed alone', () => {
    expect(changesOf({ ...good, time: '10:30', notes: 'Brings her mother' }, good, timeZone)).toEqual({
      startsAt: '2026-11-26T15:30:00.000Z',
      notes: 'Brings her mother',
    })
    expect(changesOf({ ...good, providerId: 'p' }, good, timeZone)).toEqual({ providerId: 'p' })
  })
})
