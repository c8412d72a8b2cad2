import { createReadStream } from 'node:fs'
import Papa from 'papaparse'
import { undefuse } from '../../../shared/csv.ts'
import { importColumnLimit, importRowLimit } from '../contract.ts'

export type CsvRefusal = {
  code: 'EMPTY_FILE' | 'NO_ROWS' | 'NOT_CSV' | 'ROW_TOO_LONG' | 'TOO_MANY_COLUMNS' | 'TOO_COMPLEX'
  message: string
}

/** Why a file cannot be read, as the answer says it. */
export class CsvError extends Error {
  readonly refusal: CsvRefusal
  constructor(code: CsvRefusal['code'], message: string) {
    super(message)
    this.refusal = { code, message }
  }
}

const notCsv = 'This is neither a CSV file nor an .xlsx spreadsheet. In a spreadsheet, choose “Save as” or “Export”, then CSV.'

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

/**
 * Tells the encoding of a file while its bytes pass by: by its mark, else UTF-8 where all of it is, else Windows-1252, which spreadsheets of
 * older systems write. Throws a CsvError for what is no text.
 */
export function encodingDetector(): { see: (chunk: Uint8Array) => void; encoding: () => Encoding } {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let marked: Encoding | null = null
  let isValid = true
  let seen = 0
  return {
    see(chunk) {
      if (seen === 0) {
        if (chunk[0] === 0xff && chunk[1] === 0xfe) marked = 'utf-16le'
        if (chunk[0] === 0xfe && chunk[1] === 0xff) marked = 'utf-16be'
      }
      seen += chunk.byteLength
      if (!marked && chunk.includes(0)) throw new CsvError('NOT_CSV', notCsv)
      if (!isValid || marked) return
      try {
        utf8.decode(chunk, { stream: true })
      } catch {
        isValid = false
      }
    },
    encoding() {
      if (marked) return marked
      try {
        utf8.decode()
      } catch {
        isValid = false
      }
      return isValid ? 'utf-8' : 'windows-1252'
    },
  }
}

/** The rows of a file, cells trimmed, empty rows left out: read bit by bit, so that a large file takes no more memory than a small one. */
export async function* readRows(file: string, encoding: Encoding): AsyncGenerator<{ number: number; cells: string[] }> {
  const decoder = new TextDecoder(encoding)
  let rest = ''
  let parser: Papa.Parser | null = null
  let number = 0

  const parse = (isLast: boolean): string[][] => {
    parser ??= parserFor(rest)
    const { data, meta } = parser.parse(rest, 0, !isLast) as { data: string[][]; meta: { cursor: number } }
    rest = isLast ? '' : rest.slice(meta.cursor)
    if (rest.length > importRowLimit)
      throw new CsvError(
        'ROW_TOO_LONG',
        `Row ${number + data.length + 1} is too long to be one row. A quotation mark may have been left open.`,
      )
    return data
  }
  const numbered = function* (rows: string[][]) {
    for (const row of rows) {
      number++
      if (row.length > importColumnLimit) throw new CsvError('TOO_MANY_COLUMNS', `Row ${number} has more than ${importColumnLimit} columns`)
      const cells = row.map(clean)
      if (cells.some((cell) => cell !== '')) yield { number, cells }
    }
  }

  for await (const chunk of createReadStream(file)) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true })
    // The first lines tell delimiter and line ends, so they have to be there whole.
    if (parser || rest.length >= headLength) yield* numbered(parse(false))
  }
  rest += decoder.decode()
  if (rest !== '') yield* numbered(parse(true))
}

const headLength = 16 * 1024

function parserFor(text: string): Papa.Parser {
  const head = text.slice(0, headLength)
  return new Papa.Parser({ delimiter: delimiterOf(head), newline: head.includes('\n') || !head.includes('\r') ? '\n' : '\r' })
}

/** The delimiter is the one that parts the headers most often, outside quotation marks. */
function delimiterOf(head: string): string {
  const counts = new Map([',', ';', '\t', '|'].map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const char of head.trimStart()) {
    if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && (char === '\n' || char === '\r')) break
    else if (!isQuoted && counts.has(char)) counts.set(char, counts.get(char)! + 1)
  }
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1])
  return best![1] > 0 ? best![0] : ','
}

/** What PostgreSQL cannot keep is replaced; a cell that was defused against formulas (see the export) is as it was. */
export const clean = (cell: string): string => undefuse(cell.replaceAll('\0', '\uFFFD').toWellFormed().trim())

/** The first row must be headers, and there must be others. */
export const refuseEmpty = (hasHeaders: boolean): CsvError =>
  hasHeaders ? new CsvError('NO_ROWS', 'This file has headers and no rows below them') : new CsvError('EMPTY_FILE', 'This file is empty')
