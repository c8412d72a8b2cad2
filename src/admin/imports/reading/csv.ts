import { createReadStream } from 'node:fs'
import Papa from 'papaparse'
import { undefuse } from '../../../shared/csv.ts'
import { importColumnLimit, importRowLimit } from '../contract.ts'

export type CsvRefusal = {
  code: 'EMPTY_FILE' | 'NO_ROWS' | 'NOT_CSV' | 'ROW_TOO_LONG' | 'TOO_MANY_COLUMNS' | 'TOO_COMPLEX'
  message: string
}

/** Thrown when a file cannot be read, with the refusal for the response. */
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
 * Detects the encoding of a file while it is streamed: by its byte order mark, else UTF-8 if all of it is valid, else Windows-1252, which
 * older spreadsheet software writes. Throws a CsvError if it is not text.
 */
export function createEncodingDetector(): { addChunk: (chunk: Uint8Array) => void; encoding: () => Encoding } {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let bomEncoding: Encoding | null = null
  let isValid = true
  let seen = 0
  return {
    addChunk(chunk) {
      if (seen === 0) {
        if (chunk[0] === 0xff && chunk[1] === 0xfe) bomEncoding = 'utf-16le'
        if (chunk[0] === 0xfe && chunk[1] === 0xff) bomEncoding = 'utf-16be'
      }
      seen += chunk.byteLength
      if (!bomEncoding && chunk.includes(0)) throw new CsvError('NOT_CSV', notCsv)
      if (!isValid || bomEncoding) return
      try {
        utf8.decode(chunk, { stream: true })
      } catch {
        isValid = false
      }
    },
    encoding() {
      if (bomEncoding) return bomEncoding
      try {
        utf8.decode()
      } catch {
        isValid = false
      }
      return isValid ? 'utf-8' : 'windows-1252'
    },
  }
}

/** Streams the rows of a file, with trimmed cells and without empty rows, so that memory use does not depend on the file size. */
export async function* readRows(file: string, encoding: Encoding): AsyncGenerator<{ number: number; cells: string[] }> {
  const decoder = new TextDecoder(encoding)
  let rest = ''
  let parser: Papa.Parser | null = null
  let number = 0

  const parse = (isLast: boolean): string[][] => {
    parser ??= createParser(rest)
    const { data, meta } = parser.parse(rest, 0, !isLast) as { data: string[][]; meta: { cursor: number } }
    rest = isLast ? '' : rest.slice(meta.cursor)
    if (rest.length > importRowLimit)
      throw new CsvError('ROW_TOO_LONG', `Row ${number + data.length + 1} is too long. A quotation mark may be unclosed.`)
    return data
  }
  const numberRows = function* (rows: string[][]) {
    for (const row of rows) {
      number++
      if (row.length > importColumnLimit) throw new CsvError('TOO_MANY_COLUMNS', `Row ${number} has more than ${importColumnLimit} columns`)
      const cells = row.map(clean)
      if (cells.some((cell) => cell !== '')) yield { number, cells }
    }
  }

  for await (const chunk of createReadStream(file)) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true })
    // Wait for enough text to detect the delimiter and line endings.
    if (parser || rest.length >= headLength) yield* numberRows(parse(false))
  }
  rest += decoder.decode()
  if (rest !== '') yield* numberRows(parse(true))
}

const headLength = 16 * 1024

function createParser(text: string): Papa.Parser {
  const head = text.slice(0, headLength)
  return new Papa.Parser({ delimiter: detectDelimiter(head), newline: head.includes('\n') || !head.includes('\r') ? '\n' : '\r' })
}

/** The candidate that occurs most often in the header line outside quotation marks. */
function detectDelimiter(head: string): string {
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

/** Replaces characters that PostgreSQL cannot store, and reverts the escaping of formulas (see the export). */
export const clean = (cell: string): string => undefuse(cell.replaceAll('\0', '\uFFFD').toWellFormed().trim())

/** The error for a file without headers or without rows. */
export const emptyFileError = (hasHeaders: boolean): CsvError =>
  hasHeaders ? new CsvError('NO_ROWS', 'This file has headers but no rows') : new CsvError('EMPTY_FILE', 'This file is empty')
