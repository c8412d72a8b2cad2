import { describe, expect, it } from 'vitest'
import { namesOf, othersIn } from './mailbox-data.ts'

const own = 'Reception@clinic.example'
const me = { name: 'Reception', email: 'reception@clinic.example' }
const ana = { name: 'Ana Silva', email: 'ana@a.example' }
const bo = { name: ' ', email: 'bo@b.example' }
const li = { name: 'Li', email: 'li@c.example' }

describe('the people of an email', () => {
  it('lists everyone but oneself, by name or address', () => {
    expect(othersIn([me, ana, bo], own)).toBe('Ana Silva, bo@b.example')
    expect(othersIn([me], own)).toBe('Me')
    expect(othersIn([], own)).toBe('Me')
  })

  it('summarizes the recipients in a line above the email', () => {
    expect(namesOf([me], own)).toBe('me')
    expect(namesOf([ana, me], own)).toBe('Ana Silva and me')
    expect(namesOf([ana, me, li], own)).toBe('Ana Silva and 2 others')
    expect(namesOf([], own)).toBe('undisclosed recipients')
  })
})
