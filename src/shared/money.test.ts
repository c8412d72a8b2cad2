import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsToText, textToCents } from './money.ts'

describe('textToCents', () => {
  it.each([
    ['8200', 820_000],
    ['$8,200.50', 820_050],
    ['8,200.5', 820_050],
    [' 1 234 567.89 ', 123_456_789],
    ['0', 0],
    ['12.', 1200],
    ['0.07', 7],
  ])('reads %s as %i cents', (typed, cents) => {
    expect(textToCents(typed)).toBe(cents)
  })
  it('returns null for an empty text', () => {
    expect(textToCents('  ')).toBeNull()
  })
  it.each(['$', 'abc', '-5', '1.234', '1,23', '12,3456', '1e3', '1.2.3', '.5', '1234567890123'])('rejects %s', (typed) => {
    expect(textToCents(typed)).toBeUndefined()
  })
})

it('formats cents so that they read back unchanged', () => {
  expect([0, 7, 70, 820_000, 123_456_789].map(centsToText)).toEqual(['0.00', '0.07', '0.70', '8,200.00', '1,234,567.89'])
  expect(centsToText(null)).toBe('')
  fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (cents) => textToCents(centsToText(cents)) === cents))
})
