import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { picture } from '../../../test/documents/test-images.ts'
import { contentIdOf, pictureLimits, picturesNamed } from './picture-rules.ts'
import { type EmbeddedPicture, embedPictures } from './pictures.ts'
import { sanitiseMail } from './sanitise.ts'

const png = async () => new Uint8Array(await picture('png', { withPlace: false }))
const carried = (mimeType: string, bytes: Uint8Array): EmbeddedPicture => ({ mimeType, bytes })
/** The given number of bytes, starting like a PNG. */
const large = async (size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(await png())
  return carried('image/png', bytes)
}
const show = (html: string, pictures: Record<string, EmbeddedPicture>) =>
  embedPictures(sanitiseMail(html).html, async (id) => (Object.hasOwn(pictures, id) ? pictures[id]! : null))
const srcs = (html: string) => [...html.matchAll(/ src="([^"]*)"/g)].map(([, src]) => src!)

describe('embedded images are shown inline', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('shows a %s by the content id in the email', async (format) => {
    const bytes = new Uint8Array(await picture(format, { withPlace: false }))
    const html = await show('<p>Hi <img alt="Us" src="cid:Logo%20one@clinic"> there</p>', {
      'Logo one@clinic': carried(`image/${format}`, bytes),
    })
    expect(srcs(html)).toEqual([`data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`])
    expect(html).toMatch(/^<p>Hi <img alt="Us" src="data:[^"]*" \/> there<\/p>$/)
  })

  it('shows an image declared as bytes, reading each once even if used several times', async () => {
    const asked: string[] = []
    const bytes = await png()
    const html = await embedPictures('<img src="cid:a" /><img src="cid:b&amp;c" /><img src="cid:a" />', async (id) => {
      asked.push(id)
      return carried('application/octet-stream', bytes)
    })
    expect(asked).toEqual(['a', 'b&c'])
    expect(srcs(html).map((src) => src.slice(0, 15))).toEqual(Array.from({ length: 3 }, () => 'data:image/png;'))
  })

  it('leaves a missing image empty and the text unchanged', async () => {
    const html = '<p>cid:a src="cid:a" $&amp; $1</p><img src="cid:a" />'
    expect(await embedPictures(html, async () => null)).toBe(html)
    expect(await embedPictures(html, async () => carried('image/png', await png()))).toContain('<p>cid:a src="cid:a" $&amp; $1</p>')
  })

  it('shows nothing for an image that is too large or over the limit, counting each use', async () => {
    const each = await large(pictureLimits.each)
    const tooLarge = await large(pictureLimits.each + 1)
    const shown = async (html: string) =>
      srcs(await show(html, { a: each, b: each, c: each, d: each, large: tooLarge })).map((src) => src.slice(0, 4))
    expect(await shown('<img src="cid:large"><img src="cid:a">')).toEqual(['cid:', 'data'])
    expect(await shown('<img src="cid:a"><img src="cid:b"><img src="cid:c"><img src="cid:d">')).toEqual(['data', 'data', 'data', 'cid:'])
    expect(await shown('<img src="cid:a">'.repeat(4))).toEqual(['cid:', 'cid:', 'cid:', 'cid:'])
  })

  it('reads at most a hundred of a thousand images', async () => {
    let asked = 0
    await embedPictures(Array.from({ length: 1_000 }, (_, n) => `<img src="cid:${n}" />`).join(''), async () => {
      asked++
      return null
    })
    expect(asked).toBe(100)
  })
})

describe('images of hostile emails', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  it.each([
    ['an SVG', 'image/svg+xml', svg],
    ['an SVG that is called a PNG', 'image/png', svg],
    ['an SVG behind an XML head that is called a PNG', 'image/png', `<?xml version="1.0"?>${svg}`],
    ['an SVG that is called bytes', 'application/octet-stream', svg],
    ['a page that is called a JPEG', 'image/jpeg', '<!doctype html><script>alert(1)</script>'],
    ['a PDF that is called a GIF', 'image/gif', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'],
    ['a type that ends the attribute', 'image/png" onerror="alert(1)', 'x'],
    ['nothing', 'image/png', ''],
  ])('%s', async (_, mimeType, text) => {
    const html = await show('<img src="cid:a">', { a: carried(mimeType, bytesOf(text)) })
    expect(html).toBe('<img src="cid:a" />')
  })

  it('refuses a PNG declared as a page or SVG', async () => {
    for (const mimeType of ['text/html', 'image/svg+xml', 'image/x-icon']) {
      expect(srcs(await show('<img src="cid:a">', { a: carried(mimeType, await png()) }))).toEqual(['cid:a'])
    }
  })

  it('adds no tag or attribute, whatever the content id', async () => {
    const bytes = await png()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'ab%20&;"<>\'$1 =/'), maxLength: 30 }), async (id) => {
        const { html } = sanitiseMail(`<p>x</p><img alt="y" src="cid:${id}"><b>z</b>`)
        const shown = await embedPictures(html, async () => carried('image/png', bytes))
        const plain = (text: string) => text.replace(/ src="[^"]*"/g, ' src=""')
        expect(plain(shown)).toBe(plain(html))
        for (const src of srcs(shown)) expect(src).toMatch(/^data:image\/png;base64,[A-Za-z\d+/]+={0,2}$/)
        expect(picturesNamed(shown).size).toBe(0)
      }),
    )
    expect(contentIdOf('%E0%A4%A')).toBe('%E0%A4%A')
  })
})
