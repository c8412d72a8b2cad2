import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesOf, newPassword, passwordMessages, passwordMinimum, passwordProblem, roleOfGroups, statusAfterVerification } from './rules.ts'

describe('password rules (spec 5)', () => {
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
  ])('reports the first problem of %j: %j', (password, message) => {
    expect(passwordProblem(password)).toBe(message)
    expect(newPassword.safeParse(password).error?.issues[0]?.message ?? null).toBe(message)
  })

  it('refuses NUL, lone surrogates and more than 200 characters', () => {
    expect(newPassword.safeParse('long enough\0').success).toBe(false)
    expect(newPassword.safeParse('long enough\ud800').success).toBe(false)
    expect(newPassword.safeParse('x'.repeat(201)).success).toBe(false)
  })

  it('never shows a later message for a shorter password', () => {
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

describe('company domains', () => {
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
    expect(statusAfterVerification(email, ['clinic.example', 'Second.Example'])).toBe(status)
  })
  it('without any, all accounts wait for an administrator', () => {
    expect(statusAfterVerification('ana@clinic.example', [])).toBe('pending')
    expect(statusAfterVerification('ana@', [])).toBe('pending')
  })
})

describe('what a sign-in provider says about a person', () => {
  const listed = [
    { group: 'admins', role: 'admin' },
    { group: 'surgeons', role: 'provider' },
  ] as const

  it('gives the role of the first listed group, whatever the order of the groups', () => {
    const group = fc.constantFrom('admins', 'surgeons', 'accounting', 'Admins', '')
    fc.assert(
      fc.property(fc.array(group), (groups) => {
        const wanted = groups.includes('admins') ? 'admin' : groups.includes('surgeons') ? 'provider' : null
        expect(roleOfGroups(listed, groups)).toBe(wanted)
      }),
    )
  })

  it.each([
    [{ givenName: 'Ana', familyName: 'Silva', name: 'Someone Else' }, 'Ana', 'Silva'],
    [{ givenName: '', familyName: '', name: 'Ana  da Silva' }, 'Ana', 'da Silva'],
    [{ givenName: 'Ana', familyName: '', name: 'Ana Silva' }, 'Ana', ''],
    [{ givenName: '', familyName: 'Silva', name: '' }, '', 'Silva'],
    [{ givenName: '', familyName: '', name: '' }, 'ana.s', ''],
    [{ givenName: 'See www.spam.example', familyName: '', name: '' }, 'ana.s', ''],
  ])('%j is named %s %s', (given, firstName, lastName) =>
    expect(namesOf({ ...given, email: 'ana.s@clinic.example' })).toEqual({ firstName, lastName }),
  )
})
