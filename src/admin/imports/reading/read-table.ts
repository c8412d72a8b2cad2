import { createReadStream } from 'node:fs'
import { createWorkerPool, WorkerError } from '../../../kernel/workers/worker-pool.ts'
import { CsvError, type CsvRefusal, type Encoding } from './csv.ts'
import { SheetChoice } from './xlsx.ts'
import { tooComplexError } from './xlsx-parts.ts'

/** How to read a file: as text in an encoding, or as a spreadsheet. */
export type TableForm = Encoding | 'xlsx'
export type TableRow = { number: number; cells: string[] }
/** `rowsFile` is the path where the rows are written as lines of JSON. */
export type TableFile = { file: string; form: TableForm; sheet: string | null; rowsFile: string }
export type TableOutcome = { refusal?: CsvRefusal; sheets?: string[] }

/** 100 MB take a quarter of this on a slow machine. */
const timeoutMs = 120_000
const worker = new URL('./read-table-worker.ts', import.meta.url)
type Read = (input: TableFile) => Promise<TableOutcome>
const readSpreadsheet = createWorkerPool<Read>(worker, { name: 'reading a spreadsheet', timeoutMs, maxMemoryMb: 250 })
const readCsv = createWorkerPool<Read>(worker, { name: 'reading a CSV file', timeoutMs, maxMemoryMb: 200 })

/**
 * The rows of a table file, with trimmed cells and without empty rows. A worker with memory and time limits reads the whole file before the
 * first row is returned, so that neither its size nor its contents affect other requests.
 * @throws CsvError if the file cannot be read, SheetChoice if there are several sheets or none with that name.
 */
export async function readTable(input: TableFile): Promise<AsyncGenerator<TableRow>> {
  const { refusal, sheets } = await (input.form === 'xlsx' ? readSpreadsheet : readCsv)(input).catch((error: unknown) =>
    throwTooComplex(error, input.form),
  )
  if (refusal) throw new CsvError(refusal.code, refusal.message)
  if (sheets) throw new SheetChoice(sheets)
  return readLines(input.rowsFile)
}

const csvAdvice = 'A quotation mark may be unclosed. Otherwise, split the file into several and try again.'

/** A worker that was stopped has met a file that the parser's own limits do not cover. */
function throwTooComplex(error: unknown, form: TableForm): never {
  if (!(error instanceof WorkerError) || error.reason === 'failed') throw error
  const problem = error.reason === 'timeout' ? 'more content than can be read in two minutes' : 'content that takes too much memory to read'
  throw form === 'xlsx' ? tooComplexError(problem) : new CsvError('TOO_COMPLEX', `This file has ${problem}. ${csvAdvice}`)
}

async function* readLines(file: string): AsyncGenerator<TableRow> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as TableRow
  }
}
