import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSigned, seal, sign, unseal } from './seal.ts'

const env = { APP_SECRET: 'first-secret-0123456789-abcdefghijk', OLD_APP_SECRETS: [] }

describe('sealed text', () => {
  it('opens for the same purpose', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => unseal(env, 'tokens', seal(env, 'tokens', text)) === text))
  })
  it('is encrypted and different every time', () => {
    const sealed = seal(env, 'tokens', 'refresh-token')
    expect(Buffer.from(sealed.split('.')[1]!, 'base64url').includes('refresh')).toBe(false)
    expect(seal(env, 'tokens', 'refresh-token')).not.toBe(sealed)
  })
  it('does not open for another purpose, with another secret, or with a single bit changed', () => {
    const sealed = seal(env, 'tokens', 'refresh-token')
    expect(unseal(env, 'codes', sealed)).toBeNull()
    expect(unseal({ ...env, APP_SECRET: 'another-secret-0123456789-abcdefgh' }, 'tokens', sealed)).toBeNull()
    const [id, text] = sealed.split('.')
    const bytes = Buffer.from(text!, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered[at]! ^= 1
      expect(unseal(env, 'tokens', `${id}.${altered.toString('base64url')}`)).toBeNull()
    }
    for (const none of ['', '.', id!, `${id}.AAAA`]) expect(unseal(env, 'tokens', none)).toBeNull()
  })
  it('opens after a change of the secret while the old one is configured', () => {
    const changed = { APP_SECRET: 'another-secret-0123456789-abcdefgh', OLD_APP_SECRETS: [env.APP_SECRET] }
    expect(unseal(changed, 'tokens', seal(env, 'tokens', 'refresh-token'))).toBe('refresh-token')
  })
})

describe('signed text', () => {
  it('opens for the same purpose and is safe in a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const signed = sign(env, 'links', text.toWellFormed())
        expect(signed).toMatch(/^[\w-]*~[\w-]{43}$/)
        expect(openSigned(env, 'links', signed)).toBe(text.toWellFormed())
      }),
    )
  })
  it('does not open for another purpose, with another secret, with a character changed, or in another encoding', () => {
    const signed = sign(env, 'links', 'ana@example.com')
    expect(openSigned(env, 'codes', signed)).toBeNull()
    expect(openSigned({ ...env, APP_SECRET: 'another-secret-0123456789-abcdefgh' }, 'links', signed)).toBeNull()
    for (let at = 0; at < signed.length; at++) {
      const altered = `${signed.slice(0, at)}${signed[at] === 'A' ? 'B' : 'A'}${signed.slice(at + 1)}`
      expect([altered, openSigned(env, 'links', altered)]).toEqual([altered, null])
    }
    for (const none of ['', '~', `${signed}~`, `${signed}=`, ` ${signed}`, signed.replace('~', '=~')]) {
      expect([none, openSigned(env, 'links', none)]).toEqual([none, null])
    }
  })
  it('opens after a change of the secret while the old one is configured', () => {
    const changed = { APP_SECRET: 'another-secret-0123456789-abcdefgh', OLD_APP_SECRETS: [env.APP_SECRET] }
    expect(openSigned(changed, 'links', sign(env, 'links', 'ana'))).toBe('ana')
  })
})
