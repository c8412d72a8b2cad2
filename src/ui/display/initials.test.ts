import { expect, test } from 'vitest'
import { initials, tintOf } from './initials.ts'

test.each([
  [['Éloïse', 'Tremblay', null], 'ÉT'],
  [['łukasz', 'kowalczyk', null], 'ŁK'],
  [['Olumide', null, 'o@x.ca'], 'O'],
  [['', '  ', 'mireille@x.ca'], 'M'],
  [[null, null, null], 'U'],
] as const)('initials of %j are %s', ([first, last, email], shown) => {
  expect(initials(first, last, email)).toBe(shown)
})

test('gives the same id the same tint', () => {
  expect(tintOf('a')).toBe(tintOf('a'))
  expect(new Set(['a', 'b', 'c', 'd'].map(tintOf)).size).toBe(4)
})
