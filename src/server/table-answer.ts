import { Readable } from 'node:stream'
import { byteOrderMark, type Cells, csvLine } from '../shared/csv.ts'
import { xlsxBytes } from './xlsx-file.ts'

/** Whoever takes nothing for so long is given up, with what is held for them. In milliseconds. */
const patience = 60_000

type TableFormat = 'csv' | 'xlsx'

const types: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The format that an address ends in; CSV unless it says otherwise. */
export const formatIn = ({ url }: Request): TableFormat => (new URL(url).pathname.endsWith('.xlsx') ? 'xlsx' : 'csv')

async function* csvBytes(rows: AsyncIterable<readonly Cells[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark)
  for await (const some of rows) if (some.length > 0) yield Buffer.from(some.map(csvLine).join(''))
}

type TableFile = {
  /** Without the ending. */
  name: string
  format: TableFormat
  /** Row by row, as many at a time as come at once. */
  rows: AsyncIterable<readonly Cells[]>
  onEnd?: () => void
}

/** A table as a file to be saved under this name, sent as fast as it is read; whoever goes away ends the reading. */
export function tableAnswer({ name, format, rows, onEnd }: TableFile): Response {
  const bytes = async function* () {
    for await (const chunk of format === 'csv' ? csvBytes(rows) : xlsxBytes(rows)) {
      const timer = setTimeout(() => source.destroy(new Error('Nobody reads this file any more')), patience)
      try {
        yield chunk
      } finally {
        clearTimeout(timer)
      }
    }
  }
  const source = Readable.from(bytes(), { objectMode: true, highWaterMark: 1 })
  source.once('close', () => onEnd?.())
  return new Response(Readable.toWeb(source) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': types[format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.${format}`)}`,
    },
  })
}
