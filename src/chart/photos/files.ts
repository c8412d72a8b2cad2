import { and, eq } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { photoFiles } from './table.ts'

export type PhotoFileKind = (typeof photoFiles.$inferSelect)['kind']

export type PhotoBytes = { size: number; bytes: ReadableStream<Uint8Array> }

/** The bytes of a photo, which the caller may show. Null: it has no such file, or the bytes are missing, which the log says. */
export async function openPhotoFile(
  scope: Pick<Scope, 'db' | 'files' | 'log'>,
  photoId: string,
  kind: PhotoFileKind,
): Promise<PhotoBytes | null> {
  const [found] = await scope.db
    .select({ storageKey: photoFiles.storageKey })
    .from(photoFiles)
    .where(and(eq(photoFiles.photoId, photoId), eq(photoFiles.kind, kind)))
  const file = found ? await scope.files.get(found.storageKey) : null
  if (found && !file) scope.log.error({ photoId, kind }, 'The bytes of a photo are missing')
  return file
}
