import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { guideFolder, readGuide } from '../../../scripts/guide.ts'
import { roleNames, roles } from '../../kernel/access/rules.ts'
import { isPage } from '../page-rules.ts'
import type { Block, Span } from './rules.ts'

const src = path.join(import.meta.dirname, '../..')
const pages = await readGuide()
const screens = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(path.join(src, file), 'utf8'))

/** 'front-desk#book-a-visit' of every heading, and 'front-desk' of every page. */
const targets = new Set(
  pages.flatMap(({ slug, blocks }) => [slug, ...blocks.flatMap((block) => (block.kind === 'heading' ? [`${slug}#${block.id}`] : []))]),
)

const spansOf = (block: Block): readonly Span[] => {
  if (block.kind === 'list') return block.items.flat().flatMap(spansOf)
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flat()
  return block.kind === 'picture' ? [] : block.text
}
const spans = pages.flatMap(({ slug, blocks }) => blocks.flatMap(spansOf).map((span) => ({ slug, ...span })))

describe('the guide', () => {
  it('has one page for each role', () => {
    expect(pages.flatMap(({ role }) => role ?? []).toSorted()).toEqual([...roles].toSorted())
    expect(pages.find(({ role }) => role === 'front_desk')?.title).toBe(roleNames.front_desk)
  })

  it('links to screens, pages and headings that exist', () => {
    const links = spans.flatMap(({ slug, to }) => (to ? [{ slug, to }] : []))
    const isBroken = ({ slug, to }: { slug: string; to: string }) => {
      if (to.startsWith('#')) return !targets.has(slug + to)
      if (to.startsWith('/help/')) return !targets.has(to.slice('/help/'.length))
      return !isPage(new URL(to, 'http://localhost').pathname)
    }
    expect(links.filter(isBroken)).toEqual([])
    expect(links.length).toBeGreaterThan(80)
  })

  it('calls buttons and fields what the screens call them', () => {
    // A name may be interrupted by a line break in the source.
    const text = screens.join('\n').replaceAll(/\s+/g, ' ')
    const names = spans.filter(({ style, to }) => style === 'strong' && !to).map((span) => span.text.replace(/[.:,]$/, ''))
    const unknown = names.filter((name) => !/^[A-Z]/.test(name) || !text.includes(name))
    expect([...new Set(unknown)]).toEqual([])
    expect(names.length).toBeGreaterThan(200)
  })

  it('shows every picture in its folder', () => {
    const shown = pages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'picture' ? [block.src] : [])))
    expect(shown.toSorted()).toEqual(
      readdirSync(path.join(guideFolder, 'pictures'))
        .map((file) => `pictures/${file}`)
        .toSorted(),
    )
  })
})

describe('links from the screens', () => {
  const used = screens.flatMap((text) => [...text.matchAll(/<HelpLink[^>]*? to="([^"]*)"/g)].map(([, to]) => to!))

  it('lead to pages and headings that exist', () => {
    expect(used.filter((to) => !targets.has(to))).toEqual([])
    expect(used.length).toBeGreaterThan(10)
  })

  it('are written as plain text, so that the test above finds them', () => {
    expect(used).toHaveLength(screens.join('\n').match(/<HelpLink\b/g)?.length ?? 0)
  })
})
