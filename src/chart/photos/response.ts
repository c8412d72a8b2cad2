import fs from 'node:fs/promises'
import { count, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { createReadStream } from 'node:fs'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { fileRefusals } from '../../documents/contract.ts'
import { disposition, FileRefused, preparePhoto, receiveFile, storeRows } from '../../documents/service.ts'
import { photoMessages } from './contract.ts'
import { openPhotoFile, type PhotoBytes } from './files.ts'
import { fileNameOf, isRawName, maxPhotosOfSeries, photoLimit, viewNames } from './rules.ts'
import { markedForViewer } from './screen-copy.ts'
import { sharedCopyOf } from './shared-copy.ts'
import { photoFiles, photos, photoSeries } from './table.ts'

const answer = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message }, { status, headers })
/** The rest of a body that is refused is not read. */
const refused = (status: number, code: string, message: string): Response => answer(status, code, message, { connection: 'close' })

const uploadQuery = z.object({
  id: z.uuid('Send the id of the photo, a UUID'),
  view: z.enum(viewNames, 'Choose a view'),
  takenAt: z.coerce.date('Send when the photo was taken, such as 2026-11-27T15:04:05Z'),
  name: z.string().max(1000).default('photo.jpg'),
})

/**
 * POST /api/photo-series/{id}/photos?id=…&view=…&takenAt=…&name=…: adds a photo; the body is its bytes. Sending one again with the same id stores
 * nothing and is answered as before, so that a phone that lost its network may repeat what it does not know to have arrived.
 */
export async function uploadResponse(scope: Scope, seriesId: string, request: Request): Promise<Response> {
  const query = uploadQuery.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!query.success) {
    const { path, message } = query.error.issues[0]!
    return refused(422, 'INVALID_INPUT', `${path.join('.')}: ${message}`)
  }
  const { id, view, takenAt, name } = query.data
  if (isRawName(name)) return refused(422, 'FILE_TYPE', photoMessages.raw)
  if (takenAt.getTime() > scope.now().getTime() + clockTolerance) return refused(422, 'INVALID_INPUT', `takenAt: ${photoMessages.future}`)
  const [series] = isUuid(seriesId) ? await scope.db.select().from(photoSeries).where(eq(photoSeries.id, seriesId)) : []
  if (!series) return refused(404, 'NOT_FOUND', 'This series does not exist')
  const known = await findKnown(scope.db, id)
  if (known) return repeated(known, series.contactId)
  const [found] = await scope.db.select({ count: count() }).from(photos).where(eq(photos.seriesId, seriesId))
  if (found && found.count >= maxPhotosOfSeries) return refused(409, 'FULL', photoMessages.full)

  try {
    const file = await receiveFile(scope, photoLimit, request.body ?? emptyBody())
    try {
      const prepared = await preparePhoto({ file, name })
      if ('refusal' in prepared) throw new FileRefused(prepared.refusal)
      const { screen, thumbnail, kind, ...facts } = prepared
      const stored = await storeFiles(scope, { original: { file, size: facts.size }, screen, thumbnail })
      const row = {
        id,
        contactId: series.contactId,
        seriesId,
        view,
        takenAt,
        takenBy: staff(scope).id,
        mimeType: kind,
        ...facts,
      }
      const isNew = await storeRows(scope, stored, () => scope.db.transaction((tx) => insert(tx, scope, row, stored)))
      if (isNew === null) return refused(404, 'NOT_FOUND', 'This series does not exist')
      if (!isNew) {
        await Promise.all(stored.map(({ storageKey }) => scope.files.delete(storageKey)))
        return repeated((await findKnown(scope.db, id))!, series.contactId)
      }
      return Response.json({ id }, { status: 201 })
    } finally {
      await fs.rm(file, { force: true })
    }
  } catch (error) {
    if (error instanceof FileRefused) {
      const { code, message } = error
      return refused(fileRefusals[code].status, code, code === 'FILE_TYPE' ? photoMessages.kind : message)
    }
    throw error
  }
}

/** In milliseconds: a phone's clock may be ahead. */
const clockTolerance = 24 * 3_600_000
type StoredCopy = { kind: 'original' | 'screen' | 'thumbnail'; storageKey: string }

async function findKnown(db: Db, id: string): Promise<{ id: string; contactId: string } | null> {
  const [row] = await db.select({ id: photos.id, contactId: photos.contactId }).from(photos).where(eq(photos.id, id))
  return row ?? null
}

