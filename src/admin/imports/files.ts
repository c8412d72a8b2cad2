import { createWriteStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import yauzl from 'yauzl'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { fileRefusals } from '../../documents/contract.ts'
import { clinicFileLimit } from '../../documents/rules.ts'
import { FileRefused, type TakenFile, takeFile, unlessStalled } from '../../documents/service.ts'
import { type ImportFiles, importArchiveLimit, importMostFiles, importPathLimit } from './contract.ts'
import { clean } from './reading/csv.ts'
import { fileKey, isJunk } from './file-rules.ts'
import { getImport } from './service.ts'
import { importFiles, imports } from './table.ts'

const no = (status: number, code: string, message: string) => Response.json({ code, message }, { status, headers: { connection: 'close' } })

/** As much as the files of an archive may unpack to, in bytes. */
const maxUnpacked = 4 * importArchiveLimit

/** Why no more files are taken. */
class NoMoreFiles extends Error {
  readonly answer: Response
  constructor(answer: Response) {
    super('No more files')
    this.answer = answer
  }
}
const tooMany = () =>
  new NoMoreFiles(no(422, 'TOO_MANY_FILES', `An import may have ${importMostFiles.toLocaleString('en-CA')} files at most`))
const tooLate = () => new NoMoreFiles(no(409, 'WRONG_MOMENT', 'This is not possible at this stage of the import'))

/**
 * POST /api/imports/{id}/files?path=…: takes a file that a row of the table names, whose bytes are the body; an archive (.zip) stands for the
 * files in it. Each is looked at as any document is. A second file of the same path takes the place of the first.
 */
export async function filesResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const job = isUuid(id) ? await getImport(scope, id) : null
  if (!job || job.kind !== 'documents') return no(404, 'NOT_FOUND', 'This import does not exist')
  const given = clean(new URL(request.url).searchParams.get('path') ?? '')
  if (given === '' || given.length > importPathLimit) return no(422, 'INVALID_INPUT', 'Say which file it is, in at most 500 characters')
  const bytes: AsyncIterable<Uint8Array> = request.body ?? Readable.from([])
  try {
    await mayTakeMore(scope.db, id)
    if (/\.zip$/i.test(given)) return await takeArchive(scope, id, given, bytes)
    const refused = await takeOne(scope, id, given, bytes)
    return refused ? refusalOf(refused) : Response.json({ id }, { status: 201 })
  } catch (error) {
    if (error instanceof NoMoreFiles) return error.answer
    if (error instanceof FileRefused) return refusalOf(error)
    throw error
  }
}

const refusalOf = ({ code, message }: FileRefused) => no(fileRefusals[code].status, code, message)

async function mayTakeMore(db: Db, id: string): Promise<void> {
  const [counted] = await db.select({ files: count() }).from(importFiles).where(eq(importFiles.importId, id))
  if (counted!.files >= importMostFiles) throw tooMany()
}

/** Takes one file; answers why it was not taken, which is remembered for the row that names it. */
async function takeOne(scope: Scope, id: string, given: string, bytes: AsyncIterable<Uint8Array>): Promise<FileRefused | null> {
  const name = given.split(/[\\/]/).at(-1)!
  try {
    await keep(scope, id, given, await takeFile(scope, { name, limit: clinicFileLimit }, bytes))
    return null
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    // Anyone who has gone away may come back with it.
    if (error.code !== 'UPLOAD_STALLED' && error.code !== 'BUSY') await keep(scope, id, given, error)
    return error
  }
}

async function keep(scope: Scope, id: string, given: string, taken: TakenFile | FileRefused): Promise<void> {
  const nothing = { documentId: null, name: null, mimeType: null, size: null, sha256: null, storageKey: null }
  const file = taken instanceof FileRefused ? { ...nothing, refusal: taken.code } : { ...asFile(taken), refusal: null }
  await scope.db.transaction(async (tx) => {
    const [job] = await tx.select({ status: imports.status }).from(imports).where(eq(imports.id, id)).for('update')
    if (job?.status !== 'mapping' && job?.status !== 'checked') throw tooLate()
    // What was checked without this file is no longer what would happen.
    if (job.status === 'checked') await tx.update(imports).set({ status: 'mapping', checked: null }).where(eq(imports.id, id))
    const row = { ...file, path: given, row: null }
    await tx
      .insert(importFiles)
      .values({ importId: id, ...fileKey(given), ...row })
      .onConflictDoUpdate({ target: [importFiles.importId, importFiles.key], set: row })
  })
}

