import { expect, it } from 'vitest'
import { vocabularyOptions } from './vocabulary-options.ts'

const entries = [
  { id: '1', name: 'Rhinoplasty' },
  { id: '2', name: 'Lifting crème' },
]

it('lists everything until something is typed', () => {
  expect(vocabularyOptions(entries, '  ').map(({ value }) => value)).toEqual(['1', '2'])
})

it('finds entries without case and accents, and offers the typed text', () => {
  expect(vocabularyOptions(entries, 'CREME ')).toEqual([
    { value: '2', label: 'Lifting crème' },
    { value: 'CREME', label: 'Use “CREME”' },
  ])
})

it('does not offer the typed text if an entry has that name', () => {
  expect(vocabularyOptions(entries, 'rhinoplasty')).toEqual([{ value: '1', label: 'Rhinoplasty' }])
})
