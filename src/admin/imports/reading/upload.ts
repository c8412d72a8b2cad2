import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { desc, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { createConcurrencyLimit } from '../../../kernel/workers/concurrency-limit.ts'
import { type FileRefusalCode, fileRefusals } from '../../../documents/contract.ts'
import { FileRefused, unlessStalled } from '../../../documents/service.ts'
import { type DateEvidence, type ImportColumn, importFileLimit } from '../contract.ts'
import { type ImportKind, importKinds } from '../kind-rules.ts'
import { CsvError, type CsvRefusal, encodingDetector, refuseEmpty } from './csv.ts'
import { readTable, type TableForm, type TableRow } from './read-table.ts'
import { plainWord } from '../column-rules.ts'
import { evidenceOf, guessFields } from '../rules.ts'
import { importBatches, imports } from '../table.ts'
import { looksBinary, looksZipped, notSheet, SheetChoice } from './xlsx.ts'

type UploadRefusal =
  | { status: 413 | 422; code: CsvRefusal['code'] | 'FILE_TOO_LARGE' | 'INVALID_INPUT'; message: string }
  | { status: 429; code: 'TOO_MANY_REQUESTS'; message: string }
  | { status: 409; code: 'CHOOSE_SHEET'; message: string; sheets: string[] }
  | { status: number; code: FileRefusalCode; message: string }

/** In each process: reading a spreadsheet takes the memory of its texts, and a processor. */
const acquire = createConcurrencyLimit({ atOnce: 1 })

const tooLarge: UploadRefusal = {
  status: 413,
  code: 'FILE_TOO_LARGE',
  message: `A file may have ${importFileLimit / 1024 / 1024} MB at most. Split it into several.`,
}

const busyReading: UploadRefusal = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  message: 'Another spreadsheet is being read. Please try again in a minute.',
}

const noSuchKind: UploadRefusal = { status: 422, code: 'INVALID_INPUT', message: 'This cannot be imported' }

/**
 * POST /api/imports?name=…&kind=…: takes a table of patients or, if `kind` says so, of something else, whose bytes are the body, reads its rows
 * and guesses its columns. Nothing is imported yet. Of a spreadsheet with several sheets, `sheet` names the one; without it the answer (409) lists them.
 */
export async function uploadResponse(scope: Scope, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const announced = Number(request.headers.get('content-length') ?? 0)
  const bytes = request.body ? unlessStalled(scope, request.body) : []
  const kind = importKinds.find((known) => known === (query.get('kind') ?? 'patients'))
  const taken = kind ? await takeFile(scope, query.get('name') ?? '', bytes, { announced, sheet: query.get('sheet'), kind }) : noSuchKind
  if ('id' in taken) return Response.json(taken, { status: 201 })
  const { status, ...refusal } = taken
  // The rest of a body that is refused is not read, so the connection cannot be used again.
  return Response.json(refusal, { status, headers: { connection: 'close' } })
}

/** Takes a file bit by bit. It lies on the disk only until its rows are in the database. `announced`: its size in bytes, if known. */
export async function takeFile(
  scope: Scope,
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { announced = 0, sheet = null, kind = 'patients' }: { announced?: number; sheet?: string | null; kind?: ImportKind } = {},
): Promise<{ id: string } | UploadRefusal> {
  if (announced > importFileLimit) return tooLarge
  const folder = path.join(scope.env.DATA_DIR, 'imports')
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  const rowsFile = `${file}.rows`
  let turn: Awaited<ReturnType<typeof acquire>> = null
  try {
    const form = await keep(file, bytes)
    if (!form) return tooLarge
    if (form !== 'xlsx' && /\.xls[xm]$/i.test(name.trim())) throw notSheet()
    if (form === 'xlsx') {
      turn = await acquire(scope)
      if (!turn) return busyReading
    }
    const rows = await readTable({ file, form, sheet, rowsFile })
    return { id: await scope.db.transaction((tx) => storeRows(tx, scope, { kind, fileName: shownName(name), encoding: form }, rows)) }
  } catch (error) {
    if (error instanceof SheetChoice)
      return { status: 409, code: 'CHOOSE_SHEET', message: 'Say which sheet of the spreadsheet it is', sheets: error.sheets }
    if (error instanceof CsvError) return { status: 422, ...error.refusal }
    if (error instanceof FileRefused) return { status: fileRefusals[error.code].status, code: error.code, message: error.message }
    throw error
  } finally {
    turn?.end()
    await Promise.all([file, rowsFile].map((one) => fs.rm(one, { force: true })))
  }
}

