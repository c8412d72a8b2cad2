import { type Cells, isAmount, isFormula } from '../../shared/csv.ts'
import { zipBytes } from './zip-file.ts'

/*
 * An .xlsx file with one sheet (ECMA-376), written while its rows are read: a zip of a few parts, of which only the sheet is large. Each
 * cell is inline text or an amount, never a formula.
 */

/** The most characters that a spreadsheet keeps per cell. */
const maxCellLength = 32_767

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Escapes text for XML 1.0, without control characters and lone surrogates. */
const xmlText = (text: string): string =>
  text
    .slice(0, maxCellLength)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- they are what has to go
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>]/g, (character) => entities[character]!)

/** Styles: 1 is text that is never interpreted, even when edited; 2 is an amount with cents. */
const [quoted, amount] = [1, 2]
const styles =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf quotePrefix="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>'

function cellXml(text: string): string {
  if (text === '') return '<c/>'
  if (isAmount(text)) return `<c s="${amount}"><v>${text}</v></c>`
  return `<c t="inlineStr"${isFormula(text) ? ` s="${quoted}"` : ''}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

async function* sheetXml(rows: AsyncIterable<readonly Cells[]>): AsyncGenerator<string> {
  yield `${head}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
  for await (const some of rows) yield some.map((cells) => `<row>${cells.map(cellXml).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const ofPackage = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const parts: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${ofPackage}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relationships}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${ofPackage}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
}

/** Streams the file as its rows are read. If the consumer stops, reading the rows stops too. */
export const xlsxBytes = (rows: AsyncIterable<readonly Cells[]>): AsyncGenerator<Buffer> =>
  zipBytes(async (add) => {
    for (const [name, xml] of Object.entries(parts)) await add(name, Buffer.from(head + xml))
    await add('xl/worksheets/sheet1.xml', sheetXml(rows))
  })
