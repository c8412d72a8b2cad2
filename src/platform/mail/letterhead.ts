import sharp from 'sharp'
import type { Logo } from '../../kernel/practice.ts'
import type { Scope } from '../../kernel/scope.ts'
import { fitInto } from '../../shared/fit-size.ts'
import { accent, accentOf } from './accent-rules.ts'
import { mailFont } from './frame-rules.ts'
import { escapeHtml } from './rules.ts'

/** Display size in CSS pixels; sent twice as large for sharp screens. */
const box = { width: 200, height: 48 }
/** Margin around a transparent image. */
const margin = 8
const contentId = 'cid:practice-logo.png'

interface Picture {
  name: string
  contentBase64: string
  contentType: string
  contentId: string
}

/**
 * An HTML email as sent: in the product's typeface and the practice's colour, unless it is a document with its own styles, and under the practice's logo, or else its name.
 * The logo is embedded: most email programs block remote images until the reader allows them, and a remote image would reveal who reads
 * when.
 */
export async function withLetterhead(
  { env, practice }: Pick<Scope, 'env' | 'practice'>,
  bare: string,
): Promise<{ html: string; picture: Picture | null }> {
  const isOwn = isDocument.test(bare)
  const inStyle = (words: string) =>
    `<div style="font-family:${mailFont};font-size:15px;line-height:1.5;max-width:580px">${inBrand(words, env.BRAND_HUE)}</div>`
  const logo = practice.logo()
  // A logo never delays an email.
  const drawn = logo && (await drawnFor(logo).catch(() => null))
  if (!drawn) return { html: isOwn ? bare : inStyle(`${heading(env.PRACTICE_NAME)}${bare}`), picture: null }
  const html = isOwn ? bare : inStyle(bare)
  const { base64, width, height } = drawn
  // Outlook uses the attributes, others the style; in a narrower window the height follows.
  const image = `<img src="${contentId}" alt="${escapeHtml(env.PRACTICE_NAME)}" width="${width}" height="${height}" style="display:block;border:0;width:${width}px;height:auto;max-width:100%">`
  return {
    html: atHead(html, `<div style="margin:0 0 24px">${image}</div>\n`),
    picture: { name: 'logo.png', contentBase64: base64, contentType: 'image/png', contentId },
  }
}

/** Buttons in the practice's colour. */
const inBrand = (words: string, hue: number | undefined): string => (hue === undefined ? words : words.replaceAll(accent, accentOf(hue)))

const heading = (name: string): string =>
  `<div style="margin:0 0 20px;padding:0 0 12px;border-bottom:1px solid #d9dcd6;font-size:18px;font-weight:600">${escapeHtml(name)}</div>\n`

const isDocument = /<(?:html|body)\b/i

/** Inside the document, if the email is one. */
function atHead(html: string, what: string): string {
  const body = /<body\b[^<>]*>/i.exec(html)
  const at = body ? body.index + body[0].length : 0
  return `${html.slice(0, at)}${what}${html.slice(at)}`
}

interface Drawn {
  base64: string
  width: number
  height: number
}

let last: { hash: string; drawn: Promise<Drawn> } | null = null

/** Cached for all emails until the logo changes. */
function drawnFor(logo: Logo): Promise<Drawn> {
  if (last?.hash !== logo.hash) last = { hash: logo.hash, drawn: draw(logo) }
  return last.drawn
}

/**
 * Dark ink on a transparent background would be unreadable where an email program darkens the page, so it gets a white background with a
 * margin.
 */
async function draw({ png, ...size }: Logo): Promise<Drawn> {
  const small = sharp(png).resize(box.width * 2, box.height * 2, { fit: 'inside', withoutEnlargement: true })
  const { isOpaque } = await sharp(png).stats()
  const ground = { top: margin, bottom: margin, left: margin, right: margin, background: '#fff' }
  const picture = isOpaque
    ? small
    : sharp(await small.png().toBuffer())
        .flatten({ background: '#fff' })
        .extend(ground)
  const { data, info } = await picture.png({ compressionLevel: 9 }).toBuffer({ resolveWithObject: true })
  const { width, height } = fitInto(isOpaque ? size : info, box)
  return { base64: data.toString('base64'), width: Math.round(width), height: Math.round(height) }
}
