import { describe, expect, it } from 'vitest'
import { readRecipients, withRecipients } from './recipients.ts'

describe('recipients, typed or pasted', () => {
  it.each([
    ['ana@a.example', [{ name: '', email: 'ana@a.example' }]],
    ['Ana Silva <ana@a.example>', [{ name: 'Ana Silva', email: 'ana@a.example' }]],
    [
      '"Silva, Ana" <ana@a.example>; <bo@b.example>',
      [
        { name: 'Silva, Ana', email: 'ana@a.example' },
        { name: '', email: 'bo@b.example' },
      ],
    ],
    [
      'ana@a.example bo@b.example\nLi <li@c.example>,',
      [
        { name: '', email: 'ana@a.example' },
        { name: '', email: 'bo@b.example' },
        { name: 'Li', email: 'li@c.example' },
      ],
    ],
    ['Łukasz Nguyễn <l@a.example>', [{ name: 'Łukasz Nguyễn', email: 'l@a.example' }]],
    ['  , ;', []],
  ])('%j', (text, people) => {
    expect(readRecipients(text)).toEqual({ people, rest: '' })
  })

  it('leaves text that is not an address as typed', () => {
    expect(readRecipients('ana, bo@b.example, Li <li@>')).toEqual({ people: [{ name: '', email: 'bo@b.example' }], rest: 'ana, Li <li@>' })
  })

  it('lists no recipient twice', () => {
    const ana = { name: 'Ana', email: 'ana@a.example' }
    expect(
      withRecipients(
        [ana],
        [
          { name: '', email: 'ANA@a.example' },
          { name: '', email: 'bo@b.example' },
        ],
      ),
    ).toEqual([ana, { name: '', email: 'bo@b.example' }])
  })
})
