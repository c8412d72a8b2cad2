import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { Document, type DocumentProps, Image, Page, Path, Svg, Text, type TextProps, View } from '@react-pdf/renderer'
import { fitInto } from '../../shared/fit-size.ts'
import type { Fonts } from './fonts.ts'
import { pdfTexts } from './texts.ts'
import type { PdfDocument, PdfCell, PdfColumn, PdfPictures, PdfProse, PdfSignature, PdfTotals, PdfTable } from './document.ts'

const ink = { strong: '#242019', quiet: '#6b6459', line: '#d9d4cb', warning: '#a8261b' } as const
/** In points. */
const logoBox = { width: 160, height: 52 }
/** Of one of two columns. */
const pictureBox = { width: 246, height: 270 }
/** Tables of up to this many rows are not split across pages. */
const maxUnbrokenRows = 8
/** Text of up to this many characters stays with its heading. */
const maxUnbrokenText = 600

/** The size of the pad on which signatures are drawn. */
const padSize = 1_000
/** One point is a dot. */
const strokePath = ([x = 0, y = 0, ...rest]: readonly number[]): string => `M${x} ${y}${rest.length > 0 ? `L${rest.join(' ')}` : 'h6'}`

type Style = Extract<NonNullable<TextProps['style']>, { fontSize?: unknown }>

const box = (style: Style, ...children: ReactNode[]) => h(View, { style }, ...children)

