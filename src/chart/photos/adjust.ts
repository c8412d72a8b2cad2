import { and, eq, isNull } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type Adjustment, isUnadjusted } from './adjust-rules.ts'
import { toPhoto } from './service.ts'
import { photoFiles, photos } from './table.ts'

/** Null: no such photo. CONFLICT: someone else changed it. The copy for sharing is made again when it is needed next. */
export async function adjustPhoto(scope: Scope, { id, version, ...given }: { id: string; version: number } & Adjustment) {
  const adjustment = isUnadjusted(given) ? null : given
  const changed = await scope.db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(photos)
      .where(and(eq(photos.id, id), isNull(photos.deletedAt)))
      .for('update')
    if (!before) return null
    if (before.version !== version) return refuse('CONFLICT', { current: toPhoto(before) })
    const [after] = await tx
      .update(photos)
      .set({ adjustment, version: version + 1 })
      .where(eq(photos.id, id))
      .returning()
    const stale = await tx
      .delete(photoFiles)
      .where(and(eq(photoFiles.photoId, id), eq(photoFiles.kind, 'shared')))
      .returning({ storageKey: photoFiles.storageKey })
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'photo',
      contactIds: [before.contactId],
      before: { id, adjustment: before.adjustment },
      after: { adjustment },
    })
    await publish(tx, 'photo', before.contactId)
    return { photo: toPhoto(after!), stale }
  })
  if (changed === null || 'refusal' in changed) return changed
  // One that is not deleted now is swept with the unused files.
  await Promise.all(changed.stale.map(({ storageKey }) => scope.files.delete(storageKey).catch(() => undefined)))
  return changed.photo
}
