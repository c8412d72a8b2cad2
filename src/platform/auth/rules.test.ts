import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newPassword, passwordMessages, passwordMinimum, passwordProblem, statusOnceVerified } from './rules.ts'

describe('passwords: spec 5, then product.md "Getting in"', () => {
  it.each([
    ['', passwordMessages.tooShort],
    ['12345', 'Password must be at least 6 characters'],
    ['😀😀😀😀😀', passwordMessages.tooShort], // characters, not UTF-16 units
    ['123456', passwordMessages.belowMinimum],
    ['abcdefg', passwordMessages.belowMinimum],
    ['password', passwordMessages.tooCommon],
    ['PassWord', passwordMessages.tooCommon],
    ['12345678', passwordMessages.tooCommon],
    ['a-Long-enough-passphrase', null],
    ['😀😀😀😀😀😀😀😀', null],
  ])('%j: the first thing wrong is %j', (password, message) => {
    expect(passwordProblem(password)).toBe(message)
    expect(newPassword.safeParse(password).error?.issues[0]?.message ?? null).toBe(message)
  })

  it('product.md: neither NUL nor half a surrogate pair, nor more than 200 characters', () => {
    expect(newPassword.safeParse('long enough\0').success).toBe(false)
    expect(newPassword.safeParse('long enough\ud800').success).toBe(false)
    expect(newPassword.safeParse('x'.repeat(201)).success).toBe(false)
  })

  it('a shorter password never has a later message', () => {
    const order = [passwordMessages.tooShort, passwordMessages.belowMinimum, passwordMessages.tooCommon, null]
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (password) => {
        const length = [...password].length
        const rank = order.indexOf(passwordProblem(password) as (typeof order)[number])
        return length < 6 ? rank === 0 : length < passwordMinimum ? rank === 1 : rank >= 2
      }),
    )
  })
})

describe('product.md "Getting in": company domains', () => {
  it.each([
    ['ana@clinic.example', 'active'],
    ['ana@CLINIC.example', 'active'],
    ['ana@second.example', 'active'],
    ['ana@sub.clinic.example', 'pending'],
    ['ana@clinic.example.evil.example', 'pending'],
    ['ana@evilclinic.example', 'pending'],
    ['clinic.example@elsewhere.example', 'pending'],
    ['"a@clinic.example"@elsewhere.example', 'pending'],
  ])('%s becomes %s', (email, status) => {
    expect(statusOnceVerified(email, ['clinic.example', 'Second.Example'])).toBe(status)
  })
  it('without any, everyone waits for an administrator', () => {
    expect(statusOnceVerified('ana@clinic.example', [])).toBe('pending')
    expect(statusOnceVerified('ana@', [])).toBe('pending')
  })
})
