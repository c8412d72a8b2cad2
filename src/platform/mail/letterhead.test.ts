import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { readEnv } from '../../kernel/env.ts'
import { testSecret } from '../../../test/database.ts'
import { documentFor } from './frame-rules.ts'
import { accentOf } from './accent-rules.ts'
import { withLetterhead } from './letterhead.ts'
import { buttonTo, senderOf } from './rules.ts'

const env = readEnv({ APP_SECRET: testSecret, PRACTICE_NAME: 'Harbourview' })

async function scopeWith(width: number, height: number) {
  const png = await sharp({ create: { width, height, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  const logo = { hash: `${width}x${height}`, png: new Uint8Array(png), width, height }
  return { env, practice: { env, started: env, logo: () => logo, read: () => Promise.resolve(), whenLoaded: () => Promise.resolve() } }
}

it('adds the logo at the top of an email, inside its document if it is one', async () => {
  const scope = await scopeWith(40, 20)
  expect((await withLetterhead(scope, '<p>Hello</p>')).html).toMatch(
    /^<div [^>]*><img [^>]*width="40" height="20"[^>]*><\/div>\n<div style="[^"]*"><p>Hello<\/p><\/div>$/,
  )
  expect((await withLetterhead(scope, '<html><BODY class="a">Hello</body></html>')).html).toMatch(/^<html><BODY class="a"><div /)
})

it("uses the product's typeface, below the practice's name if it has no logo, except for documents with their own styles", async () => {
  const none = { ...(await scopeWith(1, 1)), practice: { ...(await scopeWith(1, 1)).practice, logo: () => null } }
  const family = /--family-sans: (.+);/.exec(readFileSync('src/ui/tokens.css', 'utf8'))![1]!.replaceAll('"', "'")
  expect((await withLetterhead(none, '<p>Hello</p>')).html).toBe(
    `<div style="font-family:${family};font-size:15px;line-height:1.5;max-width:580px"><div style="margin:0 0 20px;padding:0 0 12px;border-bottom:1px solid #d9dcd6;font-size:18px;font-weight:600">Harbourview</div>\n<p>Hello</p></div>`,
  )
  expect((await withLetterhead(none, '<html><body>Hello</body></html>')).html).toBe('<html><body>Hello</body></html>')
  expect(documentFor('<p>Hello</p>', { showRemote: false })).toContain(`font: 15px/1.5 ${family} }`)
})

it('shows buttons in the practice’s colour, the same as on its pages', async () => {
  const button = buttonTo({ label: 'Pay', url: 'https://clinic.example/pay' })
  const none = await scopeWith(40, 20)
  expect((await withLetterhead(none, button)).html).toContain(`background-color:${accentOf(176)}`)
  const own = { ...none, env: { ...env, BRAND_HUE: 300 } }
  expect((await withLetterhead(own, button)).html).toContain('background-color:#5d4d79')
  const tokens = readFileSync('src/ui/tokens.css', 'utf8')
  expect(tokens).toMatch(/--brand-h: 176;[^]*?--accent: oklch\(0\.455 0\.072 var\(--brand-h\)\);/)
})

it('gives white text enough contrast on a button of every hue', () => {
  const luminance = (hex: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
      number,
      number,
      number,
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  for (let hue = 0; hue <= 360; hue++) expect(1.05 / (luminance(accentOf(hue)) + 0.05)).toBeGreaterThan(4.5)
})

it('adds the logo quickly to an email with a million document starts', async () => {
  expect((await withLetterhead(await scopeWith(40, 20), '<body '.repeat(1_000_000))).html).toMatch(/^<div /)
})

it('shows the logo at no more than 200 by 48 pixels', async () => {
  expect((await withLetterhead(await scopeWith(512, 16), '')).html).toContain('width="200" height="6"')
  expect((await withLetterhead(await scopeWith(100, 500), '')).html).toContain('width="10" height="48"')
})

it("sends emails from the practice's name, whatever the content (spec 9)", () => {
  expect(senderOf({ PRACTICE_NAME: 'Dr. "Bo"\r\nLi', MAIL_FROM: 'no-reply@clinic.example' })).toBe(
    '"Dr.  Bo   Li" <no-reply@clinic.example>',
  )
})

it('ignores a name in MAIL_FROM and refuses to start with an invalid address', () => {
  const fromOf = (MAIL_FROM: string) => readEnv({ APP_SECRET: testSecret, MAIL_FROM }).MAIL_FROM
  expect(fromOf('Harbourview <desk@clinic.example>')).toBe('desk@clinic.example')
  expect(() => fromOf('nobody')).toThrow('MAIL_FROM must be an email address')
})
