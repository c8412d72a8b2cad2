import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventTitle, initials } from './rules.ts'

describe('event titles', () => {
  it.each([
    ['Ana', 'Bélanger-Roy', 'A.B.'],
    ['łukasz', 'Nguyễn', 'Ł.N.'],
    ["'Adébáyọ̀", '', 'A.'],
    ['', '', ''],
    ['美', '玲', '美.玲.'],
    ['12', '(unknown)', 'U.'],
  ])('%s %s is %s', (firstName, lastName, expected) => expect(initials({ firstName, lastName })).toBe(expected))

  it('name only the type and the initials', () => {
    expect(eventTitle('consult', { firstName: 'Ana', lastName: 'Silva' })).toBe('Consult A.S.')
    expect(eventTitle('surgery', { firstName: 'Ana', lastName: 'Silva' })).toBe('Surgery A.S.')
    expect(eventTitle('other', { firstName: '', lastName: '' })).toBe('Appointment')
  })

  it('never contain more than one letter of each name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (firstName, lastName) => {
        expect(Array.from(initials({ firstName, lastName }).replaceAll('.', '')).length).toBeLessThanOrEqual(4)
      }),
    )
  })
})
