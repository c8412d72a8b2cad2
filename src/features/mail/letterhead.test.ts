import sharp from 'sharp'
import { expect, it } from 'vitest'
import { readEnv } from '../../server/env.ts'
import { testSecret } from '../../../test/database.ts'
import { withLogo } from './letterhead.ts'
import { senderOf } from './rules.ts'

const env = readEnv({ APP_SECRET: testSecret, PRACTICE_NAME: 'Harbourview' })

async function scopeWith(width: number, height: number) {
  const png = await sharp({ create: { width, height, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  const logo = { hash: `${width}x${height}`, png: new Uint8Array(png), width, height }
  return { env, practice: { env, started: env, logo: () => logo, read: () => Promise.resolve(), settled: () => Promise.resolve() } }
}

it('issue 9: the logo stands at the head of a mail, inside its document where it is one', async () => {
  const scope = await scopeWith(40, 20)
  expect((await withLogo(scope, '<p>Hello</p>')).html).toMatch(/^<div [^>]*><img [^>]*width="40" height="20"[^>]*><\/div>\n<p>Hello<\/p>$/)
  expect((await withLogo(scope, '<html><BODY class="a">Hello</body></html>')).html).toMatch(/^<html><BODY class="a"><div /)
})

it('issue 9: it is shown no larger than 200 by 48 pixels', async () => {
  expect((await withLogo(await scopeWith(512, 16), '')).html).toContain('width="200" height="6"')
  expect((await withLogo(await scopeWith(100, 500), '')).html).toContain('width="10" height="48"')
})

it('spec 9: a mail is from the practice by its name, whatever is in it', () => {
  expect(senderOf({ PRACTICE_NAME: 'Dr. "Bo"\r\nLi', MAIL_FROM: 'no-reply@clinic.example' })).toBe(
    '"Dr.  Bo   Li" <no-reply@clinic.example>',
  )
})

it('MAIL_FROM may have a name before the address, which is left aside; what is no address stops the server', () => {
  const fromOf = (MAIL_FROM: string) => readEnv({ APP_SECRET: testSecret, MAIL_FROM }).MAIL_FROM
  expect(fromOf('Harbourview <desk@clinic.example>')).toBe('desk@clinic.example')
  expect(() => fromOf('nobody')).toThrow('MAIL_FROM must be an e-mail address')
})
