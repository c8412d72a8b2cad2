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
import { FileRefused, type AcceptedFile, acceptFile, storeRows, unlessStalled } from '../../documents/service.ts'
import { type ImportFiles, importArchiveLimit, importFileCountLimit, importPathLimit } from './contract.ts'
import { clean } from './reading/csv.ts'
import { fileKey, isJunk } from './file-rules.ts'
import { getImport } from './service.ts'
import { importFiles, imports } from './table.ts'

const errorResponse = (status: number, code: string, message: string) =>
  Response.json({ code, message }, { status, headers: { connection: 'close' } })

/** Maximum unpacked size of an archive, in bytes. */
const maxUnpacked = 4 * importArchiveLimit

/** Stops the upload with this response. */
class UploadStopped extends Error {
  readonly response: Response
  constructor(response: Response) {
    super('Upload stopped')
    this.response = response
  }
}
const tooMany = () =>
  new UploadStopped(
    errorResponse(422, 'TOO_MANY_FILES', `An import can have at most ${importFileCountLimit.toLocaleString('en-CA')} files`),
  )
const tooLate = () => new UploadStopped(errorResponse(409, 'WRONG_MOMENT', 'This is not possible at this stage of the import'))

/**
 * POST /api/imports/{id}/files?path=…: accepts a file that a row of the table refers to, with its bytes as the body, or an archive (.zip)
 * of such files. Each is inspected like any document. A second file with the same path replaces the first.
 */
export async function filesResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const job = isUuid(id) ? await getImport(scope, id) : null
  if (!job || job.kind !== 'documents') return errorResponse(404, 'NOT_FOUND', 'This import does not exist')
  const filePath = clean(new URL(request.url).searchParams.get('path') ?? '')
  if (filePath === '' || filePath.length > importPathLimit)
    return errorResponse(422, 'INVALID_INPUT', 'Enter a file path of at most 500 characters')
  const bytes: AsyncIterable<Uint8Array> = request.body ?? Readable.from([])
  try {
    await checkFileCount(scope.db, id)
    if (/\.zip$/i.test(filePath)) return await acceptArchive(scope, id, filePath, bytes)
    const refused = await acceptOne(scope, id, filePath, bytes)
    return refused ? toRefusal(refused) : Response.json({ id }, { status: 201 })
  } catch (error) {
    if (error instanceof UploadStopped) return error.response
    if (error instanceof FileRefused) return toRefusal(error)
    throw error
  }
}

const toRefusal = ({ code, message }: FileRefused) => errorResponse(fileRefusals[code].status, code, message)

async function checkFileCount(db: Db, id: string): Promise<void> {
  const [row] = await db.select({ files: count() }).from(importFiles).where(eq(importFiles.importId, id))
  if (row!.files >= importFileCountLimit) throw tooMany()
}

/** Accepts one file. Returns why it was refused, which is also stored for the row that refers to it. */
async function acceptOne(scope: Scope, id: string, filePath: string, bytes: AsyncIterable<Uint8Array>): Promise<FileRefused | null> {
  const name = filePath.split(/[\\/]/).at(-1)!
  try {
    const file = await acceptFile(scope, { name, limit: clinicFileLimit }, bytes)
    await storeRows(scope, [file], () => saveFile(scope, id, filePath, file))
    return null
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    // The client may send the file again.
    if (error.code !== 'UPLOAD_STALLED' && error.code !== 'BUSY') await saveFile(scope, id, filePath, error)
    return error
  }
}

async function saveFile(scope: Scope, id: string, filePath: string, accepted: AcceptedFile | FileRefused): Promise<void> {
  const nothing = { documentId: null, name: null, mimeType: null, size: null, sha256: null, storageKey: null }
  const file = accepted instanceof FileRefused ? { ...nothing, refusal: accepted.code } : { ...toFileRow(accepted), refusal: null }
  await scope.db.transaction(async (tx) => {
    const [job] = await tx.select({ status: imports.status }).from(imports).where(eq(imports.id, id)).for('update')
    if (job?.status !== 'mapping' && job?.status !== 'checked') throw tooLate()
    // The check did not include this file, so it is out of date.
    if (job.status === 'checked') await tx.update(imports).set({ status: 'mapping', checked: null }).where(eq(imports.id, id))
    const row = { ...file, path: filePath, row: null }
    await tx
      .insert(importFiles)
      .values({ importId: id, ...fileKey(filePath), ...row })
      .onConflictDoUpdate({ target: [importFiles.importId, importFiles.key], set: row })
  })
}

