import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigit, readLabel, toGtin } from './barcode-rules.ts'

const today = '2026-11-27'
const gs = '\u001D'
const gtin = '00081317004769'
const nothing = { gtin: null, lot: null, serial: null, expiresOn: null, madeOn: null }

describe('the label of a device', () => {
  it.each([
    [
      'a breast implant',
      `01${gtin}11240115172901311078${gs}21S-12`,
      { gtin, madeOn: '2024-01-15', expiresOn: '2029-01-31', lot: '78', serial: 'S-12' },
    ],
    ['a symbology identifier', `]d201${gtin}10AB`, { gtin, lot: 'AB' }],
    ['FNC1 in front', `${gs}01${gtin}10AB${gs}`, { gtin, lot: 'AB' }],
    ['a separator after a value of fixed length', `01${gtin}${gs}17290131${gs}10AB`, { gtin, expiresOn: '2029-01-31', lot: 'AB' }],
    ['the text below the code', `(01)${gtin}(17)290131(10)AB(21)7`, { gtin, expiresOn: '2029-01-31', lot: 'AB', serial: '7' }],
    ['spaces around', `  01${gtin} `, { gtin }],
    ['only a GTIN', gtin, { gtin }],
    ['a GTIN of 13 digits', '4006381333931', { gtin: '04006381333931' }],
    ['a GTIN of 12 digits that begins like an identifier', '012345678905', { gtin: '00012345678905' }],
    ['a GTIN of 12 digits in groups', '0 12345 67890 5', { gtin: '00012345678905' }],
    ['identifiers that are not kept', `01${gtin}240REF-7${gs}30120${gs}10AB`, { gtin, lot: 'AB' }],
    ['a lot that contains digits like an identifier', `10172901${gs}21X`, { lot: '172901', serial: 'X' }],
    ['a secondary code without a device', `1729013110AB`, { expiresOn: '2029-01-31', lot: 'AB' }],
    ['the last day of a month as 00', '17290200', { expiresOn: '2029-02-28' }],
    ['the last day of February in a leap year', '17280200', { expiresOn: '2028-02-29' }],
    ['a year 50 years ahead', '17760101', { expiresOn: '2076-01-01' }],
    ['a year 49 years ago', '11770101', { madeOn: '1977-01-01' }],
    ['the same value twice', `10AB${gs}10AB`, { lot: 'AB' }],
  ])('is read from %s (issue 27)', (_name, scanned, label) => {
    expect(readLabel(scanned, today)).toEqual({ label: { ...nothing, ...label }, problem: null })
  })

  it.each([
    ['an empty text', '', 'unreadable'],
    ['a sentence', 'Mentor implant', 'unreadable'],
    ['a value that is cut off', '0100081317', 'unreadable'],
    ['a lot of 21 characters', `10${'A'.repeat(21)}`, 'unreadable'],
    ['an identifier without a value', `01${gtin}10`, 'unreadable'],
    ['letters in a date', '1729AB31', 'unreadable'],
    ['a separator in a date', `1729${gs}0131`, 'unreadable'],
    ['an open parenthesis', `(01)${gtin}(10`, 'unreadable'],
    ['only identifiers that are not kept', '240REF', 'unreadable'],
    ['a web address', 'https://id.gs1.org/01/00081317004769', 'unreadable'],
    ['a wrong check digit', '0100081317004760', 'check_digit'],
    ['a month 13', '17291301', 'date'],
    ['February 30', '17290230', 'date'],
    ['two lots', `10AB${gs}10CD`, 'contradiction'],
  ])('is refused for %s (issue 27)', (_name, scanned, problem) => {
    expect(readLabel(scanned, today)).toEqual({ label: null, problem })
  })

  const character = fc.constantFrom(...'ABCxyz0123456789-/.,_%()'.replace(/[()]/g, ''))
  const text = fc.string({ unit: character, minLength: 1, maxLength: 20 })
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2070-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const anyGtin = fc.stringMatching(/^\d{13}$/).map((digits) => `${digits}${checkDigit(digits)}`)
  const element = fc.record({ gtin: anyGtin, lot: text, serial: text, expiresOn: day, madeOn: day })

  it('says what was written on it, in any order of its elements (issue 27)', () => {
    fc.assert(
      fc.property(element, fc.shuffledSubarray(['01', '10', '11', '17', '21'], { minLength: 5 }), (label, order) => {
        const short = (value: string) => value.slice(2).replaceAll('-', '')
        const values: Record<string, string> = {
          '01': label.gtin,
          '10': label.lot,
          '11': short(label.madeOn),
          '17': short(label.expiresOn),
          '21': label.serial,
        }
        const isVariable = (identifier: string) => identifier === '10' || identifier === '21'
        const scanned = order.map((identifier) => `${identifier}${values[identifier]}${isVariable(identifier) ? gs : ''}`).join('')
        const printed = order.map((identifier) => `(${identifier})${values[identifier]}`).join('')
        for (const one of [scanned, printed]) expect(readLabel(one, today)).toEqual({ label, problem: null })
      }),
    )
  })

  it('never throws, whatever is scanned (issue 27)', () => {
    const parts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('01', '10', '17', gs, ']d2', '(', ')', gtin, '290131'))
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
        const { label, problem } = readLabel(all.join(''), today)
        expect((label === null) !== (problem === null)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('finds a misread digit of a GTIN (issue 27)', () => {
    fc.assert(
      fc.property(anyGtin, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 1, max: 9 }), (right, place, by) => {
        const wrong = `${right.slice(0, place)}${(Number(right[place]) + by) % 10}${right.slice(place + 1)}`
        expect([toGtin(right), toGtin(wrong)]).toEqual([right, null])
        expect(readLabel(`01${wrong}`, today).problem).toBe('check_digit')
      }),
    )
  })
})
