import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

/** A cell as stored in the file: text, a number, or custom XML. */
export type SheetCell = string | number | null | { xml: string }
type Sheet = { name: string; rows: readonly (readonly SheetCell[])[]; isHidden?: boolean }

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

/** A date as a spreadsheet stores it: a number with a date style. */
export const dayCell = (day: string): SheetCell => ({
  xml: `s="1"><v>${Math.round(Date.parse(day) / 86_400_000) + 25_569}</v>`,
})

/** An .xlsx file structured as by Excel: shared strings, and dates as styled numbers. */
export async function xlsxFile(
  sheets: readonly Sheet[],
  { parts = {} }: { parts?: Record<string, string | Buffer> } = {},
): Promise<Buffer<ArrayBuffer>> {
  const texts = new Map<string, number>()
  const indexOf = (text: string): number => {
    const index = texts.get(text) ?? texts.size
    texts.set(text, index)
    return index
  }
  const cellXml = (cell: SheetCell, address: string): string => {
    if (cell === null || cell === '') return ''
    if (typeof cell === 'string') return `<c r="${address}" t="s"><v>${indexOf(cell)}</v></c>`
    return `<c r="${address}" ${typeof cell === 'number' ? `><v>${cell}</v>` : cell.xml}</c>`
  }
  const bodies: Record<string, string> = {}
  for (const [i, { rows }] of sheets.entries()) {
    const lines = rows.map((row, r) => `<row r="${r + 1}">${row.map((cell, c) => cellXml(cell, `${letters(c)}${r + 1}`)).join('')}</row>`)
    bodies[`xl/worksheets/sheet${i + 1}.xml`] = `<?xml version="1.0"?><worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`
  }
  const files: Record<string, string | Buffer> = {
    ...bodies,
    'xl/sharedStrings.xml': `<sst>${[...texts.keys()].map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets
      .map(
        ({ name, isHidden }, i) =>
          `<sheet name="${escape(name)}" sheetId="${i + 1}" ${isHidden ? 'state="hidden" ' : ''}r:id="rId${i + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_sheet, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`)
      .join('')}</Relationships>`,
    ...parts,
  }
  const zip = new yazl.ZipFile()
  // A zlib stream takes 256 KB, and yazl opens one per part at the same time.
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name, { compress: text.length > 1_000 })
  zip.end()
  return Buffer.from(await buffer(zip.outputStream))
}
