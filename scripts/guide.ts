/**
 * Reads the guide in docs/guide: plain data for the screens (vite.config.ts) and the tests. README.md there lists the pages in order, each with
 * its summary. Supports what the guide uses of Markdown; anything else, such as HTML, is an error.
 */
import fs from 'node:fs'
import path from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import sharp from 'sharp'
import type { Block, GuidePage, Span, Text } from '../src/app/help/rules.ts'
import { roleNames, roles } from '../src/kernel/access/rules.ts'

export const guideFolder = path.join(import.meta.dirname, '../docs/guide')

export async function readGuide(): Promise<GuidePage[]> {
  const entries = [...read('README.md').matchAll(/^- \[[^\]]+\]\(([\w-]+)\.md\): (.+)$/gm)]
  const listed = entries.map(([, slug]) => `${slug}.md`)
  const unlisted = fs.readdirSync(guideFolder).filter((file) => file.endsWith('.md') && file !== 'README.md' && !listed.includes(file))
  if (unlisted.length > 0) throw new Error(`docs/guide/README.md does not list ${unlisted.join(', ')}`)
  return Promise.all(entries.map(([, slug = '', summary = '']) => readPage(slug, summary)))
}

const read = (file: string): string => fs.readFileSync(path.join(guideFolder, file), 'utf8')

async function readPage(slug: string, summary: string): Promise<GuidePage> {
  try {
    const [title, ...tokens] = marked.lexer(read(`${slug}.md`)).filter(({ type }) => type !== 'space')
    if (title?.type !== 'heading') throw new Error('it does not start with a title')
    const role = roles.find((name) => headingId(roleNames[name]) === slug)
    return { slug, title: (title as Tokens.Heading).text, summary, ...(role && { role }), blocks: await blocksOf(tokens) }
  } catch (error) {
    throw new Error(`docs/guide/${slug}.md: ${(error as Error).message}`, { cause: error })
  }
}

const blocksOf = async (tokens: readonly Token[]): Promise<Block[]> =>
  Promise.all(tokens.filter(({ type }) => type !== 'space').map((token) => blockOf(token as Tokens.Generic)))

async function blockOf(token: Tokens.Generic): Promise<Block> {
  const { type, tokens = [] } = token
  if (type === 'heading') return { kind: 'heading', level: Number(token.depth), id: headingId(String(token.text)), text: spansOf(tokens) }
  if (type === 'paragraph' && tokens.length === 1 && tokens[0]?.type === 'image') return pictureOf(tokens[0] as Tokens.Image)
  if (type === 'paragraph' || type === 'text') return { kind: 'paragraph', text: spansOf(tokens) }
  if (type === 'list') {
    const { ordered, items } = token as Tokens.List
    return { kind: 'list', isOrdered: ordered, items: await Promise.all(items.map((item) => blocksOf(item.tokens))) }
  }
  if (type === 'table') {
    const { header, rows } = token as Tokens.Table
    const cells = (row: Tokens.TableCell[]) => row.map((cell) => spansOf(cell.tokens))
    return { kind: 'table', head: cells(header), rows: rows.map(cells) }
  }
  throw new Error(`the guide has no ${type}: ${token.raw}`)
}

async function pictureOf({ href, text }: Tokens.Image): Promise<Block> {
  const { width, height } = await sharp(path.join(guideFolder, href)).metadata()
  return { kind: 'picture', src: href, alt: text, width, height }
}

/** One style and one link at a time are enough. */
function spansOf(tokens: readonly Token[], style: Omit<Span, 'text'> = {}): Text {
  return tokens.flatMap((token) => {
    const { type, text, tokens: inner = [] } = token as Tokens.Generic
    if (type === 'strong' || type === 'em') return spansOf(inner, { ...style, style: type })
    if (type === 'codespan') return [{ text: String(text), ...style, style: 'code' as const }]
    if (type === 'link') return spansOf(inner, { ...style, to: pathOf((token as Tokens.Link).href) })
    if (type === 'text' || type === 'escape') return [{ text: String(text).replaceAll('\n', ' '), ...style }]
    throw new Error(`the guide has no ${type} within a line: ${token.raw}`)
  })
}

/** 'payments.md#refunds' is a page of the guide; '/tasks' is a page of the product. */
const pathOf = (href: string): string => href.replace(/^([\w-]+)\.md\b/, '/help/$1')

/** As GitHub makes them, so that links work there, too. */
const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
