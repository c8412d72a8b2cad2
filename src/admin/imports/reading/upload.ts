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
import { CsvError, type CsvRefusal, createEncodingDetector, emptyFileError } from './csv.ts'
import { readTable, type TableForm, type TableRow } from './read-table.ts'
import { normalizeWord } from '../column-rules.ts'
import { updateDateEvidence, guessFields } from '../rules.ts'
import { importBatches, imports } from '../table.ts'
import { isOle, isZip, SheetChoice } from './xlsx.ts'
import { unreadableError } from './xlsx-parts.ts'

type UploadRefusal =
  | { status: 413 | 422; code: CsvRefusal['code'] | 'FILE_TOO_LARGE' | 'INVALID_INPUT'; message: string }
  | { status: 429; code: 'TOO_MANY_REQUESTS'; message: string }
  | { status: 409; code: 'CHOOSE_SHEET'; message: string; sheets: string[] }
  | { status: number; code: FileRefusalCode; message: string }

/** Per process, because reading a spreadsheet takes a processor and memory for its texts. */
const acquire = createConcurrencyLimit({ maxConcurrent: 1 })

const tooLarge: UploadRefusal = {
  status: 413,
  code: 'FILE_TOO_LARGE',
  message: `A file can be at most ${importFileLimit / 1024 / 1024} MB. Split it into several.`,
}

const busyReading: UploadRefusal = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  message: 'Another spreadsheet is being read. Please try again in a minute.',
}

const unknownKind: UploadRefusal = {
  status: 422,
  code: 'INVALID_INPUT',
  message: 'Choose what to import: patients, tasks, interactions or documents',
}

/**
 * POST /api/imports?name=…&kind=…: accepts a table as the body (patients by default), reads its rows and guesses its columns. Nothing is
 * imported yet. For a spreadsheet with several sheets, `sheet` chooses one; without it, the response (409) lists them.
 */
export async function uploadResponse(scope: Scope, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams
  const announced = Number(request.headers.get('content-length') ?? 0)
  const bytes = request.body ? unlessStalled(scope, request.body) : []
  const kind = importKinds.find((known) => known === (query.get('kind') ?? 'patients'))
  const result = kind
    ? await acceptTable(scope, query.get('name') ?? '', bytes, { announced, sheet: query.get('sheet'), kind })
    : unknownKind
  if ('id' in result) return Response.json(result, { status: 201 })
  const { status, ...refusal } = result
  // Close the connection, because the rest of a refused body is not read.
  return Response.json(refusal, { status, headers: { connection: 'close' } })
}

/** Streams a table to disk and stores its rows; the file is deleted afterwards. `announced` is its size in bytes, if known. */
export async function acceptTable(
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
    const form = await writeFile(file, bytes)
    if (!form) return tooLarge
    if (form !== 'xlsx' && /\.xls[xm]$/i.test(name.trim())) throw unreadableError()
    if (form === 'xlsx') {
      turn = await acquire(scope)
      if (!turn) return busyReading
    }
    const rows = await readTable({ file, form, sheet, rowsFile })
    return { id: await scope.db.transaction((tx) => storeRows(tx, scope, { kind, fileName: displayName(name), encoding: form }, rows)) }
  } catch (error) {
    if (error instanceof SheetChoice)
      return { status: 409, code: 'CHOOSE_SHEET', message: 'Choose which sheet to import', sheets: error.sheets }
    if (error instanceof CsvError) return { status: 422, ...error.refusal }
    if (error instanceof FileRefused) return { status: fileRefusals[error.code].status, code: error.code, message: error.message }
    throw error
  } finally {
    turn?.end()
    await Promise.all([file, rowsFile].map((target) => fs.rm(target, { force: true })))
  }
}

const displayName = (name: string): string => name.replaceAll('\0', '').toWellFormed().trim().slice(0, 150) || 'file.csv'

/** Writes the file and detects its format; null if it is too large. */
async function writeFile(file: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TableForm | null> {
  const detector = createEncodingDetector()
  let isSheet = false
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of bytes) {
      if (size === 0) {
        isSheet = isZip(chunk)
        if (isOle(chunk)) throw unreadableError()
      }
      size += chunk.byteLength
      if (size > importFileLimit) return null
      if (!isSheet) detector.addChunk(chunk)
      await handle.writeFile(chunk) // all of it, or an error
    }
    return isSheet ? 'xlsx' : detector.encoding()
  } finally {
    await handle.close()
  }
}

/** Equal for files with the same headers in the same order. */
const headerKey = (headers: readonly string[]): string =>
  createHash('sha256').update(headers.map(normalizeWord).join('\n')).digest('base64url')

/**
 * So few that a batch takes the event loop for less than 20 ms at a time, and of patients that searches read few pending entries of the index
 * (decision "import-speed"). Each document is inserted separately with its side effects.
 */
const rowsPerBatch: Record<ImportKind, number> = { patients: 250, tasks: 500, interactions: 500, documents: 200 }
const charactersPerBatch = 1_000_000

type Source = { kind: ImportKind; fileName: string; encoding: TableForm }

async function storeRows(tx: Db, scope: Scope, source: Source, rows: AsyncIterable<TableRow>): Promise<string> {
  const { kind } = source
  const actor = staff(scope)
  const id = uuidv7()
  let columns: ColumnStats[] | null = null
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
    for (const [i, column] of columns.entries()) if (cells[i]) addSample(column, cells[i])
    batch.push([number, cells])
    rowCount++
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (batch.length >= rowsPerBatch[kind] || characters >= charactersPerBatch) await store()
  }
  await store()
  if (!columns || rowCount === 0) throw emptyFileError(columns !== null)
  await tx
    .update(imports)
    .set({ rowCount, columns: await chooseColumns(tx, scope, { id, kind }, columns) })
    .where(eq(imports.id, id))
  return id
}

type ColumnStats = { header: string; samples: string[]; dates: DateEvidence }

function addSample(column: ColumnStats, cell: string): void {
  column.dates = updateDateEvidence(column.dates, cell)
  const sample = cell.slice(0, 60)
  if (column.samples.length < 3 && !column.samples.includes(sample)) column.samples.push(sample)
}

/** Maps columns as in the last file with the same headers, preferring the user's own, else guesses by the headers. */
async function chooseColumns(
  tx: Db,
  scope: Scope,
  { id, kind }: { id: string; kind: ImportKind },
  columnStats: ColumnStats[],
): Promise<ImportColumn[]> {
  const headers = columnStats.map(({ header }) => header)
  const [before] = await tx
    .select({ columns: imports.columns })
    .from(imports)
    .where(
      sql`${imports.headerKey} = ${headerKey(headers)} and ${imports.kind} = ${kind} and ${imports.id} <> ${id} and ${imports.status} <> 'mapping'`,
    )
    .orderBy(desc(sql`${imports.createdBy} = ${staff(scope).id}`), desc(imports.createdAt))
    .limit(1)
  const guessed = guessFields(kind, headers)
  return columnStats.map((column, i) => ({
    ...column,
    field: before ? (before.columns[i]?.field ?? null) : guessed[i]!,
    dateOrder: column.dates === 'either' ? (before?.columns[i]?.dateOrder ?? null) : null,
  }))
}
