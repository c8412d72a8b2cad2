import { describe, expect, it } from 'vitest'
import { replySubject, replyAddress, snippetOf, subjectKeyOf } from './rules.ts'

describe('issue 7: the words and addresses of a conversation', () => {
  it.each([
    ['Re: Rhinoplasty quote', 'rhinoplasty quote'],
    ['RE: re: FW:  Rhinoplasty   quote ', 'rhinoplasty quote'],
    ['Re[2]: Rhinoplasty quote', 'rhinoplasty quote'],
    ['AW: WG: Termin', 'termin'],
    ['Réf: Opération', 'opération'],
    ['Regarding my nose', 'regarding my nose'],
    ['', ''],
  ])('%j is the same as %j', (subject, key) => expect(subjectKeyOf(subject)).toBe(key))

  it('an answer is marked once', () => {
    expect([replySubject('Quote'), replySubject('re: Quote')]).toEqual(['Re: Quote', 're: Quote'])
  })
  it('the hash stands after a plus in the address that answers go to', () => {
    expect(replyAddress('team@inbound.example', 'abc')).toBe('team+abc@inbound.example')
  })
  it('the beginning is one line, without what is quoted', () => {
    expect(snippetOf('Hello,\r\n\r\nyes please.\r\n> On Monday you wrote')).toBe('Hello, yes please.')
    expect(snippetOf('> all quoted')).toBe('> all quoted')
    expect(snippetOf('x'.repeat(500))).toHaveLength(160)
  })
})