const shownName = (name: string): string => name.replaceAll('\0', '').toWellFormed().trim().slice(0, 150) || 'file.csv'

/** Writes the file and tells how it is to be read; null when it is too large. */
async function keep(file: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TableForm | null> {
  const detector = encodingDetector()
  let isSheet = false
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of bytes) {
      if (size === 0) {
        isSheet = looksZipped(chunk)
        if (looksBinary(chunk)) throw notSheet()
      }
      size += chunk.byteLength
      if (size > importFileLimit) return null
      if (!isSheet) detector.see(chunk)
      await handle.write(chunk)
    }
    return isSheet ? 'xlsx' : detector.encoding()
  } finally {
    await handle.close()
  }
}

/** The same for two files whose columns have the same headers in the same order. */
const headerKey = (headers: readonly string[]): string => createHash('sha256').update(headers.map(plainWord).join('\n')).digest('base64url')

/** A document is written by itself, with all that follows from it. */
const rowsPerBatch: Record<ImportKind, number> = { patients: 2_000, tasks: 2_000, interactions: 2_000, documents: 200 }
const charactersPerBatch = 1_000_000

type Source = { kind: ImportKind; fileName: string; encoding: TableForm }

async function storeRows(tx: Db, scope: Scope, source: Source, rows: AsyncIterable<TableRow>): Promise<string> {
  const { kind } = source
  const actor = staff(scope)
  const id = uuidv7()
  let columns: ColumnSeen[] | null = null
  let [rowCount, characters] = [0, 0]
  let batch: [number, string[]][] = []
  const store = async () => {
    if (batch.length > 0) await tx.insert(importBatches).values({ importId: id, firstRow: batch[0]![0], rows: batch })
    batch = []
    characters = 0
  }

  for await (const { number, cells } of rows) {
    if (!columns) {
      columns = cells.map((header, i) => ({ header: header.slice(0, 200) || `Column ${i + 1}`, samples: [], dates: 'none' }))
      const headers = columns.map(({ header }) => header)
      await tx.insert(imports).values({
        id,
        ...source,
        headerKey: headerKey(headers),
        columns: [],
        createdBy: actor.id,
        askedBy: actor.id,
        createdAt: scope.now(),
      })
      continue
    }
    for (const [i, column] of columns.entries()) if (cells[i]) see(column, cells[i])
    batch.push([number, cells])
    rowCount++
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (batch.length >= rowsPerBatch[kind] || characters >= charactersPerBatch) await store()
  }
  await store()
  if (!columns || rowCount === 0) throw refuseEmpty(columns !== null)
  await tx
    .update(imports)
    .set({ rowCount, columns: await chooseColumns(tx, scope, { id, kind }, columns) })
    .where(eq(imports.id, id))
  return id
}

type ColumnSeen = { header: string; samples: string[]; dates: DateEvidence }

function see(column: ColumnSeen, cell: string): void {
  column.dates = evidenceOf(column.dates, cell)
  const sample = cell.slice(0, 60)
  if (column.samples.length < 3 && !column.samples.includes(sample)) column.samples.push(sample)
}

/** As for the last file with the same headers, one's own before others'; else by what the headers say. */
async function chooseColumns(
  tx: Db,
  scope: Scope,
  { id, kind }: { id: string; kind: ImportKind },
  seen: ColumnSeen[],
): Promise<ImportColumn[]> {
  const headers = seen.map(({ header }) => header)
  const [before] = await tx
    .select({ columns: imports.columns })
    .from(imports)
    .where(
      sql`${imports.headerKey} = ${headerKey(headers)} and ${imports.kind} = ${kind} and ${imports.id} <> ${id} and ${imports.status} <> 'mapping'`,
    )
    .orderBy(desc(sql`${imports.createdBy} = ${staff(scope).id}`), desc(imports.createdAt))
    .limit(1)
  const guessed = guessFields(kind, headers)
  return seen.map((column, i) => ({
    ...column,
    field: before ? (before.columns[i]?.field ?? null) : guessed[i]!,
    dateOrder: column.dates === 'either' ? (before?.columns[i]?.dateOrder ?? null) : null,
  }))
}
