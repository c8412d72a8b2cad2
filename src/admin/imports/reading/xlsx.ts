import yauzl from 'yauzl'
import { importColumnLimit, importRowLimit } from '../contract.ts'
import { CsvError } from './csv.ts'
import { TextList } from './text-list.ts'
import { columnOf, dateText, isDateFormat, numberText, unescapeText } from './xlsx-cells.ts'
import { type Handlers, localName, parseXml } from './xml.ts'

/**
 * Spreadsheet files (.xlsx): a zip of XML parts, of which those that are needed are read bit by bit. What a zip says of its sizes may be a lie, so
 * what comes out is counted: a small file that unpacks without end is given up. Read by a worker (read-table.ts): this still takes seconds.
 */

/**
 * Sizes in bytes of all that is unpacked. 100 MB of text pack to about 10 MB; a sheet of blanks, or a bomb, far further. `kept`: of what comes before
 * the sheet and stays in memory while it is read.
 * `directory`: of the zip's list of its parts. The others are counts, each well beyond what Excel itself allows or people use.
 */
const limits = {
  parts: 5_000,
  directory: 4 * 1024 * 1024,
  unpacked: 600 * 1024 * 1024,
  kept: 64 * 1024 * 1024,
  ratio: 100,
  texts: 2_000_000,
  styles: 100_000,
  formats: 10_000,
  sheets: 1_000,
  name: 255,
}
const alwaysUnpacked = 10 * 1024 * 1024
/** Excel's own. */
const lastRow = 1_048_576

/** Also for what is of another kind, or has the name of a spreadsheet alone. */
export const notSheet = () =>
  new CsvError('NOT_CSV', 'This spreadsheet cannot be read. Save it as .xlsx or CSV without a password, and try again.')
/** `what` completes 'This file has …'. */
export const tooComplex = (what: string) =>
  new CsvError(
    'TOO_COMPLEX',
    `This file has ${what}. Save the sheet as CSV in your spreadsheet program, or split it into several, and try again.`,
  )
