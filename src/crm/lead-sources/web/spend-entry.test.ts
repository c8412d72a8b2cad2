import fc from 'fast-check'
import { expect, it } from 'vitest'
import { centsToText } from '../../../shared/money.ts'
import { monthsOfYear, readAmount, readPasted, readSpendSearch } from './spend-entry.ts'

it.each([
  ['', { cents: null }],
  ['0', { cents: 0 }],
  ['$1,250.5', { cents: 125_050 }],
  ['10,000,000.00', { cents: 1_000_000_000 }],
  ['10,000,000.01', { problem: 'Enter at most $10,000,000.00' }],
  ['-5', { problem: 'Enter an amount such as 1,250.00' }],
  ['about 40', { problem: 'Enter an amount such as 1,250.00' }],
])('reads the amount %j as %j (issue 28)', (text, expected) => expect(readAmount(text)).toEqual(expected))

it.each([
  ['400', 12, null],
  ['400\n', 12, null],
  ['$400.00\r\n\r\n1,200\r\n', 12, { amounts: [40_000, null, 120_000] }],
  ['1\t2.50\t', 12, { amounts: [100, 250, null] }],
  ['1\n2\n3', 2, { problem: '3 amounts were pasted, but only 2 months are left in the year. Nothing was saved.' }],
  ['1\n2', 1, { problem: '2 amounts were pasted, but only 1 month is left in the year. Nothing was saved.' }],
  ['1\t2\n3\t4', 12, { problem: 'Paste one row or one column of amounts' }],
  ['1\nfree', 12, { problem: '“free” is not an amount. Nothing was saved.' }],
])('reads the pasted cells %j, with %d months left, as %j (issue 28)', (text, left, expected) =>
  expect(readPasted(text, left)).toEqual(expected),
)

it('reads back any row or column of amounts (issue 28)', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(amounts, fc.constantFrom('\t', '\n', '\r\n'), (cents, separator) => {
      expect(readPasted(cents.map(centsToText).join(separator), 12)).toEqual({ amounts: cents })
    }),
  )
})

it('reads the year of the address, or none (issue 28)', () => {
  expect(['2026', 2025, '20x6', '1999', undefined].map((year) => readSpendSearch({ year }).year)).toEqual([
    2026,
    2025,
    undefined,
    undefined,
    undefined,
  ])
  expect(monthsOfYear(2026).slice(8, 10)).toEqual(['2026-09-01', '2026-10-01'])
})
