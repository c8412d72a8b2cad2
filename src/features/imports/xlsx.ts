import sax from 'sax'
import yauzl from 'yauzl'
import { importColumnLimit, importRowLimit } from './contract.ts'
import { CsvError } from './csv.ts'
import { columnOf, dateText, isDateFormat, numberText, unescapeText } from './xlsx-cells.ts'

/**
 * Spreadsheet files (.xlsx): a zip of XML parts, of which those that are needed are read bit by bit. What a zip says of its sizes may be a lie, so
 * what comes out is counted: a small file that unpacks without end is given up.
 */

/**
 * Sizes in bytes of all that is unpacked. 100 MB of text pack to about 10 MB; a sheet of blanks, or a bomb, far further. `kept`: of what comes before
 * the sheet and stays in memory while it is read, in bytes rather than characters, because a text keeps alive the piece that it was cut from.
 */
const most = { parts: 5_000, unpacked: 600 * 1024 * 1024, kept: 100 * 1024 * 1024, ratio: 100, entries: 2_000_000 }
const alwaysUnpacked = 10 * 1024 * 1024
/** Excel's own. */
const lastRow = 1_048_576

/** Also for what is of another kind, or has the name of a spreadsheet alone. */
export const notSheet = () =>
  new CsvError('NOT_CSV', 'This spreadsheet cannot be read. Save it as .xlsx or CSV without a password, and try again.')
const tooComplex = () =>
  new CsvError('TOO_COMPLEX', 'This spreadsheet unpacks to far more than it should. Save the sheet as CSV, and try again.')

/** More than one sheet has something to show: whoever sent the file says which. */
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

type Tag = { name: string; attributes: Record<string, string> }
type Handlers = { open?: (tag: Tag) => void; close?: (name: string) => void; text?: (text: string) => void }

/** The local name of an element: files of some programs write 'x:row'. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1)

function parserOf({ open, close, text }: Handlers): sax.SAXParser {
  const parser = sax.parser(true, { position: false })
  const refuse = () => {
    throw notSheet()
  }
  return Object.assign(parser, {
    onopentag: ({ name, attributes }: sax.Tag | sax.QualifiedTag) =>
      open?.({ name: local(name), attributes: attributes as Record<string, string> }),
    onclosetag: (name: string) => close?.(local(name)),
    ontext: (piece: string) => text?.(piece),
    oncdata: (piece: string) => text?.(piece),
    // Where entities could be declared that unfold without end.
    ondoctype: refuse,
    onerror: refuse,
  })
}

/** `limit`: how many bytes may have been unpacked by the end of the part, of all that were read. */
type Parts = { has: (name: string) => boolean; read: (name: string, limit: number) => AsyncGenerator<string> }

async function openParts(file: string): Promise<Parts & { close: () => void }> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => Promise.reject(notSheet()))
  const entries = new Map<string, yauzl.Entry>()
  try {
    if (zip.entryCount > most.parts) throw tooComplex()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.replace(/^\//, ''), entry)
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
        if (unpacked > limit || (unpacked > alwaysUnpacked && unpacked > most.ratio * packed)) throw tooComplex()
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
  for await (const text of parts.read(name, most.kept)) parser.write(text)
  parser.close()
}

type Sheet = { name: string; part: string; isHidden: boolean }
type Workbook = { sheets: Sheet[]; from1904: boolean }

async function readWorkbook(parts: Parts): Promise<Workbook> {
  if (!parts.has('xl/workbook.xml')) throw notSheet()
  const targets = new Map<string, string>()
  await parse(parts, 'xl/_rels/workbook.xml.rels', {
    open({ name, attributes: { Id, Target } }) {
      if (name === 'Relationship' && Id && Target) targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const workbook: Workbook = { sheets: [], from1904: false }
  await parse(parts, 'xl/workbook.xml', {
    open({ name, attributes }) {
      if (name === 'workbookPr') workbook.from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const part = targets.get(Object.entries(attributes).find(([key]) => local(key) === 'id' && key !== 'sheetId')?.[1] ?? '')
      if (part && parts.has(part))
        workbook.sheets.push({ name: attributes.name ?? '', part, isHidden: (attributes.state ?? 'visible') !== 'visible' })
    },
  })
  if (workbook.sheets.length === 0) throw notSheet()
  return workbook
}

/** Each text of the file once, as cells refer to them. */
async function readTexts(parts: Parts): Promise<string[]> {
  const texts: string[] = []
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
        if (texts.length >= most.entries) throw tooComplex()
        texts.push(unescapeText(current))
      }
    },
  })
  return texts
}

/** Of each cell style, whether it shows dates. */
async function readDateStyles(parts: Parts): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const styles: boolean[] = []
  let isCells = false
  await parse(parts, 'xl/styles.xml', {
    open({ name, attributes }) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        if (styles.length >= most.entries) throw tooComplex()
        const id = Number(attributes.numFmtId ?? 0)
        styles.push(isDateFormat(id, codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

type Row = { number: number; cells: string[] }
type Around = { texts: readonly string[]; dateStyles: readonly boolean[]; from1904: boolean }

/** What a cell shows. `given`: what stands in it, of type `type`, in style `style`. */
function shownOf({ texts, dateStyles, from1904 }: Around, type: string, style: string | undefined, given: string): string {
  if (type === 's') return texts[Number(given)] ?? ''
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
          if (allCharacters > most.unpacked) throw tooComplex()
          row.cells[cell.column] = shown
        }
        cell = null
      } else if (name === 'row') {
        isRow = false
        if (row.cells.length > 0) done.push(row)
      }
    },
  })
  for await (const text of parts.read(part, most.unpacked)) {
    parser.write(text)
    yield* done.splice(0)
  }
  parser.close()
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