const thousands = (count: number): string => count.toLocaleString('en-CA')
const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`

/** More than one sheet has something to show: the person who sent the file says which. */
export class SheetChoice extends Error {
  readonly sheets: string[]
  constructor(sheets: string[]) {
    super('Which sheet')
    this.sheets = sheets
  }
}

/** Whether a file begins as a zip does. */
export const looksZipped = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4
/** Excel 97's format, or a file under a password: both lie in a file system of their own. */
export const looksBinary = (head: Uint8Array): boolean => head[0] === 0xd0 && head[1] === 0xcf && head[2] === 0x11 && head[3] === 0xe0

const parserOf = (handlers: Handlers) => parseXml(handlers, { broken: notSheet, tooLarge: tooComplex })

/** `limit`: how many bytes may have been unpacked by the end of the part, of all that were read. */
type Parts = { has: (name: string) => boolean; read: (name: string, limit: number) => AsyncGenerator<string> }

async function openParts(file: string): Promise<Parts & { close: () => void }> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => Promise.reject(notSheet()))
  const entries = new Map<string, yauzl.Entry>()
  try {
    if (zip.entryCount > limits.parts) throw tooComplex(`more than ${thousands(limits.parts)} parts`)
    let directory = 0
    for await (const entry of zip.eachEntry()) {
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directory > limits.directory) throw tooComplex(`a list of parts of more than ${megabytes(limits.directory)}`)
      entries.set(entry.fileName.replace(/^\//, ''), entry)
    }
  } catch (error) {
    zip.close()
    throw error instanceof CsvError ? error : notSheet()
  }
  let [unpacked, packed] = [0, 0]
  async function* read(name: string, limit: number): AsyncGenerator<string> {
    const entry = entries.get(name)
    if (!entry) return
    if (entry.isEncrypted()) throw notSheet()
    packed += entry.compressedSize
    const decoder = new TextDecoder()
    const stream = await zip.openReadStreamPromise(entry).catch(() => Promise.reject(notSheet()))
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        unpacked += chunk.byteLength
        if (unpacked > limit)
          throw tooComplex(
            `more than ${megabytes(limit)} of ${limit === limits.kept ? 'text, styles and sheet names' : 'contents'} when unpacked`,
          )
        if (unpacked > alwaysUnpacked && unpacked > limits.ratio * packed)
          throw tooComplex(`contents that unpack to more than ${limits.ratio} times their size`)
        yield decoder.decode(chunk, { stream: true })
      }
    } catch (error) {
      throw error instanceof CsvError ? error : notSheet()
    } finally {
      stream.destroy()
    }
  }
  return { has: (name) => entries.has(name), read, close: () => zip.close() }
}

/** Reads a part that is kept. */
async function parse(parts: Parts, name: string, handlers: Handlers): Promise<void> {
  const parser = parserOf(handlers)
  for await (const text of parts.read(name, limits.kept)) parser.write(text)
  parser.end()
}

type Sheet = { name: string; part: string; isHidden: boolean }
type Workbook = { sheets: Sheet[]; from1904: boolean }

async function readWorkbook(parts: Parts): Promise<Workbook> {
  if (!parts.has('xl/workbook.xml')) throw notSheet()
  const targets = new Map<string, string>()
  await parse(parts, 'xl/_rels/workbook.xml.rels', {
    open({ name, attributes: { Id, Target } }) {
      if (name !== 'Relationship' || !Id || !Target) return
      if (targets.size >= limits.parts) throw tooComplex(`more than ${thousands(limits.parts)} parts`)
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
      if (workbook.sheets.length >= limits.sheets) throw tooComplex(`more than ${thousands(limits.sheets)} sheets`)
      workbook.sheets.push({
        name: (attributes.name ?? '').slice(0, limits.name),
        part,
        isHidden: (attributes.state ?? 'visible') !== 'visible',
      })
    },
  })
  if (workbook.sheets.length === 0) throw notSheet()
  return workbook
}

/** Each text of the file once, as cells refer to them. */
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
        if (texts.length >= limits.texts) throw tooComplex(`more than ${thousands(limits.texts)} different texts`)
        texts.add(unescapeText(current).slice(0, importRowLimit + 1))
      }
    },
  })
  return texts
}

/** Of each cell style, whether it shows dates. */
async function readDateStyles(parts: Parts): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const known = new Map<number, boolean>()
  const styles: boolean[] = []
  let isCells = false
  await parse(parts, 'xl/styles.xml', {
    open({ name, attributes }) {
      if (name === 'numFmt') {
        if (codes.size >= limits.formats) throw tooComplex(`more than ${thousands(limits.formats)} number formats`)
        codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? '').slice(0, limits.name))
      } else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        if (styles.length >= limits.styles) throw tooComplex(`more than ${thousands(limits.styles)} cell styles`)
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
type Around = { texts: TextList; dateStyles: readonly boolean[]; from1904: boolean }

/** What a cell shows. `given`: what stands in it, of type `type`, in style `style`. */
function shownOf({ texts, dateStyles, from1904 }: Around, type: string, style: string | undefined, given: string): string {
  if (type === 's') return texts.at(Number(given)) ?? ''
  if (type === 'b') return given === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return given.replace('T', ' ').replace(/ 00:00:00(\.0+)?Z?$/, '')
  if (type !== 'n') return unescapeText(given)
  return (dateStyles[Number(style ?? -1)] && dateText(Number(given), from1904)) || numberText(given)
}

async function* rowsOf(parts: Parts, part: string, around: Around): AsyncGenerator<Row> {
  const done: Row[] = []
  let row: Row = { number: 0, cells: [] }
  let cell: { column: number; type: string; style: string | undefined; text: string } | null = null
  let [isRow, isValue, isPhonetic] = [false, false, false]
  let [characters, allCharacters] = [0, 0]
  /** Where a cell stands that does not say so: behind the one before it. */
  let next = 0
  /** A cell of a few bytes may refer to a text of a million. */
  const refuseLong = (more: number) => {
    if (characters + more > importRowLimit) throw new CsvError('ROW_TOO_LONG', `Row ${row.number} is too long to be one row`)
  }
  const parser = parserOf({
    open({ name, attributes }) {
      if (name === 'row') {
        const number = attributes.r === undefined ? row.number + 1 : Number(attributes.r)
        if (isRow || !Number.isInteger(number) || number <= row.number || number > lastRow) throw notSheet()
        isRow = true
        row = { number, cells: [] }
        characters = next = 0
      } else if (name === 'c') {
        const column = columnOf(attributes.r) ?? next
        next = column + 1
        if (column >= importColumnLimit)
          throw new CsvError('TOO_MANY_COLUMNS', `Row ${row.number} has more than ${importColumnLimit} columns`)
        cell = { column, type: attributes.t ?? 'n', style: attributes.s, text: '' }
      } else if (name === 'rPh') isPhonetic = true
      else if (name === 'v' || name === 't') isValue = cell !== null && !isPhonetic
    },
    text(piece) {
      if (!isValue || !cell) return
      cell.text += piece
      refuseLong(cell.text.length)
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell) {
        if (cell.text !== '') {
          while (row.cells.length < cell.column) row.cells.push('')
          const shown = shownOf(around, cell.type, cell.style, cell.text)
          refuseLong(shown.length)
          characters += shown.length
          allCharacters += shown.length
          if (allCharacters > limits.unpacked) throw tooComplex(`more than ${megabytes(limits.unpacked)} of text in its cells`)
          row.cells[cell.column] = shown
        }
        cell = null
      } else if (name === 'row') {
        isRow = false
        if (row.cells.length > 0) done.push(row)
      }
    },
  })
  for await (const text of parts.read(part, limits.unpacked)) {
    parser.write(text)
    yield* done.splice(0)
  }
  parser.end()
  yield* done
}

/**
 * The rows of a sheet that have something in them, numbered as the spreadsheet does. Without a name the only sheet that is not hidden.
 * @throws CsvError for what cannot be read, SheetChoice where there are several sheets or none of that name.
 */
export async function* readSheet(file: string, sheetName: string | null): AsyncGenerator<Row> {
  const parts = await openParts(file)
  try {
    const { sheets, from1904 } = await readWorkbook(parts)
    const shown = sheets.filter(({ isHidden }) => !isHidden)
    const sheet = sheetName === null ? (shown.length === 1 ? shown[0] : undefined) : sheets.find(({ name }) => name === sheetName)
    if (!sheet) throw new SheetChoice(shown.map(({ name }) => name))
    const around = { texts: await readTexts(parts), dateStyles: await readDateStyles(parts), from1904 }
    yield* rowsOf(parts, sheet.part, around)
  } finally {
    parts.close()
  }
}
