import { and, asc, count, eq, isNull } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Layer } from './markup-contract.ts'
import { markupLimits, type Shape } from './markup-rules.ts'
import { mayChangeLayer } from './policy.ts'
import { photoLayers, photos } from './table.ts'

const readLayers = (db: Db, photoId: string): Promise<Layer[]> =>
  db.select().from(photoLayers).where(eq(photoLayers.photoId, photoId)).orderBy(asc(photoLayers.createdAt), asc(photoLayers.id))

/** The markup on a photo, oldest first; null if there is no such photo. */
export async function listLayers(scope: Scope, photoId: string): Promise<Layer[] | null> {
  const [photo] = await scope.db
    .select({ contactId: photos.contactId })
    .from(photos)
    .where(and(eq(photos.id, photoId), isNull(photos.deletedAt)))
  if (!photo) return null
  const [rows] = await Promise.all([
    readLayers(scope.db, photoId),
    scope.recordView({ kind: 'photo layer', contactIds: [photo.contactId] }),
  ])
  return rows
}

/** Null: no such photo. FULL: it has as many layers as a photo holds. */
export const addLayer = (scope: Scope, { photoId, shapes }: { photoId: string; shapes: Shape[] }) =>
  scope.db.transaction(async (tx) => {
    const [photo] = await tx
      .select({ contactId: photos.contactId })
      .from(photos)
      .where(and(eq(photos.id, photoId), isNull(photos.deletedAt)))
      .for('update')
    if (!photo) return null
    const [found] = await tx.select({ count: count() }).from(photoLayers).where(eq(photoLayers.photoId, photoId))
    if (found && found.count >= markupLimits.layers) return refuse('FULL')
    const now = scope.now()
    const [row] = await tx
      .insert(photoLayers)
      .values({ photoId, shapes, authorId: staff(scope).id, createdAt: now, updatedAt: now })
      .returning()
    const after = { id: row!.id, photoId, shapes: shapes.length }
    await recordChange(tx, scope, { action: 'created', kind: 'photo layer', contactIds: [photo.contactId], after })
    await publish(tx, 'photo', photo.contactId)
    return row!
  })

/** Null: no such layer. NOT_AUTHOR: someone else drew it. CONFLICT: its author changed it in the meantime. The audit log keeps what was replaced. */
export const changeLayer = (scope: Scope, { id, version, shapes }: { id: string; version: number; shapes: Shape[] }) =>
  scope.db.transaction(async (tx) => {
    const found = await lockLayer(tx, id)
    if (!found) return null
    const { layer, contactId } = found
    if (!mayChangeLayer(scope.actor, layer)) return refuse('NOT_AUTHOR')
    if (layer.version !== version) return refuse('CONFLICT', { current: layer })
    const [row] = await tx
      .update(photoLayers)
      .set({ shapes, version: version + 1, updatedAt: scope.now() })
      .where(eq(photoLayers.id, id))
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'photo layer',
      contactIds: [contactId],
      before: { id, shapes: layer.shapes },
      after: { shapes },
    })
    await publish(tx, 'photo', contactId)
    return row!
  })

/** Null: no such layer. NOT_AUTHOR: someone else drew it. The audit log keeps what was deleted. */
export const deleteLayer = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const found = await lockLayer(tx, id)
    if (!found) return null
    const { layer, contactId } = found
    if (!mayChangeLayer(scope.actor, layer)) return refuse('NOT_AUTHOR')
    await tx.delete(photoLayers).where(eq(photoLayers.id, id))
    const before = { id, photoId: layer.photoId, shapes: layer.shapes }
    await recordChange(tx, scope, { action: 'deleted', kind: 'photo layer', contactIds: [contactId], before })
    await publish(tx, 'photo', contactId)
    return { id }
  })

async function lockLayer(tx: Db, id: string): Promise<{ layer: Layer; contactId: string } | null> {
  const [found] = await tx
    .select({ layer: photoLayers, contactId: photos.contactId })
    .from(photoLayers)
    .innerJoin(photos, eq(photos.id, photoLayers.photoId))
    .where(and(eq(photoLayers.id, id), isNull(photos.deletedAt)))
    .for('update', { of: photoLayers })
  return found ?? null
}
