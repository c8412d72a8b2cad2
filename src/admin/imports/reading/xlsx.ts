import { importColumnLimit, importRowLimit } from '../contract.ts'
import { CsvError } from './csv.ts'
import { TextList } from './text-list.ts'
import { parseColumn, formatSerialDate, isDateFormat, formatNumber, unescapeText } from './xlsx-cells.ts'
import { localName } from './xml.ts'
import {
  limits,
  unreadableError,
  tooComplexError,
  formatThousands,
  formatMegabytes,
  createParser,
  type Parts,
  openParts,
  parse,
} from './xlsx-parts.ts'

/**
 * Reads spreadsheet files (.xlsx), a zip of XML parts, streaming only the parts it needs. The declared sizes may be wrong, so unpacked
 * bytes are counted and zip bombs are refused. Runs in a worker (read-table.ts), because it can take seconds.
 */

/** Excel's limit. */
const lastRow = 1_048_576

/** Thrown when the user must choose one of several visible sheets. */
export class SheetChoice extends Error {
  readonly sheets: string[]
  constructor(sheets: string[]) {
    super('Choose a sheet')
    this.sheets = sheets
  }
}

/** Whether a file starts like a zip. */
export const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4
/** Whether a file is an OLE container: the Excel 97 format or a password-protected file. */
export const isOle = (head: Uint8Array): boolean => head[0] === 0xd0 && head[1] === 0xcf && head[2] === 0x11 && head[3] === 0xe0

type Sheet = { name: string; part: string; isHidden: boolean }
type Workbook = { sheets: Sheet[]; from1904: boolean }

