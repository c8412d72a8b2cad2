import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lostReason } from '../../../contract.ts'
import { lostReasons } from '../../../rules.ts'
import { reasonOf } from './reason.ts'

it('is the usual reason, what was typed, or both', () => {
  expect(reasonOf('Price', ' ')).toBe('Price')
  expect(reasonOf('Price', ' wants to  save up ')).toBe('Price: wants to save up')
  expect(reasonOf(null, 'moved abroad')).toBe('moved abroad')
  expect(reasonOf(null, ' ')).toBeNull()
})

it('is always what the contract takes, however long, whatever the characters', () => {
  fc.assert(
    fc.property(fc.option(fc.constantFrom(...lostReasons)), fc.string({ unit: 'binary', maxLength: 250 }), (usual, typed) => {
      const reason = reasonOf(usual, typed)
      expect(lostReason.parse(reason)).toBe(reason)
    }),
  )
})