/** The answer to a photo that was sent before. An id that belongs to another patient's photo is a mistake of the sender. */
const repeated = (known: { id: string; contactId: string }, contactId: string): Response =>
  known.contactId === contactId
    ? Response.json({ id: known.id }, { status: 200, headers: { connection: 'close' } })
    : refused(409, 'ID_TAKEN', 'Another photo has this id')

async function storeFiles(
  { files }: Scope,
  given: { original: { file: string; size: number }; screen: Uint8Array; thumbnail: Uint8Array },
): Promise<StoredCopy[]> {
  const put = async (kind: StoredCopy['kind'], bytes: AsyncIterable<Uint8Array>, size: number): Promise<StoredCopy> => {
    const storageKey = `photos/${uuidv7()}`
    await files.put(storageKey, bytes, { size })
    return { kind, storageKey }
  }
  return Promise.all([
    put('original', createReadStream(given.original.file), given.original.size),
    put('screen', single(given.screen), given.screen.byteLength),
    put('thumbnail', single(given.thumbnail), given.thumbnail.byteLength),
  ])
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** False: the photo is there already. Null: the series was deleted in the meantime. */
async function insert(
  tx: Db,
  scope: Scope,
  row: Omit<typeof photos.$inferInsert, 'createdAt'>,
  stored: readonly StoredCopy[],
): Promise<boolean | null> {
  const [series] = await tx
    .select({ contactId: photoSeries.contactId })
    .from(photoSeries)
    .where(eq(photoSeries.id, row.seriesId))
    .for('share')
  if (!series) return null
  const added = await tx
    .insert(photos)
    .values({ ...row, contactId: series.contactId, createdAt: scope.now() })
    .onConflictDoNothing({ target: photos.id })
    .returning({ id: photos.id })
  if (added.length === 0) return false
  await tx.insert(photoFiles).values(stored.map((copy) => ({ photoId: row.id, ...copy })))
  const after = { id: row.id, seriesId: row.seriesId, view: row.view, sha256: row.sha256 }
  await recordChange(tx, scope, { action: 'created', kind: 'photo', contactIds: [series.contactId], after })
  await publish(tx, 'photo', series.contactId)
  return true
}

const copies = ['screen', 'thumbnail', 'shared'] as const

/**
 * GET /api/photos/{id}/screen or /thumbnail: a copy without metadata; /shared: the one that may leave the chart, shown to staff before it does. At
 * screen size it has the viewer's mark, if the practice wants that.
 */
export async function imageResponse(scope: Scope, id: string, asked: string): Promise<Response> {
  const kind = copies.find((one) => one === asked)
  const [photo] = kind && isUuid(id) ? await scope.db.select().from(photos).where(eq(photos.id, id)) : []
  if (!kind || !photo || photo.deletedAt !== null) return answer(404, 'NOT_FOUND', 'This photo does not exist')
  await scope.recordView({ kind: 'photo', contactIds: [photo.contactId] })
  const copy = kind === 'shared' ? await sharedCopyOf(scope, id) : await openPhotoFile(scope, id, kind)
  if (!copy) return missingResponse()
  if ('refusal' in copy) return copy.refusal === 'BUSY' ? busyResponse() : missingResponse()
  const shown = kind === 'thumbnail' ? copy : await markedForViewer(scope, `${id} ${kind} ${photo.version}`, copy)
  if ('refusal' in shown) return busyResponse()
  const response = photoResponse(scope, { ...photo, mimeType: 'image/jpeg' }, shown)
  // It is looked at in a tab of its own.
  if (kind === 'shared') response.headers.delete('content-disposition')
  return response
}

/** The bytes of a photo, named by its view and day. */
export function photoResponse(
  { env }: Pick<Scope, 'env'>,
  photo: Pick<typeof photos.$inferSelect, 'view' | 'takenAt' | 'mimeType'>,
  { size, bytes }: PhotoBytes,
): Response {
  return new Response(bytes, {
    headers: {
      'content-type': photo.mimeType,
      'content-length': String(size),
      'content-disposition': disposition(fileNameOf(photo, env.PRACTICE_TIME_ZONE)),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}

export const missingResponse = (): Response => answer(410, 'FILE_MISSING', 'The file of this photo is missing')
const busyResponse = (): Response =>
  answer(503, 'BUSY', 'The server is preparing many photos. Try again in a minute.', { 'retry-after': '30' })
