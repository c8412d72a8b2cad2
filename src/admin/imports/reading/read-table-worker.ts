/** Reads a table file into rows as a worker (read-table.ts starts it): a file made to do so keeps a processor busy for minutes. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { runWorker } from '../../../kernel/workers/worker-process.ts'
import { clean, CsvError, readRows } from './csv.ts'
import type { TableFile, TableOutcome, TableRow } from './read-table.ts'
import { readSheet, SheetChoice } from './xlsx.ts'

/** Characters that are written at once. */
const writeSize = 256 * 1024

runWorker(async ({ file, form, sheet, rowsFile }: TableFile): Promise<TableOutcome> => {
  const rows = form === 'xlsx' ? cleaned(readSheet(file, sheet)) : readRows(file, form)
  try {
    await pipeline(toLines(rows), createWriteStream(rowsFile, { flags: 'wx', mode: 0o600 }))
    return {}
  } catch (error) {
    if (error instanceof CsvError) return { refusal: error.refusal }
    if (error instanceof SheetChoice) return { sheets: error.sheets }
    throw error
  }
})

async function* cleaned(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  for await (const { number, cells } of rows) {
    const kept = Array.from(cells, clean)
    if (kept.some((cell) => cell !== '')) yield { number, cells: kept }
  }
}

/** A line of JSON per row. */
async function* toLines(rows: AsyncIterable<TableRow>): AsyncGenerator<string> {
  let lines = ''
  for await (const row of rows) {
    lines += `${JSON.stringify(row)}\n`
    if (lines.length < writeSize) continue
    yield lines
    lines = ''
  }
  yield lines
}
