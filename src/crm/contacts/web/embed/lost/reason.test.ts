import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lostReason } from '../../../contact-contract.ts'
import { lostReasons } from '../../../rules.ts'
import { reasonOf } from './reason.ts'

it('returns the common reason, the typed details, or both', () => {
  expect(reasonOf('Price', ' ')).toBe('Price')
  expect(reasonOf('Price', ' wants to  save up ')).toBe('Price: wants to save up')
  expect(reasonOf(null, 'moved abroad')).toBe('moved abroad')
  expect(reasonOf(null, ' ')).toBeNull()
})

it('always returns a valid reason, for any length and characters', () => {
  fc.assert(
    fc.property(fc.option(fc.constantFrom(...lostReasons)), fc.string({ unit: 'binary', maxLength: 250 }), (common, typed) => {
      const reason = reasonOf(common, typed)
      expect(lostReason.parse(reason)).toBe(reason)
    }),
  )
})
