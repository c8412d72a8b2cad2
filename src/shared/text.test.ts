import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digitsOf } from './digits.ts'
import { isStorable } from './text.ts'
import { optionalText, requiredLine, requiredText } from './text-shapes.ts'

describe('typed text', () => {
  it('is trimmed and must be storable in PostgreSQL', () => {
    expect(requiredText(10, '').parse('  Ana ')).toBe('Ana')
    for (const value of ['a\0b', 'a\ud800', '\udc00b']) expect(requiredText(10, '').safeParse(value).success).toBe(false)
    expect(requiredText(10, '').parse('😀')).toBe('😀')
  })
  it('has a maximum length', () => {
    expect(requiredText(3, '').safeParse('abc').success).toBe(true)
    expect(requiredText(3, '').safeParse('abcd').error?.issues[0]?.message).toBe('Use at most 3 characters')
    expect(optionalText(20_000).safeParse('x'.repeat(20_001)).error?.issues[0]?.message).toBe('Use at most 20,000 characters')
  })
  it('treats spaces as empty: an error if required, null if optional', () => {
    expect(requiredText(10, 'Name is required').safeParse('  ').error?.issues[0]?.message).toBe('Name is required')
    expect([optionalText(10).parse(' '), optionalText(10).parse(null), optionalText(10).parse(' x ')]).toEqual([null, null, 'x'])
  })
  it.each([
    ['on one line', requiredLine],
    ['on several lines', requiredText],
  ])('%s, treats invisible characters as empty but keeps joiners within words (issue 29)', (_, required) => {
    for (const value of ['\u200b', '\u200d', '\u2800 \u2800', '\u00ad\u3164', '\u115f', '\uffa0', '\u2060\u180e'])
      expect(required(10, 'Name is required').safeParse(value).error?.issues[0]?.message).toBe('Name is required')
    for (const value of ['ن\u200cا', '👩\u200d⚕️', '·']) expect(required(10, '').parse(value)).toBe(value)
  })
  it('is storable if it survives UTF-8 and has no NUL, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(isStorable(value)).toBe(Buffer.from(value).toString() === value && !value.includes('\0'))
      }),
    )
  })
})

it('extracts only ASCII digits', () => expect(digitsOf('+1 (905) 555-0142 x²٣')).toBe('19055550142'))
