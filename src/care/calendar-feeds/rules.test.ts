import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventTitle, initials } from './rules.ts'

describe('issue 8: a provider’s calendar names a patient by their initials', () => {
  it.each([
    ['Ana', 'Bélanger-Roy', 'A.B.'],
    ['łukasz', 'Nguyễn', 'Ł.N.'],
    ["'Adébáyọ̀", '', 'A.'],
    ['', '', ''],
    ['美', '玲', '美.玲.'],
    ['12', '(unknown)', 'U.'],
  ])('%s %s is %s', (firstName, lastName, said) => expect(initials({ firstName, lastName })).toBe(said))

  it('says what kind of time it is, and no more', () => {
    expect(eventTitle('consult', { firstName: 'Ana', lastName: 'Silva' })).toBe('Consult A.S.')
    expect(eventTitle('surgery', { firstName: 'Ana', lastName: 'Silva' })).toBe('Surgery A.S.')
    expect(eventTitle('other', { firstName: '', lastName: '' })).toBe('Appointment')
  })

  it('whatever a patient is called, no more than one letter of each name is told', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (firstName, lastName) => {
        expect(Array.from(initials({ firstName, lastName }).replaceAll('.', '')).length).toBeLessThanOrEqual(4)
      }),
    )
  })
})
