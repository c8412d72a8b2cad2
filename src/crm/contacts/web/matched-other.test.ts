import { expect, it } from 'vitest'
import { matchedOther } from './matched-other.ts'

const ana = {
  email: 'ana@home.example',
  otherEmails: ['Ana.Silva@work.example'],
  phone: '4165550101',
  otherPhones: ['905-555-0102', '+44 20 7946 0018'],
}

it.each([
  ['WORK', 'Ana.Silva@work.example'],
  ['0102', '(905) 555-0102'],
  ['(905) 555', '(905) 555-0102'],
  ['79460018', '+44 20 7946 0018'],
  ['ana', null],
  ['555', null],
  ['silva ana', null],
  [' ', null],
])('finds for the search %j the matching other email or phone %j', (term, expected) => expect(matchedOther(ana, term)).toBe(expected))

it('returns null for a patient without other emails and phones', () => {
  expect(matchedOther({ email: null, otherEmails: [], phone: null, otherPhones: [] }, 'ana')).toBeNull()
})
