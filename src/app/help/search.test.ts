import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGuide } from '../../../scripts/guide.ts'
import { excerptOf, groupPages, type GuidePage, searchGuide, sectionsOf } from './rules.ts'

const guide = sectionsOf(await readGuide())
const best = (query: string) => {
  const [first] = searchGuide(guide, query)
  return first && `${first.page.slug}#${first.id ?? ''}`
}

const page = (slug: string, title: string, text: string): GuidePage => ({
  slug,
  title,
  summary: '',
  blocks: [
    { kind: 'heading', level: 2, id: 'part', text: [{ text: 'A part' }] },
    { kind: 'paragraph', text: [{ text }] },
  ],
})
const found = (query: string, ...pages: GuidePage[]) =>
  searchGuide(sectionsOf(pages), query).map(({ page, id }) => `${page.slug}#${id ?? ''}`)

describe('the search of the guide', () => {
  it.each([
    ['refund', 'payments#refund-a-payment'],
    ['how to refund a payment', 'payments#refund-a-payment'],
    ['merging duplicates', 'leads-and-patients#possible-duplicates'],
    ['connect mailbox', 'email#connect-your-mailbox'],
    ['undo import', 'import#undo-an-import'],
    ['PENDING RECEIPTS', 'payments#pending-receipts'],
    ['invite', 'administrator#invite-someone'],
    ['backups', 'administrator#backups'],
    ['virus', 'documents#if-a-file-does-not-open'],
  ])('finds the section for "%s"', (query, section) => {
    expect(best(query)).toBe(section)
  })

  it('ignores case, accents, apostrophes and endings', () => {
    const one = page('one', 'One', 'Chloé’s receipts were refunded.')
    for (const query of ['CHLOE', 'chloés', 'refund', 'refunding', 'receipt']) expect(found(query, one)).toEqual(['one#part'])
  })

  it('prefers sections with all words, then a heading over the text', () => {
    const both = page('both', 'Both', 'apples and pears')
    const one = page('one', 'Apples', 'apples apples apples')
    expect(found('apples pears', one, both)).toEqual(['both#part'])
    expect(found('apples', both, one)[0]).toMatch(/^one#/)
    expect(found('apples plums', both)).toEqual(['both#part'])
  })

  it('finds nothing without a word, and nothing that is not there', () => {
    for (const query of ['', '  ', '?!', 'zzzz']) expect(searchGuide(guide, query)).toEqual([])
  })

  it('copes with any query, and its excerpts are parts of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), fc.nat(), (query, index) => {
        for (const section of searchGuide(guide, query)) expect(guide).toContain(section)
        const { text } = guide[index % guide.length]!
        const excerpt = excerptOf(text, query)
          .map((part) => part.text)
          .join('')
          .replace(/^… /, '')
          .replace(/ …$/, '')
        expect(text).toContain(excerpt)
      }),
    )
  })

  it('marks the words found in the excerpt', () => {
    const text = `${'Nothing of interest here. '.repeat(20)}Choose the refund method and confirm.`
    const parts = excerptOf(text, 'refunds')
    expect(parts.filter(({ isHit }) => isHit).map((part) => part.text)).toEqual(['refund'])
    expect(parts[0]).toEqual({ text: '… ', isHit: false })
  })
})

it('lists the person’s own guide first, and every page once', async () => {
  const pages = await readGuide()
  const { own, roles, jobs } = groupPages(pages, 'billing')
  expect(own.map(({ slug }) => slug)).toEqual(['billing'])
  const slugsOf = (list: readonly GuidePage[]) => list.map(({ slug }) => slug).toSorted()
  expect(slugsOf([...own, ...roles, ...jobs])).toEqual(slugsOf(pages))
  expect(groupPages(pages, undefined).own).toEqual([])
})
