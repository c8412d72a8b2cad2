import { byteOrderMark, type Cells, csvLine } from '../../shared/csv.ts'
import { downloadResponse } from './download-response.ts'
import { xlsxBytes } from '../files/xlsx-file.ts'

type TableFormat = 'csv' | 'xlsx'

const types: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The format by the URL's extension; CSV by default. */
export const formatIn = ({ url }: Request): TableFormat => (new URL(url).pathname.endsWith('.xlsx') ? 'xlsx' : 'csv')

async function* csvBytes(rows: AsyncIterable<readonly Cells[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark)
  for await (const batch of rows) if (batch.length > 0) yield Buffer.from(batch.map(csvLine).join(''))
}

type TableFile = {
  /** Without the extension. */
  name: string
  format: TableFormat
  /** Rows in batches. */
  rows: AsyncIterable<readonly Cells[]>
  onEnd?: () => void
}

/** A table as a streamed download. If the client disconnects, reading the rows stops. */
export const spreadsheetResponse = ({ name, format, rows, onEnd }: TableFile): Response =>
  downloadResponse({
    name: `${name}.${format}`,
    type: types[format],
    bytes: format === 'csv' ? csvBytes(rows) : xlsxBytes(rows),
    ...(onEnd ? { onEnd } : {}),
  })
