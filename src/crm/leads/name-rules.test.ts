import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitFullName } from './name-rules.ts'

describe('splitFullName', () => {
  it.each([
    ['Ana Silva', 'Ana', 'Silva'],
    ['  Ana \t Silva ', 'Ana', 'Silva'],
    ['van der Berg, Anna', 'Anna', 'van der Berg'],
    ['Anna van der Berg', 'Anna', 'van der Berg'],
    ['ANNA VAN DER BERG', 'ANNA', 'VAN DER BERG'],
    ['Fay De La Cruz', 'Fay', 'De La Cruz'],
    ['María José De la Cruz', 'María José', 'De la Cruz'],
    ['Ana Maria da Silva', 'Ana Maria', 'da Silva'],
    ['Mary Anne Smith', 'Mary Anne', 'Smith'],
    ['José Ortega y Gasset', 'José', 'Ortega y Gasset'],
    ["Siobhán O'Brien-Li", 'Siobhán', "O'Brien-Li"],
    ['Emma St. John', 'Emma', 'St. John'],
    ['Van Morrison', 'Van', 'Morrison'],
    ['Mai Le', 'Mai', 'Le'],
    ['Dr. Ana Silva, MD', 'Ana', 'Silva'],
    ['Silva, Dr. Ana', 'Ana', 'Silva'],
    ['John Smith Jr.', 'John', 'Smith Jr.'],
    ['John Smith, Jr.', 'John', 'Smith Jr.'],
    ['Smith, John, III', 'John', 'Smith III'],
    ['Nguyễn Thị Ánh', 'Nguyễn Thị', 'Ánh'],
    ['Madonna', 'Madonna', null],
    ['Dr. Silva', 'Silva', null],
    ['Miss', 'Miss', null],
    ['王小明', '王小明', null],
    ['Silva,', 'Silva', null],
    [', Ana Silva', 'Ana', 'Silva'],
  ])('splits %j into %j / %j', (text, firstName, lastName) => expect(splitFullName(text)).toEqual({ firstName, lastName }))

  it.each(['', ' ', ',', '- -', '416 555 0100', 'ana@example.com', 'Visit https://evil.example now'])('returns null for %j', (text) =>
    expect(splitFullName(text)).toBeNull(),
  )

  const word = fc
    .string({ unit: fc.constantFrom(...'abcéñł'), minLength: 5, maxLength: 12 })
    .map((letters) => letters[0]!.toUpperCase() + letters.slice(1))

  it('reads both orders of a name alike, with any particle', () => {
    const particle = fc.constantFrom('', 'de ', 'De La ', 'van der ', 'da ', 'von ')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 2 }), particle, word, (given, before, family) => {
        const expected = { firstName: given.join(' '), lastName: `${before}${family}` }
        expect(splitFullName(`${expected.firstName} ${expected.lastName}`)).toEqual(expected)
        expect(splitFullName(`${expected.lastName}, ${expected.firstName}`)).toEqual(expected)
      }),
    )
  })

  it('keeps all words of a plain name in order', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 8 }), (words) => {
        const split = splitFullName(words.join('  '))!
        expect(`${split.firstName} ${split.lastName}`).toBe(words.join(' '))
      }),
    )
  })

  it('never throws or returns an empty first name', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const split = splitFullName(text)
        if (split) expect(split.firstName.trim()).not.toBe('')
      }),
    )
  })
})
