import { expect, it } from 'vitest'
import { formatLength } from './rules.ts'

it.each([
  [45, '45 min'],
  [60, '1 h'],
  [210, '3 h 30 min'],
])('formats %i minutes as %s', (minutes, text) => {
  expect(formatLength(minutes)).toBe(text)
})
