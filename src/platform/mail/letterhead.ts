import sharp from 'sharp'
import type { Logo } from '../../kernel/practice.ts'
import type { Scope } from '../../kernel/scope.ts'
import { fitInto } from '../../shared/fit.ts'
import { mailFont } from './frame-rules.ts'
import { escapeHtml } from './rules.ts'

/** As it is shown, in CSS pixels; it is sent twice as large, for sharp screens. */
const box = { width: 200, height: 48 }
/** Around a picture that lets the page shine through. */
const margin = 8
const contentId = 'cid:practice-logo.png'

interface Picture {
  name: string
  contentBase64: string
  contentType: string
  contentId: string
}

/**
 * An HTML mail as the practice sends it: in the product's typeface, unless it is a document with styles of its own, and with the practice's logo
 * at the head. The logo travels with the mail: most mail programs block pictures on a server until the reader allows them, and such a picture
 * would tell the server who reads when.
 */
export async function withLetterhead(
  { env, practice }: Pick<Scope, 'env' | 'practice'>,
  bare: string,
): Promise<{ html: string; picture: Picture | null }> {
  const html = isDocument.test(bare) ? bare : `<div style="font-family:${mailFont};font-size:15px;line-height:1.5">${bare}</div>`
  const logo = practice.logo()
  // A picture holds up no mail.
  const drawn = logo && (await drawnFor(logo).catch(() => null))
  if (!drawn) return { html, picture: null }
  const { base64, width, height } = drawn
  // Outlook goes by the attributes, others by the style; where the window is narrower, the height follows.
  const image = `<img src="${contentId}" alt="${escapeHtml(env.PRACTICE_NAME)}" width="${width}" height="${height}" style="display:block;border:0;width:${width}px;height:auto;max-width:100%">`
  return {
    html: atHead(html, `<div style="margin:0 0 24px">${image}</div>\n`),
    picture: { name: 'logo.png', contentBase64: base64, contentType: 'image/png', contentId },
  }
}

const isDocument = /<(?:html|body)\b/i

/** Inside the document, where the mail is one. */
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

/** The same for every mail until the logo is another. */
function drawnFor(logo: Logo): Promise<Drawn> {
  if (last?.hash !== logo.hash) last = { hash: logo.hash, drawn: draw(logo) }
  return last.drawn
}

/** Ink on nothing could not be read where a mail program turns the page dark: it gets a white ground, with a margin. */
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