const toFileRow = ({ id: documentId, name, mimeType, size, sha256, storageKey }: AcceptedFile) => ({
  documentId,
  name,
  mimeType,
  size,
  sha256,
  storageKey,
})

/** Accepts each file in an archive. The sizes it declares may be wrong, so the unpacked bytes are counted. */
async function acceptArchive(scope: Scope, id: string, filePath: string, bytes: AsyncIterable<Uint8Array>): Promise<Response> {
  const folder = path.join(scope.env.DATA_DIR, 'imports')
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  try {
    let size = 0
    const limited = async function* () {
      for await (const chunk of unlessStalled(scope, bytes)) {
        size += chunk.byteLength
        if (size > importArchiveLimit)
          throw new UploadStopped(errorResponse(413, 'FILE_TOO_LARGE', 'An archive can be at most 1 GB. Split it into several.'))
        yield chunk
      }
    }
    await pipeline(limited, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    const counts = await unpack(scope, id, file)
    if (!counts) return errorResponse(422, 'FILE_BROKEN', 'This archive cannot be opened: it is damaged or password-protected')
    return Response.json({ id, path: filePath, ...counts }, { status: 201 })
  } finally {
    await fs.rm(file, { force: true })
  }
}

class BrokenArchive extends Error {}

/** Turns any error of the source into a BrokenArchive. */
async function* throwBroken<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* source
  } catch {
    throw new BrokenArchive()
  }
}

async function unpack(scope: Scope, id: string, file: string): Promise<{ taken: number; refused: number } | null> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch(() => null)
  if (!zip) return null
  let [accepted, refused, unpacked] = [0, 0, 0]
  async function* limitUnpacked(stream: AsyncIterable<Uint8Array>) {
    for await (const chunk of stream) {
      unpacked += chunk.byteLength
      if (unpacked > maxUnpacked) throw new UploadStopped(errorResponse(422, 'FILE_TOO_COMPLEX', 'This archive is too large when unpacked'))
      yield chunk
    }
  }
  try {
    if (zip.entryCount > importFileCountLimit * 2) throw tooMany()
    for await (const entry of throwBroken(zip.eachEntry())) {
      const name = clean(entry.fileName)
      if (isJunk(name) || name.length > importPathLimit) continue
      if (entry.isEncrypted()) return null
      if (accepted + refused >= importFileCountLimit) throw tooMany()
      const stream = await zip.openReadStreamPromise(entry).catch(() => Promise.reject(new BrokenArchive()))
      if (await acceptOne(scope, id, name, limitUnpacked(throwBroken(stream as AsyncIterable<Uint8Array>)))) refused++
      else accepted++
      stream.destroy()
    }
    return { taken: accepted, refused }
  } catch (error) {
    if (error instanceof BrokenArchive) return null
    throw error
  } finally {
    zip.close()
  }
}

/** Maximum number of rejected files listed by name. */
const maxListedNames = 100

/** The files uploaded for an import so far; null if there is no such import. */
export async function getFiles(scope: Scope, id: string): Promise<ImportFiles | null> {
  if (!(await getImport(scope, id))) return null
  const isOfImport = eq(importFiles.importId, id)
  const [[accepted], [refused], refusals] = await Promise.all([
    scope.db
      .select({ count: count(), bytes: sql<number>`coalesce(sum(size), 0)::float8` })
      .from(importFiles)
      .where(and(isOfImport, isNull(importFiles.refusal))),
    scope.db
      .select({ count: count() })
      .from(importFiles)
      .where(and(isOfImport, isNotNull(importFiles.refusal))),
    scope.db
      .select({ path: importFiles.path, refusal: importFiles.refusal })
      .from(importFiles)
      .where(and(isOfImport, isNotNull(importFiles.refusal)))
      .orderBy(asc(importFiles.key))
      .limit(maxListedNames),
  ])
  return {
    count: accepted!.count,
    bytes: accepted!.bytes,
    refused: refused!.count,
    refusals: refusals.map(({ path: at, refusal }) => ({ path: at, reason: fileRefusals[refusal!].message })),
  }
}
