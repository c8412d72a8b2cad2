import { byteOrderMark, type Cells, csvLine } from '../../shared/csv.ts'
import { fileAnswer } from './file-answer.ts'
import { xlsxBytes } from '../files/xlsx-file.ts'

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

/** A table as a file to be saved under this name, sent as fast as it is read; anyone who goes away ends the reading. */
export const tableAnswer = ({ name, format, rows, onEnd }: TableFile): Response =>
  fileAnswer({
    name: `${name}.${format}`,
    type: types[format],
    bytes: format === 'csv' ? csvBytes(rows) : xlsxBytes(rows),
    ...(onEnd ? { onEnd } : {}),
  })
