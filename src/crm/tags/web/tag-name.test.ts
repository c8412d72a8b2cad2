import { expect, it } from 'vitest'
import { newTagName } from './tag-name.ts'

const tags = [{ name: 'Welcome' }, { name: 'Prefers French' }]

it('turns the typed text into a tag name without extra spaces', () => {
  expect(newTagName('  Night   calls ', tags)).toBe('Night calls')
})

it('returns no name for empty text or for a tag that exists in another case', () => {
  expect(newTagName('   ', tags)).toBeNull()
  expect(newTagName('welcome ', tags)).toBeNull()
  expect(newTagName('prefers  french', tags)).toBeNull()
  expect(newTagName('Wel', tags)).toBe('Wel')
})
