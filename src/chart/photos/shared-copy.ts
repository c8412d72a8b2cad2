import { buffer } from 'node:stream/consumers'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { renderPhoto, storeRows } from '../../documents/service.ts'
import { type PhotoBytes, openPhotoFile } from './files.ts'
import { type Adjustment, isUnadjusted, unadjusted, type View, visibleBox } from './adjust-rules.ts'
import { photoFiles, photos } from './table.ts'

type PhotoRow = typeof photos.$inferSelect
type FileScope = Pick<Scope, 'db' | 'files' | 'log'>
type NoCopy = Refusal<'FILE_MISSING'> | Refusal<'BUSY'>

/**
 * The copy of a photo that may leave the chart: turned and cropped as it is shown, with its blurs burnt in, and without metadata. It is made
 * once, kept as a file of the photo, and made again after its instructions changed. Whether it may leave, and the entry in the audit log, are the caller's.
 * `forGrid`: a small copy is enough: photos without crop and blur have one, the others are sent as they are. Null: no such photo. FILE_MISSING: its
 * copy is missing or was altered. BUSY: too many pictures are being rendered.
 */
export async function sharedCopyOf(scope: FileScope, photoId: string, { forGrid = false } = {}): Promise<PhotoBytes | NoCopy | null> {
  // Another change of the instructions in between makes the copy stale before it is kept.
  for (;;) {
    const [photo] = await scope.db
      .select()
      .from(photos)
      .where(and(eq(photos.id, photoId), isNull(photos.deletedAt)))
    if (!photo) return null
    const adjustment = photo.adjustment ?? unadjusted
    if (isUnadjusted(adjustment)) return (await openPhotoFile(scope, photoId, forGrid ? 'thumbnail' : 'screen')) ?? refuse('FILE_MISSING')
    const kept = await openPhotoFile(scope, photoId, 'shared')
    if (kept) return kept
    const made = await changedCopyOf(scope, photo, adjustment)
    if (!(made instanceof Uint8Array)) return made
    if (await keep(scope, photo, made)) return { size: made.byteLength, bytes: new Blob([made]).stream() }
  }
}

/** A photo's copy for the screen, turned and cropped as it is shown, with the given blurs burnt in. `maxSide`: of the longer side, in pixels. */
export async function changedCopyOf(
  scope: FileScope,
  photo: Pick<PhotoRow, 'id' | 'width' | 'height'>,
  { turn, crop, blurs }: Adjustment,
  maxSide: number | null = null,
): Promise<Uint8Array<ArrayBuffer> | NoCopy> {
  const file = await openPhotoFile(scope, photo.id, 'screen')
  if (!file) return refuse('FILE_MISSING')
  const copy = new Uint8Array(await buffer(file.bytes))
  const size = copySize(photo)
  const changes = {
    maxSide,
    turn,
    crop: visibleBox(size, { turn, crop } satisfies View),
    blurs: blurs.map(({ kind, x, y, width, height, turn: blurTurn }) => ({
      kind,
      turn: blurTurn,
      x: x * size.width,
      y: y * size.height,
      width: width * size.width,
      height: height * size.height,
    })),
  }
  return (await renderPhoto(copy, changes)) ?? refuse('BUSY')
}

/** In pixels: the copy for the screen is the original, shrunk to fit 2,048 pixels. */
function copySize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(1, 2048 / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** False: the instructions changed in the meantime. Of two copies made at the same time, one is kept. */
async function keep(scope: FileScope, { id, version }: Pick<PhotoRow, 'id' | 'version'>, bytes: Uint8Array): Promise<boolean> {
  const { db, files } = scope
  const storageKey = `photos/${uuidv7()}`
  await files.put(storageKey, single(bytes), { size: bytes.byteLength })
  const outcome = await storeRows(scope, [{ storageKey }], () =>
    db.transaction(async (tx) => {
      const [photo] = await tx.select({ version: photos.version }).from(photos).where(eq(photos.id, id)).for('share')
      if (photo?.version !== version) return 'stale'
      const added = await tx
        .insert(photoFiles)
        .values({ photoId: id, kind: 'shared', storageKey })
        .onConflictDoNothing({ target: [photoFiles.photoId, photoFiles.kind] })
        .returning({ id: photoFiles.id })
      return added.length > 0 ? 'kept' : 'known'
    }),
  )
  if (outcome !== 'kept') await files.delete(storageKey)
  return outcome !== 'stale'
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
