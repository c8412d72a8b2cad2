import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cardProblems,
  formatNumber,
  hasCheckDigit,
  healthCardMessages,
  lastFour,
  maskNumber,
  normalizeNumber,
  provinceCodes,
} from './rules.ts'

const ontario = (number: string, versionCode: string | null = null) => cardProblems({ province: 'ON', number, versionCode })
const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''))
const withCheckDigit = (nine: string) => Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find(hasCheckDigit)!

describe('Ontario numbers', () => {
  it.each([
    ['9876543217', null, {}],
    ['9876543217', 'AB', {}],
    ['9876543217', 'A', {}],
    ['9876543218', null, { number: healthCardMessages.ontarioCheck }],
    ['987654321', null, { number: healthCardMessages.ontarioLength }],
    ['98765432170', null, { number: healthCardMessages.ontarioLength }],
    ['98765A3217', null, { number: healthCardMessages.ontarioLength }],
    ['9876543217', '1A', { versionCode: healthCardMessages.versionCode }],
    ['', 'ABC', { number: healthCardMessages.ontarioLength, versionCode: healthCardMessages.versionCode }],
  ])('checks %s with version %s', (number, versionCode, problems) => {
    expect(ontario(number, versionCode)).toEqual(problems)
  })

  it('have exactly one valid check digit, and notice each mistyped digit', () => {
    fc.assert(
      fc.property(digits(9), fc.nat(9), fc.integer({ min: 1, max: 9 }), (nine, place, by) => {
        const number = withCheckDigit(nine)
        expect(Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).filter(hasCheckDigit)).toEqual([number])
        const mistyped = [...number].with(place, String((Number(number[place]) + by) % 10)).join('')
        expect(ontario(mistyped)).toEqual({ number: healthCardMessages.ontarioCheck })
      }),
    )
  })

  it('are the same number however they are grouped', () => {
    fc.assert(
      fc.property(digits(9), fc.array(fc.constantFrom('', ' ', '-', '  '), { minLength: 10, maxLength: 10 }), (nine, gaps) => {
        const number = withCheckDigit(nine)
        expect(normalizeNumber([...number].map((digit, at) => digit + gaps[at]).join(''))).toBe(number)
      }),
    )
  })
})

describe('numbers of other provinces', () => {
  it.each(provinceCodes.filter((province) => province !== 'ON'))(
    'of %s have 6 to 12 letters and digits and no version code',
    (province) => {
      const check = (number: string, versionCode: string | null = null) => cardProblems({ province, number, versionCode })
      for (const number of ['123456', 'TREM88531412', '123456789']) expect(check(number)).toEqual({})
      for (const number of ['12345', '1234567890123', 'ABC_123', 'ÉLO123456', ''])
        expect(check(number)).toEqual({ number: healthCardMessages.otherLength })
      expect(check('123456789', 'AB')).toEqual({ versionCode: healthCardMessages.noVersionCode })
    },
  )
})

it('shows the last four characters only, and the whole number in groups', () => {
  expect(maskNumber(lastFour('9876543217'))).toBe('•••• 3217')
  expect(formatNumber({ province: 'ON', number: '9876543217', versionCode: 'AB' })).toBe('9876 543 217 AB')
  expect(formatNumber({ province: 'QC', number: 'TREM88531412', versionCode: null })).toBe('TREM88531412')
})
