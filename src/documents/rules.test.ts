import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberedNames, safeName } from './rules.ts'

const pieces = [
  '.',
  ' ',
  '/',
  '\\',
  '..',
  'con',
  'NUL',
  'é',
  'e\u0301',
  '\u202e',
  '\u200f',
  '\u061c',
  '\ud800',
  '\0',
  '\x7f',
  '📷',
  '.pdf',
  '.docx',
  '"',
  ':',
  'ﬁ',
  'a',
]
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom('.', ' ', '. ', 'abc', '📷', 'CON'), { minLength: 60, maxLength: 120 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', minLength: 140, maxLength: 160 }).map((name) => `${name}.pdf`),
)
const plainName = fc
  .array(fc.constantFrom('a', 'B', 'b', ' (2)', '.pdf', '.PDF', ' (3)', 'İ', 'ß'), { maxLength: 5 })
  .map((parts) => parts.join(''))

describe('safe names', () => {
  // oxlint-disable-next-line no-control-regex -- these characters must be removed
  const forbidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff/\\:*?"<>|]/
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\scan.pdf', 'scan.pdf'],
    ['in\u202efdp.exe', 'in fdp.exe'],
    ['con.pdf', 'con_.pdf'],
    ['.htaccess', 'htaccess'],
    ['', 'document'],
    ['...', 'document'],
    [`${'a'.repeat(300)}.docx`, `${'a'.repeat(145)}.docx`],
    ['Scan of May.pdf', 'Scan of May.pdf'],
  ])('turns %j into %j', (given, expected) => expect(safeName(given)).toBe(expected))

  test('returns one visible path segment that is neither empty nor too long and does not change when applied again', () => {
    fc.assert(
      fc.property(anyName, (given) => {
        const name = safeName(given)
        expect(name).not.toMatch(forbidden)
        expect(name.isWellFormed()).toBe(true)
        expect(name.trim()).not.toBe('')
        expect(['.', '..']).not.toContain(name)
        expect(name.length).toBeLessThanOrEqual(150)
        expect(safeName(name)).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('numbered names', () => {
  test('number duplicates regardless of case', () => {
    expect(numberedNames(['a.pdf', 'A.PDF', 'a (2).pdf', 'a.pdf', 'b'])).toEqual(['a.pdf', 'A (2).PDF', 'a (2) (2).pdf', 'a (3).pdf', 'b'])
  })
  test('differ in more than case, keep the order, and leave unique names unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            plainName,
            anyName.map((name) => safeName(name)),
          ),
          { maxLength: 30 },
        ),
        (names) => {
          const numbered = numberedNames(names)
          expect(numbered.length).toBe(names.length)
          expect(new Set(numbered.map((name) => name.toLowerCase())).size).toBe(names.length)
          for (const [i, name] of numbered.entries()) {
            if (name === names[i]) continue
            const stem = names[i]!.replace(/\.[a-z0-9]{1,8}$/i, '')
            expect(name.startsWith(`${stem} (`)).toBe(true)
            expect(numbered.slice(0, i).some((other) => other.toLowerCase() === names[i]!.toLowerCase())).toBe(true)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})
