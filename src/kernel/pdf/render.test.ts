import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { renderedCharacters, imagesOfPdf, textOfPdf } from '../../../test/formats/pdf.ts'
import type { PdfDocument } from './document.ts'
import { renderPdf } from './render.ts'

const pdfDocument = (given: Partial<PdfDocument> = {}): PdfDocument => ({
  letterhead: { name: 'Harbourview', lines: ['(905) 555-0118'], logo: null },
  title: 'Receipt 1042',
  warning: null,
  facts: [],
  parts: [],
  notes: [],
  ...given,
})
const eastAsian = ['陳大文', '山田太郎', '김민준', 'さくら ダニエル', '髙﨑 直々', '뷁 똠방각하']
const names = [
  'Łukasz Żółć',
  'Nguyễn Thị Hồng',
  'Adébáyọ̀ Ɓala',
  'Γιώργος',
  'Наталья Ёлкина',
  'محمد',
  'כהן',
  'Þórður',
  'Şeyma Ğ. İnci',
  ...eastAsian,
]
const rows = (count: number) => Array.from({ length: count }, (_, index) => [`Line ${index + 1}`, String(820_000 + index)])
const columns = [{ label: 'What was bought' }, { label: 'Amount', isAmount: true }]

describe('PDFs', () => {
  it('contain names in all supported scripts as copyable text', async () => {
    const facts = names.map((value) => ({ label: 'Customer', value }))
    const [page] = await textOfPdf(await renderPdf(pdfDocument({ facts })))
    // Parts of a word in different fonts are separated.
    for (const name of names) expect(page!.replaceAll(' ', '')).toContain(name.replaceAll(' ', ''))
    const again = await textOfPdf(await renderPdf(pdfDocument({ notes: ['Mixed office'] })))
    expect(again[0]).toContain('Mixed office')
    expect(again[0]).toContain('Page 1 of 1')
  })

  it('keeps each letter copyable after a PDF that contains it only with an accent', async () => {
    await renderPdf(pdfDocument({ facts: [{ label: 'to', value: 'É Ñ Ż' }] }))
    const [page] = await textOfPdf(await renderPdf(pdfDocument({ facts: [{ label: 'tax', value: 'Exempt Naomi Zoe' }] })))
    expect(page).toContain('Exempt Naomi Zoe')
  })

  it('draw every letter of a Chinese, Japanese or Korean name with its own glyph, in headings too', async () => {
    const bytes = await renderPdf(pdfDocument({ title: 'Quote 陳大文', facts: eastAsian.map((value) => ({ label: 'Customer', value })) }))
    const drawn = await renderedCharacters(bytes)
    for (const name of ['陳大文', ...eastAsian]) expect(drawn.replaceAll(' ', '')).toContain(name.replaceAll(' ', ''))
    expect(drawn).not.toContain('□')
  })

  it.each([
    ['letters of a script', 'अनु (Ana)', '[U+0905 U+0928 U+0941] (Ana)'],
    ['an emoji', 'Ana 😀', 'Ana [U+1F600]'],
    ['an emoji of several', 'Ana 👩‍⚕️!', 'Ana [U+1F469 U+200D U+2695 U+FE0F]!'],
    ['no direction mark', 'Ana\u200f', 'Ana'],
    ['a Han character outside the basic plane', '𠮷野', '[U+20BB7]野'],
  ])('name what no font has by its code points: %s', async (_, given, drawn) => {
    const typed = { heading: 'Signed', strokes: null, typed: given, lines: [] }
    const bytes = await renderPdf(pdfDocument({ facts: [{ label: 'Customer', value: given }], parts: [typed] }))
    const text = (await textOfPdf(bytes))[0]!.replaceAll(' ', '')
    expect(text.split(drawn.replaceAll(' ', ''))).toHaveLength(3)
    expect(text).not.toContain('□')
  })

  it('draw a name whose letters are kept apart by an invisible character', async () => {
    const [page] = await textOfPdf(await renderPdf(pdfDocument({ facts: [{ label: 'Customer', value: 'مه‌سا' }] })))
    expect(page).not.toMatch(/[[□]/)
  })

  it('repeat table headings on each page, number the pages and lose no row', async () => {
    const pages = await textOfPdf(await renderPdf(pdfDocument({ parts: [{ columns, rows: rows(300) }] })))
    expect(pages.length).toBeGreaterThan(5)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('What was bought')
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    }
    const all = pages.join(' ')
    for (const [line, amount] of rows(300)) expect(all).toContain(`${line} ${amount}`)
  })

  it('show a warning', async () => {
    const [page] = await textOfPdf(await renderPdf(pdfDocument({ warning: 'Not recorded yet' })))
    expect(page).toContain('Not recorded yet')
  })

  it('do not block the server, and do not mix up concurrent documents', async () => {
    await renderPdf(pdfDocument())
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const titles = Array.from({ length: 4 }, (_, index) => `Paper ${index}`)
    const drawn = await Promise.all(titles.map((title) => renderPdf(pdfDocument({ title, parts: [{ columns, rows: rows(60) }] }))))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(50)
    for (const [index, bytes] of drawn.entries()) expect((await textOfPdf(bytes))[0]).toContain(titles[index])
  })

  it.each([
    ['small', { width: 40, height: 20 }, { width: 40, height: 20 }],
    ['wide', { width: 512, height: 64 }, { width: 160, height: 20 }],
    ['high', { width: 100, height: 400 }, { width: 13, height: 52 }],
  ])('show a %s logo at the top, scaled without distortion', async (_, size, shown) => {
    const png = await sharp({ create: { ...size, channels: 4, background: { r: 0, g: 170, b: 119, alpha: 1 } } })
      .png()
      .toBuffer()
    const letterhead = { name: 'Harbourview', lines: [], logo: { png: new Uint8Array(png), ...size } }
    const bytes = await renderPdf(pdfDocument({ letterhead }))
    const [picture, ...others] = await imagesOfPdf(bytes)
    expect(others).toEqual([])
    expect(picture).toMatchObject({ ...size, middle: [0, 170, 119] })
    expect(picture!.shown.width).toBeCloseTo(shown.width, 1)
    expect(picture!.shown.height).toBeCloseTo(shown.height, 1)
    expect((await textOfPdf(bytes))[0]).toContain('Harbourview')
  })

  it('fail individually', async () => {
    const broken = pdfDocument({ parts: [{ columns: [], rows: [['No column']] }] })
    const [failed, drawn] = await Promise.allSettled([renderPdf(broken), renderPdf(pdfDocument())])
    expect([failed.status, drawn.status]).toEqual(['rejected', 'fulfilled'])
  })
})
