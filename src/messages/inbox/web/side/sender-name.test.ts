import { describe, expect, it } from 'vitest'
import { namesOf } from './sender-name.ts'

describe('the suggested name for an unknown sender', () => {
  it.each([
    ['Ana Maria Silva', { firstName: 'Ana Maria', lastName: 'Silva' }],
    ['Silva, Ana', { firstName: 'Ana', lastName: 'Silva' }],
    ['Ana', { firstName: '', lastName: 'Ana' }],
    ['  "Ana"   Silva ', { firstName: 'Ana', lastName: 'Silva' }],
    ['ana@mail.example', { firstName: '', lastName: 'ana.silva' }],
    [null, { firstName: '', lastName: 'ana.silva' }],
  ])('%s', (name, names) => {
    expect(namesOf(name, 'ana.silva@mail.example')).toEqual(names)
  })
})
