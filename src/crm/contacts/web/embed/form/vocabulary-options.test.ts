import { expect, it } from 'vitest'
import { vocabularyOptions } from './vocabulary-options.ts'

const entries = [
  { id: '1', name: 'Rhinoplasty' },
  { id: '2', name: 'Lifting crème' },
]

it('lists everything until something is typed', () => {
  expect(vocabularyOptions(entries, '  ').map(({ value }) => value)).toEqual(['1', '2'])
})

it('finds in any case and without accents, and offers what is typed as it is', () => {
  expect(vocabularyOptions(entries, 'CREME ')).toEqual([
    { value: '2', label: 'Lifting crème' },
    { value: 'CREME', label: 'Use “CREME”' },
  ])
})

it('does not offer what is called that already', () => {
  expect(vocabularyOptions(entries, 'rhinoplasty')).toEqual([{ value: '1', label: 'Rhinoplasty' }])
})
