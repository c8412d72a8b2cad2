/** Sanitises email HTML for storage and display. It is displayed in a frame without scripts (see documentFor); this does not rely on it. */
import sanitizeHtml from 'sanitize-html'
import { remoteImage } from './frame-rules.ts'
import { safeStyle } from './mail-styles.ts'

export type SanitisedMail = {
  html: string
  /** Remote images: removed, with their addresses kept for users who ask to see them. */
  remoteImages: number
  /** Whether the email was longer than what is kept. */
  isTruncated: boolean
}

/** Characters. Of a longer email, the beginning is read, to bound the time; of its output, the beginning is kept. */
const limits = { read: 1_000_000, kept: 500_000, picture: 200_000, address: 8_000, words: 500, nesting: 200 }

/** Maximum tags of an email, and maximum nesting, for the parser to be fast: emails beyond that are built to take minutes. */
const maxCounts = { tags: 100_000, open: 2_000, written: 5_000 }

const blocks = [
  'address',
  'article',
  'aside',
  'blockquote',
  'center',
  'div',
  'footer',
  'header',
  'hr',
  'main',
  'nav',
  'p',
  'pre',
  'section',
]
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const lists = ['dd', 'dl', 'dt', 'li', 'ol', 'ul']
const tables = ['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']
const words = ['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'br', 'cite', 'code', 'del', 'em', 'font', 'i', 'img', 'ins', 'kbd', 'mark', 'q', 's']
const moreWords = ['samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr']

/** Dropped with their text, which is not part of the email or is parsed differently by others. */
const withTheirText = ['script', 'style', 'textarea', 'option', 'xmp', 'title', 'noscript', 'noembed', 'noframes', 'iframe', 'template']

const measure = /^\d{1,4}(?:\.\d{1,2})?(?:px|%)?$/
const count = /^\d{1,3}$/
const colour = /^#?\w{1,30}$/
const side = /^(?:left|right|center|justify)$/i
const anyWords = new RegExp(`^[^\\0]{0,${limits.words}}$`)
const everywhere: Record<string, RegExp> = {
  align: side,
  valign: /^(?:top|middle|bottom|baseline)$/i,
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: /^[\w-]{1,35}$/,
  title: anyWords,
  width: measure,
  height: measure,
  bgcolor: colour,
}
const cell = { colspan: count, rowspan: count, nowrap: /^(?:nowrap)?$/i }
const only: Record<string, Record<string, RegExp>> = {
  table: { border: count, cellpadding: count, cellspacing: count, role: /^(?:presentation|none)$/ },
  td: cell,
  th: { ...cell, scope: /^(?:row|col|rowgroup|colgroup)$/ },
  col: { span: count },
  colgroup: { span: count },
  font: { color: colour, face: /^[\w ,.'"-]{1,200}$/, size: /^[+-]?\d$/ },
  img: { alt: anyWords, border: count },
  ol: { start: count, type: /^[1aAiI]$/ },
  ul: { type: /^(?:disc|circle|square)$/i },
  hr: { size: count },
  br: { clear: /^(?:left|right|all|none)$/i },
}
const allAttributes = [
  ...new Set(['style', 'href', 'target', 'rel', 'src', remoteImage, ...[everywhere, ...Object.values(only)].flatMap(Object.keys)]),
]

/** @param html untrusted, as sent */
export function sanitiseMail(html: string): SanitisedMail {
  const storable = storableIn(html)
  for (let length = limits.read; ; length = Math.floor(length / 2)) {
    const text = beginningOf(storable, length)
    const safe = tryToSanitise(text)
    if (!safe) continue
    const kept = cutAtNode(safe.html, limits.kept)
    return { html: kept, remoteImages: safe.remoteImages, isTruncated: text.length < storable.length || kept.length < safe.html.length }
  }
}

/** What staff can give an email: the nodes and marks of the editor (ui/rich-text/schema.ts), and what separates paragraphs elsewhere. */
const written = ['a', 'blockquote', 'br', 'div', 'em', 'img', 'li', 'ol', 'p', 'strong', 'u', 'ul']
const sameAsWritten: Record<string, string> = { b: 'strong', i: 'em' }
/** Email programs have no style of their own for these that suits. */
const writtenStyles: Record<string, string> = {
  blockquote: 'margin:0 0 12px;padding-left:12px;border-left:2px solid #d0d0d0',
  img: 'max-width:100%;height:auto',
}

/**
 * Sanitises email HTML that staff have written, by a much shorter list than a received email's: formatting, links, and pictures that were
 * uploaded for it. Everything else is dropped, and its text kept. Null: it has more tags than an email that someone writes.
 * @param html untrusted, as sent
 */
export function sanitiseWritten(html: string): string | null {
  let tags = 0
  const transform: sanitizeHtml.Transformer = (given, attributes) => {
    const tagName = sameAsWritten[given] ?? given
    const attribs: Record<string, string> = {}
    if (tagName === 'a') Object.assign(attribs, linkAttributes(attributes['href']))
    if (tagName === 'img') Object.assign(attribs, writtenPicture(attributes))
    if (writtenStyles[tagName]) attribs['style'] = writtenStyles[tagName]
    return { tagName, attribs }
  }
  try {
    return sanitizeHtml(storableIn(html), {
      allowedTags: written,
      allowedAttributes: { '*': ['style'], a: ['href', 'target', 'rel'], img: ['src', 'alt', 'width'] },
      transformTags: { '*': transform },
      allowedSchemes: ['http', 'https', 'mailto', 'tel'],
      allowedSchemesByTag: { img: ['cid'] },
      allowProtocolRelative: false,
      nonTextTags: withTheirText,
      // A picture that was not uploaded for the email, or a link to nowhere.
      exclusiveFilter: ({ tag, attribs }) =>
        tag === 'img' && !attribs['src'] ? true : tag === 'a' && !attribs['href'] ? 'excludeTag' : false,
      nestingLimit: 40,
      parseStyleAttributes: false,
      onOpenTag: () => {
        if (++tags > maxCounts.written) throw new TooManyTags()
      },
    }).trim()
  } catch (error) {
    if (error instanceof TooManyTags) return null
    throw error
  }
}

function writtenPicture({ src = '', alt = '', width = '' }: Record<string, string>): Record<string, string> {
  const picture = pictureAttributes(src)['src']
  if (!picture?.startsWith('cid:')) return {}
  return { src: picture, alt: anyWords.test(alt) ? alt : '', ...(count.test(width) && { width }) }
}

class TooManyTags extends Error {}

/** Null if it has more tags than can be read quickly, which text of a few thousand characters cannot have. */
function tryToSanitise(text: string): { html: string; remoteImages: number } | null {
  let [remoteImages, tags, open] = [0, 0, 0]

  const transform: sanitizeHtml.Transformer = (written, given) => {
    const tagName = written === 'body' ? 'div' : written
    const attribs = plainAttributes(tagName, given)
    if (tagName === 'a') Object.assign(attribs, linkAttributes(given['href']))
    if (tagName === 'img') {
      const picture = pictureAttributes(given['src'])
      if (remoteImage in picture) remoteImages += 1
      Object.assign(attribs, picture)
    }
    return { tagName, attribs }
  }

  try {
    const safe = sanitizeHtml(text, {
      allowedTags: [...blocks, ...headings, ...lists, ...tables, ...words, ...moreWords],
      // Allowed attributes per tag and their values are decided above; nothing else is passed on.
      allowedAttributes: { '*': allAttributes },
      transformTags: { '*': transform },
      allowedSchemes: ['http', 'https', 'mailto', 'tel'],
      allowedSchemesByTag: { img: ['cid', 'data'] },
      allowProtocolRelative: false,
      nonTextTags: withTheirText,
      nestingLimit: limits.nesting,
      // Styles come from safeStyle; parsing each again takes many times as long.
      parseStyleAttributes: false,
      onOpenTag: () => {
        if (++tags > maxCounts.tags || ++open > maxCounts.open) throw new TooManyTags()
      },
      onCloseTag: () => {
        open -= 1
      },
    })
    return { html: safe, remoteImages }
  } catch (error) {
    if (error instanceof TooManyTags) return null
    throw error
  }
}

/** Storable characters only. Images that are too large are dropped first, so that the text after them is read. */
function storableIn(html: string): string {
  const storable = html.toWellFormed().replace(/[\p{Cc}--[\t\n\r]]/gv, '')
  if (storable.length <= limits.read) return storable
  // Only what begins like an image is looked at: a call for each word of a large email takes a second.
  return storable.replace(/(?<![^\s"'<>])data:[^\s"'<>]*/gi, (data) => (data.length > limits.picture ? 'data:,' : data))
}

/** Never cut inside a tag, whose attributes would become text. */
function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const open = text.lastIndexOf('<', length - 1)
  const isInTag = open > text.lastIndexOf('>', length - 1)
  return text.slice(0, isInTag && open > length / 2 ? open : length).toWellFormed()
}

function plainAttributes(tagName: string, given: Record<string, string>): Record<string, string> {
  const attribs: Record<string, string> = {}
  for (const allowed of [everywhere, only[tagName]]) {
    for (const name in allowed) {
      const value = given[name]?.trim()
      if (value !== undefined && allowed[name]!.test(value)) attribs[name] = value
    }
  }
  const style = given['style'] === undefined ? '' : safeStyle(given['style'])
  if (style !== '') attribs['style'] = style
  return attribs
}

/** Opens in a new tab without an opener. A link to a target we do not allow becomes plain text. */
function linkAttributes(href: string | undefined): Record<string, string> {
  const url = addressIn(href)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return {}
  // A header line end, against header injection into an email program.
  if (url.protocol === 'mailto:' && /%0[ad]/i.test(url.href)) url.search = ''
  return { href: url.href, target: '_blank', rel: 'noopener noreferrer nofollow' }
}

function pictureAttributes(src: string | undefined): Record<string, string> {
  const written = src?.trim() ?? ''
  if (/^cid:[^\s"'<>\\]{1,300}$/i.test(written)) return { src: `cid:${written.slice(4)}` }
  if (/^data:/i.test(written)) {
    const compact = written.length <= limits.picture ? written.replace(/\s+/g, '') : ''
    return /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/]+={0,2}$/i.test(compact) ? { src: compact } : {}
  }
  const url = addressIn(written)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return {}
  url.protocol = 'https:'
  return { [remoteImage]: url.href }
}

/** Parsed like a browser: without line ends and tabs that would hide its scheme, and without a name that poses as the server's. */
function addressIn(written: string | undefined): URL | null {
  const address = written?.trim() ?? ''
  if (address === '' || address.length > limits.address) return null
  const url = URL.parse(/^[\\/]{2}/.test(address) ? `https:${address}` : address)
  if (!url) return null
  url.username = ''
  url.password = ''
  return url
}

const empty = new Set(['br', 'col', 'hr', 'img', 'wbr'])

/** Cuts sanitize-html's output, in which every `<` starts a tag and every `>` ends one, and closes open tags. */
function cutAtNode(html: string, limit: number): string {
  if (html.length <= limit) return html
  const open = html.lastIndexOf('<', limit - 1)
  let at = open > html.lastIndexOf('>', limit - 1) ? open : limit
  const entity = html.lastIndexOf('&', at - 1)
  if (entity >= at - 8 && !html.slice(entity, at).includes(';')) at = entity
  const kept = html.slice(0, at).toWellFormed()
  const openTags: string[] = []
  for (const [, slash, name] of kept.matchAll(/<(\/?)([a-z\d]+)(?![a-z\d])[^<>]*>/g)) {
    if (slash) openTags.pop()
    else if (!empty.has(name!)) openTags.push(name!)
  }
  return (
    kept +
    openTags
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  )
}