const asFile = ({ id: documentId, name, mimeType, size, sha256, storageKey }: TakenFile) => ({
  documentId,
  name,
  mimeType,
  size,
  sha256,
  storageKey,
})

/** Takes each file of an archive. What it says of its sizes may be a lie: what comes out is counted. */
async function takeArchive(scope: Scope, id: string, given: string, bytes: AsyncIterable<Uint8Array>): Promise<Response> {
  const folder = path.join(scope.env.DATA_DIR, 'imports')
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  try {
    let size = 0
    const limited = async function* () {
      for await (const chunk of unlessStalled(scope, bytes)) {
        size += chunk.byteLength
        if (size > importArchiveLimit)
          throw new NoMoreFiles(no(413, 'FILE_TOO_LARGE', 'An archive may have 1 GB at most. Split it into several.'))
        yield chunk
      }
    }
    await pipeline(limited, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    const counts = await unpack(scope, id, file)
    if (!counts) return no(422, 'FILE_BROKEN', 'This archive is damaged or under a password, and cannot be opened')
    return Response.json({ id, path: given, ...counts }, { status: 201 })
  } finally {
    await fs.rm(file, { force: true })
  }
}

class BrokenArchive extends Error {}

/** What an archive has, whose every error is its own. */
async function* orBroken<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* source
  } catch {
    throw new BrokenArchive()
  }
}

async function unpack(scope: Scope, id: string, file: string): Promise<{ taken: number; refused: number } | null> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => null)
  if (!zip) return null
  let [taken, refused, unpacked] = [0, 0, 0]
  async function* counted(stream: AsyncIterable<Uint8Array>) {
    for await (const chunk of stream) {
      unpacked += chunk.byteLength
      if (unpacked > maxUnpacked) throw new NoMoreFiles(no(422, 'FILE_TOO_COMPLEX', 'This archive unpacks to more than can be taken'))
      yield chunk
    }
  }
  try {
    if (zip.entryCount > importMostFiles * 2) throw tooMany()
    for await (const entry of orBroken(zip.eachEntry())) {
      const name = clean(entry.fileName)
      if (isJunk(name) || name.length > importPathLimit) continue
      if (entry.isEncrypted()) return null
      if (taken + refused >= importMostFiles) throw tooMany()
      const stream = await zip.openReadStreamPromise(entry).catch(() => Promise.reject(new BrokenArchive()))
      if (await takeOne(scope, id, name, counted(orBroken(stream as AsyncIterable<Uint8Array>)))) refused++
      else taken++
      stream.destroy()
    }
    return { taken, refused }
  } catch (error) {
    if (error instanceof BrokenArchive) return null
    throw error
  } finally {
    zip.close()
  }
}

/** As many refused files as are named. */
const maxListedNames = 100

/** What was sent for the rows of an import so far; null when there is no such import. */
export async function filesOf(scope: Scope, id: string): Promise<ImportFiles | null> {
  if (!(await getImport(scope, id))) return null
  const ofImport = eq(importFiles.importId, id)
  const [[taken], [refused], refusals] = await Promise.all([
    scope.db
      .select({ count: count(), bytes: sql<number>`coalesce(sum(size), 0)::float8` })
      .from(importFiles)
      .where(and(ofImport, isNull(importFiles.refusal))),
    scope.db
      .select({ count: count() })
      .from(importFiles)
      .where(and(ofImport, isNotNull(importFiles.refusal))),
    scope.db
      .select({ path: importFiles.path, refusal: importFiles.refusal })
      .from(importFiles)
      .where(and(ofImport, isNotNull(importFiles.refusal)))
      .orderBy(asc(importFiles.key))
      .limit(maxListedNames),
  ])
  return {
    count: taken!.count,
    bytes: taken!.bytes,
    refused: refused!.count,
    refusals: refusals.map(({ path: at, refusal }) => ({ path: at, reason: fileRefusals[refusal!].message })),
  }
}
