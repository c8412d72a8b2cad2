import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitEmail, readEmails } from './emails.ts'

describe('readEmails', () => {
  it.each([
    ['ana@x.example', ['ana@x.example']],
    [' ana@x.example\t', ['ana@x.example']],
    ['<ana@x.example>', ['ana@x.example']],
    ['ana@x.example.', ['ana@x.example']],
    ['(ana@x.example),', ['ana@x.example']],
    ['mailto:ana@x.example?subject=Hello', ['ana@x.example']],
    ['<mailto:Ana@x.example>', ['Ana@x.example']],
    ['Ana Silva <ana@x.example>', ['ana@x.example']],
    ['"Silva, Ana" <ana@x.example>', ['ana@x.example']],
    ['Silva, Ana <ana@x.example>', ['ana@x.example']],
    ['ana@x.example <ana@x.example>', ['ana@x.example']],
    ['\u200Bana@x.example\uFEFF', ['ana@x.example']],
    ["o'brien@x.example", ["o'brien@x.example"]],
    ['a@x.example, b@x.example', ['a@x.example', 'b@x.example']],
    ['a@x.example;b@x.example', ['a@x.example', 'b@x.example']],
    ['a@x.example b@x.example A@X.example', ['a@x.example', 'b@x.example']],
    ['a@x.example, Bea <b@x.example>', ['a@x.example', 'b@x.example']],
    ['Ana <a@x.example>; Bea <b@x.example>', ['a@x.example', 'b@x.example']],
  ])('reads %j', (text, emails) => expect(readEmails(text)).toEqual(emails))

  it.each([
    '',
    'x',
    'not an email',
    'ana@x',
    'ana@x.example or by phone',
    'a@x.example, none',
    'nl2@x.example\nBcc: a@b.example',
    'a@x.example\r\nBcc:b@x.example',
    'a@@x.example',
    '<>',
    Array.from({ length: 12 }, (_, i) => `a${i}@x.example`).join(),
    `a@${'sub.'.repeat(70)}example.com`,
    'a@x.example '.repeat(500),
  ])('rejects %j', (text) => expect(readEmails(text)).toBeNull())

  it('returns only addresses for any text', () => {
    const part = fc.constantFrom('a@x.example', 'b@y.example', '<', '>', ',', ';', ' ', '\n', 'mailto:', 'Bcc:', '"', '.', 'Ana', '?')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        for (const email of readEmails(parts.join('')) ?? []) expect(email).toMatch(/^[^\s<>,;:"?@]+@[^\s<>,;:"?@]+$/)
      }),
    )
  })
})

describe('fitEmail', () => {
  const listed = Array.from({ length: 8 }, (_, i) => `person-${i}@a-rather-long-domain-name.example`)

  it('keeps text that fits unchanged', () => expect(fitEmail('Ana <a@x.example>')).toBe('Ana <a@x.example>'))
  it('keeps the whole addresses that fit of a list that is too long', () => {
    const kept = fitEmail(listed.join('; '))
    expect(kept.length).toBeLessThanOrEqual(254)
    expect(listed.join(', ').startsWith(`${kept}, `)).toBe(true)
  })
  it('never turns truncated text into an address', () => {
    expect(readEmails(fitEmail(`a@${'sub.'.repeat(70)}example.com`))).toBeNull()
    expect(readEmails(fitEmail(`${'x'.repeat(300)}@x.example`))).toBeNull()
  })
})
