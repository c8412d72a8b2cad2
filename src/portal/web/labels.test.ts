import { describe, expect, it } from 'vitest'
import { maskedEmail } from '../rules.ts'
import { codeDigits, countdownText, isEmail } from './labels.ts'

describe('the code field', () => {
  it.each([
    ['482103', '482103'],
    ['482 103', '482103'],
    [' 482-103\n', '482103'],
    ['４８２１０３', '482103'],
    ['4821034', '482103'],
    ['Your code is 48', '48'],
    ['abc', ''],
  ])('keeps at most 6 digits: %j becomes %j (spec 5)', (typed, digits) => expect(codeDigits(typed)).toBe(digits))
})

describe('the countdown', () => {
  it.each([
    [900, '15:00'],
    [899.2, '15:00'],
    [767, '12:47'],
    [60, '1:00'],
    [9, '0:09'],
    [0, '0:00'],
    [-3, '0:00'],
  ])('%d seconds are %s', (seconds, text) => expect(countdownText(seconds)).toBe(text))
})

describe('the masked address', () => {
  it.each([
    ['eloise@fastmail.ca', 'el***@fastmail.ca'],
    ['a@b.ca', 'a***@b.ca'],
    ['"odd@name"@b.ca', '"o***@b.ca'],
    ['nothing', '***'],
  ])('%s is %s', (email, masked) => expect(maskedEmail(email)).toBe(masked))
})

describe('an address', () => {
  it.each(['a@b.ca', 'first.last+tag@sub.clinic.example', 'é@bücher.example'])('accepts %s', (text) => expect(isEmail(text)).toBe(true))
  it.each(['', 'a', 'a@b', 'a b@c.ca', 'a@b..ca', '@b.ca', `${'a'.repeat(250)}@b.ca`])('refuses %j', (text) =>
    expect(isEmail(text)).toBe(false),
  )
})
