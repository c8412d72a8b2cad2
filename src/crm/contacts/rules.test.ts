import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allOf, digitPairKeys, hasTrigram, listLabels, listsTwice, madePrimary, readTerm, withPrimary, describeChange } from './rules.ts'

describe('search terms (spec 5)', () => {
  it.each([undefined, '', '  ', '\t\n'])('treats %j as no search', (term) => expect(readTerm(term)).toBeNull())
  it.each([
    [' Ana   Silva ', 'Ana Silva', ['Ana', 'Silva'], null],
    ['905', '905', ['905'], '905'],
    ['(905) 555-0142', '(905) 555-0142', ['(905)', '555-0142'], '9055550142'],
    ['+1 905.555', '+1 905.555', ['+1', '905.555'], '1905555'],
    ['12', '12', ['12'], null],
    ['905a', '905a', ['905a'], null],
    ['() -', '() -', ['()', '-'], null],
  ])('reads %j', (term, phrase, words, digits) => expect(readTerm(term)).toEqual({ phrase, words, digits }))

  it('gives each ordered pair of any digits a key, at most eight and none twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }), (digits) => {
        const keys = digitPairKeys(digits)
        const pairs = new Set([...digits].flatMap((a, i) => Array.from(digits.slice(i + 1), (b) => -1 - (10 * Number(a) + Number(b)))))
        expect(new Set(keys).size).toBe(keys.length)
        expect(keys.length).toBe(Math.min(8, pairs.size))
        expect(keys.every((key) => pairs.has(key))).toBe(true)
      }),
    )
  })

  it.each([
    ['ana', true],
    ['éloïse', true],
    ['x204', true],
    ['an', false],
    ['a-b', false],
    ['中村さん', false],
    ['łuk', false],
  ])('detects whether %j has a trigram: %s', (term, has) => expect(hasTrigram(term)).toBe(has))
})

describe('labels of changed fields', () => {
  it('lists each label once', () => {
    expect(listLabels(['phone'])).toBe('Phone')
    expect(listLabels(['leadSourceId', 'leadSourceText'])).toBe('Lead source')
    expect(listLabels(['procedureId', 'procedureText', 'city'])).toBe('Procedure of interest and City')
  })
})

it('describes a single short field with old and new value, and a clinical one without', () => {
  const describePhone = (was: unknown, is: unknown, field = 'phone') => describeChange({ [field]: was }, { [field]: is }, [field])
  expect(describePhone('905 555 0142', '905 555 0177')).toBe('Phone changed from 905 555 0142 to 905 555 0177')
  expect(describePhone(null, '905 555 0177')).toBe('Phone added: 905 555 0177')
  expect(describePhone('905 555 0142', null)).toBe('Phone removed: 905 555 0142')
  expect(describePhone('allergic', 'not allergic', 'notes')).toBe('Notes changed')
  expect(describeChange({}, {}, ['phone', 'city'])).toBe('Phone and City changed')
})

describe('primary and other emails and phones', () => {
  const points = fc.record({ primary: fc.option(fc.string()), others: fc.array(fc.string(), { maxLength: 10 }) })

  it('always has a primary if there is any, and keeps all of them in order', () => {
    fc.assert(
      fc.property(points, (before) => {
        const after = withPrimary(before)
        expect(allOf(after)).toEqual(allOf(before))
        expect(after.primary === null).toBe(allOf(before).length === 0)
        expect(withPrimary(after)).toEqual(after)
        if (before.primary !== null) expect(after).toEqual(before)
      }),
    )
  })

  it('swaps the primary with another one, and swaps back', () => {
    fc.assert(
      fc.property(points, fc.nat(12), (given, index) => {
        const before = withPrimary(given)
        const after = madePrimary(before, index)
        expect(after.primary).toBe(before.others[index] ?? before.primary)
        expect(allOf(after).toSorted()).toEqual(allOf(before).toSorted())
        expect(madePrimary(after, index)).toEqual(before)
      }),
    )
  })

  it.each([
    [[], false],
    [['a', 'b'], false],
    [['a', 'b', 'a'], true],
  ])('detects whether %j has a duplicate: %j', (keys, expected) => expect(listsTwice(keys)).toBe(expected))
})