/** The layout of a PDF, in these fonts. */
export function renderDocument(document: PdfDocument, { families, toDrawable }: Fonts): ReactElement<DocumentProps> {
  const { language = 'en' } = document
  const text = (content: string, style: Style = {}) => h(Text, { style }, toDrawable(content))

  const letterhead = () =>
    box(
      { marginBottom: 28, flexDirection: 'row', justifyContent: 'space-between', alignItems: 'flex-start' },
      box(
        { flex: 1, paddingRight: 24 },
        text(document.letterhead.name, { fontSize: 16, fontWeight: 600 }),
        ...document.letterhead.lines.map((line) => text(line, { color: ink.quiet })),
      ),
      ...logo(),
    )

  const logo = () => {
    if (!document.letterhead.logo) return []
    const { png, ...size } = document.letterhead.logo
    return [h(Image, { key: 'logo', src: { data: Buffer.from(png), format: 'png' }, style: { ...fitInto(size, logoBox) } })]
  }

  const addressee = (lines: readonly string[]) => box({ marginBottom: 28 }, ...lines.map((line) => text(line, { fontSize: 11 })))

  const warning = (content: string) =>
    box(
      { borderWidth: 2, borderColor: ink.warning, paddingVertical: 10, paddingHorizontal: 14, marginBottom: 18 },
      text(content, { fontSize: 28, fontWeight: 600, color: ink.warning }),
    )

  const fact = ({ label, value }: PdfDocument['facts'][number]) =>
    box({ flexDirection: 'row', marginBottom: 3 }, text(label, { width: 116, color: ink.quiet }), text(value, { flex: 1 }))

  const cell = (content: PdfCell, { width, isAmount }: PdfColumn, style: Style = {}) => {
    const place: Style = { ...(width ? { width } : { flex: 1 }), ...(isAmount ? { textAlign: 'right' } : { paddingRight: 12 }), ...style }
    if (typeof content === 'string') return text(content, place)
    return box(place, text(content.text), text(content.detail, { fontSize: 8.5, color: ink.quiet }))
  }

  const row = (cells: readonly PdfCell[], columns: readonly PdfColumn[]) =>
    h(
      View,
      { wrap: false, style: { flexDirection: 'row', borderBottomWidth: 0.5, borderColor: ink.line, paddingVertical: 5 } },
      ...cells.map((content, index) => cell(content, columns[index]!)),
    )

  const table = ({ heading, columns, rows, startsPage = false, mayBreak = false }: PdfTable) =>
    h(
      View,
      { style: { marginTop: 18 }, wrap: mayBreak || rows.length > maxUnbrokenRows, break: startsPage },
      ...(heading ? [text(heading, { fontSize: 11, fontWeight: 600, marginBottom: 2 })] : []),
      // Repeated on each page.
      h(
        View,
        { fixed: true, style: { flexDirection: 'row', borderBottomWidth: 0.75, borderColor: ink.quiet, paddingVertical: 4 } },
        ...columns.map((column) => cell(column.label, column, { fontSize: 8.5, color: ink.quiet })),
      ),
      ...rows.map((cells) => row(cells, columns)),
    )

  const sums = ({ sums: lines }: PdfTotals) =>
    h(
      View,
      { wrap: false, style: { marginTop: 10, alignSelf: 'flex-end', width: 300 } },
      ...lines.map(({ label, amount, isStrong }) =>
        box(
          {
            flexDirection: 'row',
            justifyContent: 'space-between',
            paddingVertical: 3,
            ...(isStrong
              ? { fontWeight: 600, fontSize: 12, borderTopWidth: 0.75, borderColor: ink.quiet, marginTop: 3, paddingTop: 6 }
              : {}),
          },
          text(label, { flex: 1, paddingRight: 12 }),
          text(amount, { textAlign: 'right' }),
        ),
      ),
    )

  const prose = ({ heading, text: content, aside }: PdfProse) =>
    h(
      View,
      { style: { marginTop: 12 }, wrap: content.length > maxUnbrokenText },
      h(Text, { minPresenceAhead: 24, style: { fontSize: 11, fontWeight: 600, marginBottom: 3 } }, toDrawable(heading)),
      aside === undefined
        ? text(content)
        : box(
            { flexDirection: 'row' },
            text(content, { flex: 1, paddingRight: 18 }),
            text(aside, { width: 96, textAlign: 'right', fontWeight: 600 }),
          ),
    )

  const signature = ({ heading, strokes, typed, lines }: PdfSignature) =>
    h(
      View,
      { style: { marginTop: 20 }, wrap: false },
      text(heading, { fontSize: 11, fontWeight: 600, marginBottom: 6 }),
      box(
        { width: 240, height: 72, borderBottomWidth: 0.75, borderColor: ink.quiet, justifyContent: 'flex-end', paddingBottom: 6 },
        strokes
          ? h(
              Svg,
              { viewBox: `0 0 ${padSize} ${padSize}`, preserveAspectRatio: 'none', style: { width: 240, height: 66 } },
              ...strokes.map((points, index) =>
                h(Path, { key: index, d: strokePath(points), stroke: ink.strong, strokeWidth: 6, fill: 'none' }),
              ),
            )
          : text(typed ?? '', { fontSize: 18 }),
      ),
      ...lines.map((line) => text(line, { color: ink.quiet, marginTop: 4 })),
    )

  const picture = ({ jpeg, lines, ...size }: PdfPictures['pictures'][number]) =>
    h(
      View,
      { wrap: false, style: { width: pictureBox.width, marginTop: 14 } },
      h(Image, { src: { data: Buffer.from(jpeg), format: 'jpg' }, style: { ...fitInto(size, pictureBox) } }),
      ...lines.map((line, index) => text(line, { marginTop: index === 0 ? 5 : 1, ...(index > 0 && { color: ink.quiet }) })),
    )

  const grid = ({ pictures }: PdfPictures) =>
    box({ flexDirection: 'row', flexWrap: 'wrap', justifyContent: 'space-between' }, ...pictures.map(picture))

  const part = (content: PdfDocument['parts'][number]) =>
    'pictures' in content
      ? grid(content)
      : 'sums' in content
        ? sums(content)
        : 'strokes' in content
          ? signature(content)
          : 'text' in content
            ? prose(content)
            : table(content)

  const head = (content: string) =>
    h(
      View,
      { fixed: true, style: { marginTop: -20, marginBottom: 14 } },
      text(content, { color: ink.quiet, fontSize: 8.5, textAlign: 'right' }),
    )

  const footer = h(
    View,
    {
      fixed: true,
      style: {
        position: 'absolute',
        bottom: 28,
        left: 54,
        right: 54,
        flexDirection: 'row',
        justifyContent: 'space-between',
        color: ink.quiet,
        fontSize: 8.5,
      },
    },
    text(`${document.title} · ${document.letterhead.name}`),
    h(Text, { render: ({ pageNumber, totalPages }) => pdfTexts[language]('page', { page: pageNumber, total: totalPages }) }),
  )

  return h(
    Document,
    {
      title: toDrawable(document.title),
      author: toDrawable(document.letterhead.name),
      creator: 'Refyne',
      producer: 'Refyne',
      language: `${language}-CA`,
    },
    h(
      Page,
      {
        size: 'LETTER',
        style: { fontFamily: families, fontSize: 9.5, color: ink.strong, paddingTop: 48, paddingHorizontal: 54, paddingBottom: 64 },
      },
      ...(document.head ? [head(document.head)] : []),
      letterhead(),
      ...(document.addressee ? [addressee(document.addressee)] : []),
      ...(document.warning ? [warning(document.warning)] : []),
      text(document.title, { fontSize: 18, fontWeight: 600, marginBottom: 10 }),
      ...document.facts.map(fact),
      ...document.parts.map(part),
      ...(document.notes.length > 0
        ? [box({ marginTop: 24 }, ...document.notes.map((note) => text(note, { color: ink.quiet, marginBottom: 4 })))]
        : []),
      footer,
    ),
  )
}
