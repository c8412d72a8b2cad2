/** Worker that parses a table file into rows, started by read-table.ts, because a malicious file can keep a processor busy for minutes. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { runWorker } from '../../../kernel/workers/worker-process.ts'
import { clean, CsvError, readRows } from './csv.ts'
import type { TableFile, TableOutcome, TableRow } from './read-table.ts'
import { readSheet, SheetChoice } from './xlsx.ts'

/** Characters per write. */
const writeSize = 256 * 1024

runWorker(async ({ file, form, sheet, rowsFile }: TableFile): Promise<TableOutcome> => {
  const rows = form === 'xlsx' ? cleanRows(readSheet(file, sheet)) : readRows(file, form)
  try {
    await pipeline(toLines(rows), createWriteStream(rowsFile, { flags: 'wx', mode: 0o600 }))
    return {}
  } catch (error) {
    if (error instanceof CsvError) return { refusal: error.refusal }
    if (error instanceof SheetChoice) return { sheets: error.sheets }
    throw error
  }
})

async function* cleanRows(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  for await (const { number, cells } of rows) {
    const cleanCells = Array.from(cells, clean)
    if (cleanCells.some((cell) => cell !== '')) yield { number, cells: cleanCells }
  }
}

/** Serializes each row as a line of JSON. */
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
