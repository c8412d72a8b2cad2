import { createReadStream } from 'node:fs'
import { createWorkerPool, WorkerError } from '../../../kernel/workers/worker-pool.ts'
import { CsvError, type CsvRefusal, type Encoding } from './csv.ts'
import { SheetChoice, tooComplex } from './xlsx.ts'

/** How the bytes of a file are read: as text in an encoding, or as a spreadsheet. */
export type TableForm = Encoding | 'xlsx'
export type TableRow = { number: number; cells: string[] }
/** `rowsFile`: where the rows are written, as lines of JSON. */
export type TableFile = { file: string; form: TableForm; sheet: string | null; rowsFile: string }
export type TableOutcome = { refusal?: CsvRefusal; sheets?: string[] }

/** Milliseconds. 100 MB take a quarter of it on a slow machine. */
const timeoutMs = 120_000
const worker = new URL('./read-table-worker.ts', import.meta.url)
type Read = (given: TableFile) => Promise<TableOutcome>
const readSpreadsheet = createWorkerPool<Read>(worker, { name: 'reading a spreadsheet', timeoutMs, maxMemoryMb: 250 })
const readCsv = createWorkerPool<Read>(worker, { name: 'reading a CSV file', timeoutMs, maxMemoryMb: 200 })

/**
 * The rows of a table file, cells trimmed, empty rows left out. A worker with limits of memory and time has read the whole file before the first
 * of them comes, so that neither its size nor its contents hold up anyone else.
 * @throws CsvError for what cannot be read, SheetChoice where there are several sheets or none of that name.
 */
export async function readTable(given: TableFile): Promise<AsyncGenerator<TableRow>> {
  const { refusal, sheets } = await (given.form === 'xlsx' ? readSpreadsheet : readCsv)(given).catch((error: unknown) =>
    refuseEnded(error, given.form),
  )
  if (refusal) throw new CsvError(refusal.code, refusal.message)
  if (sheets) throw new SheetChoice(sheets)
  return readLines(given.rowsFile)
}

const csvAdvice = 'A quotation mark may have been left open; otherwise split the file into several, and try again.'

/** A worker that ends has met a file that no limit of the parser was made for. */
function refuseEnded(error: unknown, form: TableForm): never {
  if (!(error instanceof WorkerError) || error.reason === 'failed') throw error
  const what = error.reason === 'timeout' ? 'more contents than can be read in two minutes' : 'contents that take too much memory to read'
  throw form === 'xlsx' ? tooComplex(what) : new CsvError('TOO_COMPLEX', `This file has ${what}. ${csvAdvice}`)
}

async function* readLines(file: string): AsyncGenerator<TableRow> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as TableRow
  }
}
