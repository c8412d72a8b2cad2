import { expect, it } from 'vitest'
import { newTagName } from './tag-name.ts'

const tags = [{ name: 'Welcome' }, { name: 'Prefers French' }]

it('makes a tag of what is typed, without stray spaces', () => {
  expect(newTagName('  Night   calls ', tags)).toBe('Night calls')
})

it('makes none of nothing, and none that exists in another case', () => {
  expect(newTagName('   ', tags)).toBeNull()
  expect(newTagName('welcome ', tags)).toBeNull()
  expect(newTagName('prefers  french', tags)).toBeNull()
  expect(newTagName('Wel', tags)).toBe('Wel')
})
