import { and, eq } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { photoFiles } from './table.ts'

export type PhotoFileKind = (typeof photoFiles.$inferSelect)['kind']

/** The bytes of a photo, which the caller may show. Null: they are missing, which the log says. */
export async function openPhotoFile(scope: Scope, photoId: string, kind: PhotoFileKind) {
  const [found] = await scope.db
    .select({ storageKey: photoFiles.storageKey })
    .from(photoFiles)
    .where(and(eq(photoFiles.photoId, photoId), eq(photoFiles.kind, kind)))
  const file = found ? await scope.files.get(found.storageKey) : null
  if (!file) scope.log.error({ photoId }, 'The bytes of a photo are missing')
  return file
}