async function readWorkbook(parts: Parts): Promise<Workbook> {
  if (!parts.has('xl/workbook.xml')) throw unreadableError()
  const targets = new Map<string, string>()
  await parse(parts, 'xl/_rels/workbook.xml.rels', {
    open({ name, attributes: { Id, Target } }) {
      if (name !== 'Relationship' || !Id || !Target) return
      if (targets.size >= limits.parts) throw tooComplexError(`more than ${formatThousands(limits.parts)} parts`)
      targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const workbook: Workbook = { sheets: [], from1904: false }
  await parse(parts, 'xl/workbook.xml', {
    open({ name, attributes }) {
      if (name === 'workbookPr') workbook.from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const part = targets.get(Object.entries(attributes).find(([key]) => localName(key) === 'id' && key !== 'sheetId')?.[1] ?? '')
      if (!part || !parts.has(part)) return
      if (workbook.sheets.length >= limits.sheets) throw tooComplexError(`more than ${formatThousands(limits.sheets)} sheets`)
      workbook.sheets.push({
        name: (attributes.name ?? '').slice(0, limits.name),
        part,
        isHidden: (attributes.state ?? 'visible') !== 'visible',
      })
    },
  })
  if (workbook.sheets.length === 0) throw unreadableError()
  return workbook
}

/** The shared texts of the file, which cells refer to by index. */
async function readTexts(parts: Parts): Promise<TextList> {
  const texts = new TextList()
  let current = ''
  let [isText, isPhonetic] = [false, false]
  await parse(parts, 'xl/sharedStrings.xml', {
    open({ name }) {
      if (name === 'si') current = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    text(piece) {
      if (isText && current.length <= importRowLimit) current += piece
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') {
        if (texts.length >= limits.texts) throw tooComplexError(`more than ${formatThousands(limits.texts)} different texts`)
        texts.add(unescapeText(current).slice(0, importRowLimit + 1))
      }
    },
  })
  return texts
}

/** For each cell style, whether it shows dates. */
async function readDateStyles(parts: Parts): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const known = new Map<number, boolean>()
  const styles: boolean[] = []
  let isCells = false
  await parse(parts, 'xl/styles.xml', {
    open({ name, attributes }) {
      if (name === 'numFmt') {
        if (codes.size >= limits.formats) throw tooComplexError(`more than ${formatThousands(limits.formats)} number formats`)
        codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? '').slice(0, limits.name))
      } else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        if (styles.length >= limits.styles) throw tooComplexError(`more than ${formatThousands(limits.styles)} cell styles`)
        const id = Number(attributes.numFmtId ?? 0)
        const isDate = known.get(id) ?? isDateFormat(id, codes.get(id))
        known.set(id, isDate)
        styles.push(isDate)
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

type Row = { number: number; cells: string[] }
type CellContext = { texts: TextList; dateStyles: readonly boolean[]; from1904: boolean }

/** The displayed text of a cell with the raw value `raw`, type `type` and style `style`. */
function formatCell({ texts, dateStyles, from1904 }: CellContext, type: string, style: string | undefined, raw: string): string {
  if (type === 's') return texts.at(Number(raw)) ?? ''
  if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return raw.replace('T', ' ').replace(/ 00:00:00(\.0+)?Z?$/, '')
  if (type !== 'n') return unescapeText(raw)
  return (dateStyles[Number(style ?? -1)] && formatSerialDate(Number(raw), from1904)) || formatNumber(raw)
}

async function* readRows(parts: Parts, part: string, context: CellContext): AsyncGenerator<Row> {
  const completeRows: Row[] = []
  let row: Row = { number: 0, cells: [] }
  let cell: { column: number; type: string; style: string | undefined; text: string } | null = null
  let [isRow, isValue, isPhonetic] = [false, false, false]
  let [characters, allCharacters] = [0, 0]
  /** The column of a cell without an address: after the previous cell. */
  let nextColumn = 0
  /** Checks the length of the row, because a small cell may refer to a text of a million characters. */
  const checkRowLength = (more: number) => {
    if (characters + more > importRowLimit) throw new CsvError('ROW_TOO_LONG', `Row ${row.number} is too long`)
  }
  const parser = createParser({
    open({ name, attributes }) {
      if (name === 'row') {
        const number = attributes.r === undefined ? row.number + 1 : Number(attributes.r)
        if (isRow || !Number.isInteger(number) || number <= row.number || number > lastRow) throw unreadableError()
        isRow = true
        row = { number, cells: [] }
        characters = nextColumn = 0
      } else if (name === 'c') {
        const column = parseColumn(attributes.r) ?? nextColumn
        nextColumn = column + 1
        if (column >= importColumnLimit)
          throw new CsvError('TOO_MANY_COLUMNS', `Row ${row.number} has more than ${importColumnLimit} columns`)
        cell = { column, type: attributes.t ?? 'n', style: attributes.s, text: '' }
      } else if (name === 'rPh') isPhonetic = true
      else if (name === 'v' || name === 't') isValue = cell !== null && !isPhonetic
    },
    text(piece) {
      if (!isValue || !cell) return
      cell.text += piece
      checkRowLength(cell.text.length)
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell) {
        if (cell.text !== '') {
          while (row.cells.length < cell.column) row.cells.push('')
          const cellText = formatCell(context, cell.type, cell.style, cell.text)
          checkRowLength(cellText.length)
          characters += cellText.length
          allCharacters += cellText.length
          if (allCharacters > limits.unpacked) throw tooComplexError(`more than ${formatMegabytes(limits.unpacked)} of text in its cells`)
          row.cells[cell.column] = cellText
        }
        cell = null
      } else if (name === 'row') {
        isRow = false
        if (row.cells.length > 0) completeRows.push(row)
      }
    },
  })
  for await (const text of parts.read(part, limits.unpacked)) {
    parser.write(text)
    yield* completeRows.splice(0)
  }
  parser.end()
  yield* completeRows
}

/**
 * The non-empty rows of a sheet, numbered as in the spreadsheet. Without a name, the only visible sheet.
 * @throws CsvError if the file cannot be read, SheetChoice if there are several sheets or none with that name.
 */
export async function* readSheet(file: string, sheetName: string | null): AsyncGenerator<Row> {
  const parts = await openParts(file)
  try {
    const { sheets, from1904 } = await readWorkbook(parts)
    const visible = sheets.filter(({ isHidden }) => !isHidden)
    const sheet = sheetName === null ? (visible.length === 1 ? visible[0] : undefined) : sheets.find(({ name }) => name === sheetName)
    if (!sheet) throw new SheetChoice(visible.map(({ name }) => name))
    const context = { texts: await readTexts(parts), dateStyles: await readDateStyles(parts), from1904 }
    yield* readRows(parts, sheet.part, context)
  } finally {
    parts.close()
  }
}
