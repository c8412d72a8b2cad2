import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsToText } from '../../../../../shared/money.ts'
import { discountOfText, discountToText, priceOfText, rateToText } from './typed-amounts.ts'

describe('unit price input', () => {
  it.each([
    ['8200', 820_000],
    ['8,200.00', 820_000],
    ['$ 48.95', 4_895],
    ['48.9', 4_890],
    ['.5', 50],
    ['12.345', 1_235],
    ['0.994', 99],
    ['0.995', 100],
    ['  1 900 ', 190_000],
  ])('reads %j as %i cents (spec 5)', (text, cents) => expect(priceOfText(text)).toBe(cents))

  it.each(['', 'abc', '-5', '1,2,3', '12 dollars', '1e3', '.', 'NaN', '٣'])('reads %j, which is not a price, as 0 (spec 5)', (text) =>
    expect(priceOfText(text)).toBe(0),
  )

  it('reads back any formatted amount', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (cents) => {
        expect(priceOfText(centsToText(cents))).toBe(cents)
      }),
    )
  })
})

describe('discount input', () => {
  it.each([
    ['', 0],
    ['0', 0],
    ['5', 500],
    ['5.00 %', 500],
    ['12.5', 1_250],
    ['.25', 25],
    ['100', 10_000],
    ['100.00', 10_000],
  ])('reads %j as %i hundredths of a percent (spec 5)', (text, hundredths) => expect(discountOfText(text)).toBe(hundredths))

  it.each(['100.01', '101', '-1', 'five', '5.005', '.', '1000'])('refuses %j (spec 5)', (text) => expect(discountOfText(text)).toBeNull())

  it('reads back any formatted discount', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (hundredths) => {
        expect(discountOfText(discountToText(hundredths))).toBe(hundredths)
      }),
    )
  })
})

it.each([
  [130_000, '13%'],
  [99_750, '9.975%'],
  [5_000, '0.5%'],
  [0, '0%'],
])('formats a rate of %i millionths as %j', (rate, text) => expect(rateToText(rate)).toBe(text))
