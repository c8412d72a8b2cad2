/** Makes the HTML of a mail safe to store and to show. What shows it is a frame without scripts (see documentFor); this does not rely on it. */
import sanitizeHtml from 'sanitize-html'
import { remoteImage } from './frame-rules.ts'
import { safeStyle } from './mail-styles.ts'

export type SanitisedMail = {
  html: string
  /** Pictures on other people's servers: they are left out, their addresses kept for anyone who asks to see them. */
  remoteImages: number
  /** Whether the mail was longer than what is kept. */
  isTruncated: boolean
}

/** Characters. Of a longer mail the beginning is read, so that the time is bounded; of what it says, the beginning is kept. */
const limits = { read: 1_000_000, kept: 500_000, picture: 200_000, address: 8_000, words: 500, nesting: 200 }

/** How many tags a mail may have, and how many of them open at once, for the parser to be quick: what is more is made to take minutes. */
const most = { tags: 100_000, open: 2_000 }

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

/** Of these nothing is kept, not even the text: it is no text of the mail, or is read differently by others than by us. */
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

/** @param html as the sender wrote it: anything at all. */
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

class TooManyTags extends Error {}

/** Null when it has more tags than can be read in a moment, which no text of some thousand characters can have. */
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
      // Which of them a tag may have, and with what value, is decided above; nothing else is handed on.
      allowedAttributes: { '*': allAttributes },
      transformTags: { '*': transform },
      allowedSchemes: ['http', 'https', 'mailto', 'tel'],
      allowedSchemesByTag: { img: ['cid', 'data'] },
      allowProtocolRelative: false,
      nonTextTags: withTheirText,
      nestingLimit: limits.nesting,
      // Every style was made by safeStyle; to parse each again takes many times as long.
      parseStyleAttributes: false,
      onOpenTag: () => {
        if (++tags > most.tags || ++open > most.open) throw new TooManyTags()
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

/** In characters that can be stored. Pictures written into a long mail that are too large anyway go first, so that what is behind them is read. */
function storableIn(html: string): string {
  const storable = html.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '')
  return storable.length <= limits.read ? storable : storable.replace(/[^\s"'<>]+/g, (run) => (isTooLarge(run) ? 'data:,' : run))
}

const isTooLarge = (run: string): boolean => run.length > limits.picture && /^data:/i.test(run)

/** Not up to the middle of a tag, whose attributes would become text. */
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

/** Opened beside the app, which the page that opens learns nothing of. Where a link leads that is none of ours to open, it is plain text. */
function linkAttributes(href: string | undefined): Record<string, string> {
  const url = addressIn(href)
  if (!url || !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol)) return {}
  // The line end of a header, for a mail program that would add it to the mail.
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

/** As a browser reads it: without the line ends and tabs that would hide its scheme, and without a name that poses as the server's. */
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

/** The beginning of what sanitize-html made, in which every `<` begins a tag and every `>` ends one. What is open at the cut is closed. */
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
