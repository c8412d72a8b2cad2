import type { Role } from '../../kernel/access/rules.ts'

/** A run of text with one style. `to`: a path of the product, or a page of the guide. */
export type Span = { text: string; style?: 'strong' | 'em' | 'code'; to?: string }
export type Text = readonly Span[]

export type Block =
  | { kind: 'heading'; level: number; id: string; text: Text }
  | { kind: 'paragraph'; text: Text }
  | { kind: 'list'; isOrdered: boolean; items: readonly (readonly Block[])[] }
  | { kind: 'table'; head: readonly Text[]; rows: readonly (readonly Text[])[] }
  | { kind: 'picture'; src: string; alt: string; width: number; height: number }

/** A page of docs/guide, as scripts/guide.ts reads it. */
export type GuidePage = {
  /** Its file's name: /help/<slug>. */
  slug: string
  title: string
  /** Shown in the list of pages. */
  summary: string
  /** The role that it is written for. */
  role?: Role
  blocks: readonly Block[]
}

/** What is under one heading; the top of a page has no id. */
export type Section = { page: GuidePage; id?: string; heading: string; text: string }

export type Excerpt = readonly { text: string; isHit: boolean }[]

export const plainText = (text: Text): string => text.map((span) => span.text).join('')

/** The person's own guide first, then the other roles', then the pages by job. */
export function groupPages(
  pages: readonly GuidePage[],
  role: Role | undefined,
): { own: GuidePage[]; roles: GuidePage[]; jobs: GuidePage[] } {
  const isOwn = (page: GuidePage) => page.role !== undefined && page.role === role
  return {
    own: pages.filter(isOwn),
    roles: pages.filter((page) => page.role && !isOwn(page)),
    jobs: pages.filter((page) => !page.role),
  }
}

export function sectionsOf(pages: readonly GuidePage[]): Section[] {
  return pages.flatMap((page) => {
    const sections: Section[] = [{ page, heading: page.title, text: '' }]
    for (const block of page.blocks) {
      if (block.kind === 'heading') sections.push({ page, id: block.id, heading: plainText(block.text), text: '' })
      else sections.at(-1)!.text = `${sections.at(-1)!.text} ${textOf(block)}`.trim()
    }
    return sections
  })
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return plainText(block.text)
    case 'list':
      return block.items.flatMap((item) => item.map(textOf)).join(' ')
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.map(plainText)).join(' ')
    case 'picture':
      return block.alt
  }
}

/** Without case, accents and apostrophes. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}’']/gu, '')
    .toLowerCase()

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** 'refunds', 'refunded' and 'refunding' find 'refund'. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(ing|ed|es|s)$/, '') : word)

const stemsOf = (query: string): string[] => [...new Set(wordsOf(query).map(stem))]

/** A heading counts more the shorter it is: this, divided by its words, is added. */
const weights = { heading: 10, shortHeading: 20, title: 6, text: 1 }
/** Of a page by job, which has the details that a role's guide leaves out. */
const jobBonus = 2
/** How often a word in the text counts. */
const maxCount = 3

/**
 * The sections with every word of the query, best first. If no section has all of them, those with some. A word of the query is the start of a
 * word in the section.
 */
export function searchGuide(sections: readonly Section[], query: string, limit = 20): Section[] {
  const stems = stemsOf(query)
  if (stems.length === 0) return []
  const found = sections
    .map((section) => {
      const parts = { heading: wordsOf(section.heading), title: wordsOf(section.page.title), text: wordsOf(section.text) }
      const scores = stems.map((start) => {
        const count = (words: readonly string[]) => words.filter((word) => word.startsWith(start)).length
        return (
          Math.min(count(parts.heading), 1) * (weights.heading + weights.shortHeading / parts.heading.length) +
          Math.min(count(parts.title), 1) * weights.title +
          Math.min(count(parts.text), maxCount) * weights.text
        )
      })
      return {
        section,
        words: scores.filter((score) => score > 0).length,
        score: scores.reduce((sum, score) => sum + score, section.page.role ? 0 : jobBonus),
      }
    })
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words || b.score - a.score)
  return found
    .filter(({ words }) => words === found[0]?.words)
    .slice(0, limit)
    .map(({ section }) => section)
}

const excerptLength = 180

/** The text around the first word of the query, with the words that match marked. */
export function excerptOf(text: string, query: string): Excerpt {
  const stems = stemsOf(query)
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}’']+/gu)]
  const isHit = ([word]: RegExpExecArray) => stems.some((start) => fold(word).startsWith(start))
  const first = words.findIndex(isHit)
  const from = words[Math.max(0, first - 6)]?.index ?? 0
  const isWhole = from + excerptLength >= text.length
  const to = isWhole ? text.length : (words.findLast(({ index }) => index <= from + excerptLength)?.index ?? text.length)
  const parts: { text: string; isHit: boolean }[] = []
  let at = from
  for (const word of words.filter((one) => one.index >= from && one.index + one[0].length <= to && isHit(one))) {
    if (word.index > at) parts.push({ text: text.slice(at, word.index), isHit: false })
    parts.push({ text: word[0], isHit: true })
    at = word.index + word[0].length
  }
  if (at < to) parts.push({ text: text.slice(at, to).trimEnd(), isHit: false })
  if (from > 0) parts.unshift({ text: '… ', isHit: false })
  if (!isWhole) parts.push({ text: ' …', isHit: false })
  return parts
}
