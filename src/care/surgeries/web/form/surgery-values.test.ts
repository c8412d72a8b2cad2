import { describe, expect, it } from 'vitest'
import { blankSurgery, changesOf, problemsOf, toInput } from './surgery-values.ts'

const timeZone = 'America/Toronto'
const good = blankSurgery({ contactId: 'c', procedureIds: ['p'], anaesthesia: 'general', day: '2026-12-01', time: '08:00' })

describe('the surgery form', () => {
  it.each([
    [{ contactId: null }, { contactId: 'Choose a patient' }],
    [{ procedureIds: [] }, { procedureIds: 'Choose at least one procedure' }],
    [{ anaesthesia: null }, { anaesthesia: 'Select anaesthesia' }],
    [{ surgeonId: 's', assistantIds: ['s'] }, { assistantIds: 'The surgeon cannot also assist' }],
    [{ day: '' }, { day: 'Choose a day' }],
    [{ time: '' }, { time: 'Choose a time' }],
    [{ minutes: '14' }, { minutes: 'At least 15 minutes' }],
    [{ minutes: '961' }, { minutes: 'At most 16 hours' }],
    [{ price: 'a lot' }, { price: 'Enter an amount, like 8,200.00' }],
    [{}, {}],
  ])('%j: %j', (given, problems) => {
    expect(problemsOf({ ...good, ...given })).toEqual(problems)
  })

  it('sends an instant in the practice’s time zone, cents, and null for empty fields', () => {
    expect(toInput({ ...good, price: '8,200.50', notes: ' ' }, timeZone)).toEqual({
      procedureIds: ['p'],
      surgeonId: null,
      assistantIds: [],
      anaesthesia: 'general',
      roomId: null,
      startsAt: '2026-12-01T13:00:00.000Z',
      minutes: 120,
      implants: null,
      priceCents: 820_050,
      notes: null,
    })
  })

  it('sends only the changes of an existing surgery', () => {
    expect(changesOf({ ...good, time: '09:00', procedureIds: ['q', 'p'] }, good, timeZone)).toEqual({
      startsAt: '2026-12-01T14:00:00.000Z',
      procedureIds: ['q', 'p'],
    })
    expect(changesOf({ ...good, price: '0' }, good, timeZone)).toEqual({ priceCents: 0 })
    expect(changesOf(good, good, timeZone)).toEqual({})
  })
})
