import { expect, it } from 'vitest'
import { formatMoves } from './format-moves.ts'

it('counts moved rows in singular and plural, and returns null for none', () => {
  const moves = [
    { kind: 'interactions', moved: 1234, dropped: 0 },
    { kind: 'contact_tags', moved: 1, dropped: 2 },
    { kind: 'lead_entries', moved: 0, dropped: 0 },
  ] as const
  expect(formatMoves(moves, 'moved')).toBe('1,234 timeline entries and 1 tag')
  expect(formatMoves(moves, 'dropped')).toBe('2 tags')
  expect(formatMoves([], 'moved')).toBeNull()
})
