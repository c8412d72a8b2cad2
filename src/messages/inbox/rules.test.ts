import { describe, expect, it } from 'vitest'
import { replySubject, replyAddress, snippetOf, subjectKeyOf } from './rules.ts'

describe('text and addresses of a conversation', () => {
  it.each([
    ['Re: Rhinoplasty quote', 'rhinoplasty quote'],
    ['RE: re: FW:  Rhinoplasty   quote ', 'rhinoplasty quote'],
    ['Re[2]: Rhinoplasty quote', 'rhinoplasty quote'],
    ['AW: WG: Termin', 'termin'],
    ['Réf: Opération', 'opération'],
    ['Regarding my nose', 'regarding my nose'],
    ['', ''],
  ])('treats %j and %j as the same subject', (subject, key) => expect(subjectKeyOf(subject)).toBe(key))

  it('adds one Re: to a reply', () => {
    expect([replySubject('Quote'), replySubject('re: Quote')]).toEqual(['Re: Quote', 're: Quote'])
  })
  it('puts the hash after a plus in the reply address', () => {
    expect(replyAddress('team@inbound.example', 'abc')).toBe('team+abc@inbound.example')
  })
  it('makes a one-line snippet without quoted text', () => {
    expect(snippetOf('Hello,\r\n\r\nyes please.\r\n> On Monday you wrote')).toBe('Hello, yes please.')
    expect(snippetOf('> all quoted')).toBe('> all quoted')
    expect(snippetOf('x'.repeat(500))).toHaveLength(160)
  })
})
