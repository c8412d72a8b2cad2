/** The HTML of an email that staff have written, as `sanitiseWritten` and the editor leave it. Pure, for both sides. */

/** In characters. */
export const maxWrittenHtml = 100_000
/** Pictures of one email, and the bytes of one as it is chosen; it is made smaller before it is stored. */
export const pictureBounds = { count: 10, size: 15_000_000 }

/** Whether it says more than its text: formatting, a link or a picture. */
export const isFormatted = (html: string): boolean => /<(?!\/?(?:p|br|div)\b)/.test(html)

/** The ids of the uploaded pictures that it shows, each once. */
export const picturesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<img [^<>]*?src="cid:([\w-]+)"/g)].map(([, id]) => id!)),
]

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&', nbsp: ' ' }
const decode = (text: string): string => text.replace(/&(lt|gt|quot|#39|amp|nbsp);/g, (_, name: string) => entities[name]!)

/** The text part of an email: paragraphs apart, lists with their marks, quotes after `>`, and links with their addresses. */
export function textOfWritten(html: string): string {
  const text = new TextPart()
  for (const [, slash, name = '', attributes = '', words] of html.matchAll(/<(\/?)([a-z]+)([^<>]*)>|([^<]+)/g)) {
    if (words !== undefined) text.write(decode(words.replace(/[ \t\r\n]+/g, ' ')))
    else if (slash) text.close(name)
    else text.open(name, attributes)
  }
  return text.done()
}

const valueOf = (attributes: string, name: string): string => decode(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
const indent = '   '

class TextPart {
  #lines: string[] = []
  /** Null: no block is open. */
  #line: string | null = null
  #lists: { isOrdered: boolean; count: number }[] = []
  #quotes = 0
  /** Of the block, not followed by words yet. A last one is not seen in HTML. */
  #breaks = 0
  /** An empty line is due before the next block. */
  #isApart = false
  #link: { href: string; from: number } | null = null

  write(words: string): void {
    if (this.#line === null && words.trim() === '') return
    this.#inline()
    this.#line += words
  }

  open(name: string, attributes: string): void {
    if ((name === 'p' || name === 'div') && this.#line === null) this.#begin()
    else if (name === 'br') this.#breaks += 1
    else if (name === 'ul' || name === 'ol') {
      this.#end()
      this.#lists.push({ isOrdered: name === 'ol', count: 0 })
    } else if (name === 'li') this.#item()
    else if (name === 'blockquote') {
      this.#end()
      this.#part()
      this.#quotes += 1
    } else if (name === 'a') {
      this.#inline()
      this.#link = { href: valueOf(attributes, 'href'), from: this.#line!.length }
    } else if (name === 'img') this.write(`[${valueOf(attributes, 'alt') || 'image'}]`)
  }

  close(name: string): void {
    if (name === 'a') return this.#closeLink()
    if (!['p', 'div', 'li', 'ul', 'ol', 'blockquote'].includes(name)) return
    this.#end()
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1)
    this.#isApart = this.#lists.length === 0
  }

  done(): string {
    this.#end()
    return this.#lines.join('\n').trim()
  }

  #item(): void {
    this.#end()
    const list = this.#lists.at(-1)
    if (!list) return
    list.count += 1
    this.#begin(`${indent.repeat(this.#lists.length - 1)}${list.isOrdered ? `${list.count}.` : '-'} `)
  }

  #closeLink(): void {
    const shown = this.#link && this.#line?.slice(this.#link.from)
    if (this.#link && !isSameAddress(shown ?? '', this.#link.href)) this.write(` (${this.#link.href})`)
    this.#link = null
  }

  /** Words follow, after the line breaks before them. */
  #inline(): void {
    if (this.#line === null) this.#begin()
    for (; this.#breaks > 0; this.#breaks--) this.#begin()
  }

  #begin(start = indent.repeat(this.#lists.length)): void {
    this.#finishLine()
    this.#part()
    this.#line = start
  }

  #part(): void {
    if (this.#isApart && this.#lines.length > 0) this.#push('')
    this.#isApart = false
  }

  #end(): void {
    for (; this.#breaks > 1; this.#breaks--) this.#begin()
    this.#breaks = 0
    this.#finishLine()
  }

  #finishLine(): void {
    if (this.#line !== null) this.#push(this.#line)
    this.#line = null
  }

  #push(line: string): void {
    this.#lines.push(`${'> '.repeat(this.#quotes)}${line}`.trimEnd())
  }
}

const bare = (address: string): string =>
  address
    .trim()
    .replace(/^(?:mailto:|tel:|https?:\/\/)/i, '')
    .replace(/\/$/, '')
const isSameAddress = (shown: string, href: string): boolean => bare(shown) === bare(href)
