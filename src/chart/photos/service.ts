import { and, asc, count, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { slot } from '../../kernel/slot.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { type ChangedSeries, type NewSeries, type Photo, photoMessages, type Series, type StartedSeries } from './contract.ts'
import { fileNameOf, type PhotoView } from './rules.ts'
import { photoFiles, photos, photoSeries } from './table.ts'

export { alertAdministrators } from './alerts.ts'
export { openPhotoFile } from './files.ts'
export { imageResponse, missingResponse, photoResponse, uploadResponse } from './response.ts'
export { photosPdfResponse } from './pdf.ts'
export { sharedCopyOf } from './shared-copy.ts'

/** What is to change in the chart: what a series is, or to which series a photo belongs. */
export type ChartChange =
  | { series: Pick<NewSeries, 'shotList' | 'timePoint' | 'takenOn'> & { id: string } }
  | { photo: { id: string; seriesId: string } }

/**
 * Whether a photo would stay in public use under a consent from before the treatment, if this changed. Locks the patient. Provided by the uses of photos.
 */
export const wouldLackConsent =
  slot<(tx: Db, scope: Pick<Scope, 'env' | 'now'>, contactId: string, change: ChartChange) => Promise<boolean>>('wouldLackConsent')

type SeriesRow = typeof photoSeries.$inferSelect
export type PhotoRow = typeof photos.$inferSelect

const isShown = isNull(photos.deletedAt)

const headOf = ({ createdAt: _, ...head }: SeriesRow) => head
export const toPhoto = ({ id, seriesId, view, takenAt, takenBy, mimeType, width, height, size, adjustment, version }: PhotoRow): Photo => ({
  id,
  seriesId,
  view,
  takenAt,
  takenBy,
  mimeType,
  width,
  height,
  size,
  adjustment,
  version,
})

const newestFirst = [desc(photoSeries.takenOn), desc(photoSeries.id)]

const { createdAt: _, ...headColumns } = getTableColumns(photoSeries)
/** What is answered about a photo of a known series. */
const shownColumns = {
  id: photos.id,
  view: photos.view,
  takenAt: photos.takenAt,
  takenBy: photos.takenBy,
  mimeType: photos.mimeType,
  width: photos.width,
  height: photos.height,
  size: photos.size,
  adjustment: photos.adjustment,
  version: photos.version,
}
const ofContact = prepared((db) =>
  db
    .select({ series: headColumns, photo: shownColumns })
    .from(photoSeries)
    .leftJoin(photos, and(eq(photos.seriesId, photoSeries.id), isShown))
    .where(eq(photoSeries.contactId, sql.placeholder('contactId')))
    .orderBy(...newestFirst, asc(photos.takenAt), asc(photos.id))
    .prepare('photos-of-patient'),
)

/** The patient's photos by series; null if there is no such patient. */
export async function listPhotos(scope: Scope, contactId: string): Promise<Series[] | null> {
  const rows = await readOfPatient(scope, 'photo', contactId, ofContact(scope.db).execute({ contactId }))
  return rows && groupBySeries(rows)
}

/** The patient's series with the views that were taken, and no photo; null if there is no such patient. */
export async function listSeries(scope: Scope, contactId: string): Promise<StartedSeries[] | null> {
  return readOfPatient(scope, 'photo', contactId, readStarted(scope.db, contactId))
}

async function readStarted(db: Db, contactId: string): Promise<StartedSeries[]> {
  const rows = await db
    .select({ series: photoSeries, taken: takenViews })
    .from(photoSeries)
    .where(eq(photoSeries.contactId, contactId))
    .orderBy(...newestFirst)
  return rows.map(({ series, taken }) => ({ ...headOf(series), takenViews: taken }))
}

// Names of its own: in a select from one table, columns are written without their table.
const takenViews = sql<PhotoView[]>`array(
  select distinct shot.view from photos as shot where shot.series_id = photo_series.id and shot.deleted_at is null)`

function groupBySeries(rows: readonly { series: ReturnType<typeof headOf>; photo: Omit<Photo, 'seriesId'> | null }[]): Series[] {
  const found = new Map<string, Series>()
  for (const { series, photo } of rows) {
    const group = found.get(series.id) ?? { ...series, photos: [] }
    if (photo) group.photos.push({ ...photo, seriesId: series.id })
    found.set(series.id, group)
  }
  return [...found.values()]
}

/** Null: the patient does not exist. */
export const addSeries = (scope: Scope, { contactId, ...given }: NewSeries & { contactId: string }) =>
  scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    const wrong = await wrongFields(tx, scope, given)
    if (wrong) return refuse('INVALID_REFERENCE', { fields: wrong })
    const [row] = await tx
      .insert(photoSeries)
      .values({ ...given, contactId, createdBy: staff(scope).id, createdAt: scope.now() })
      .returning()
    await recordChange(tx, scope, { action: 'created', kind: 'photo series', contactIds: [contactId], after: { id: row!.id, ...given } })
    await publish(tx, 'photo', contactId)
    return { ...headOf(row!), takenViews: [] }
  })

/**
 * Null: no such series. CONFLICT: someone else changed it. INVALID_REFERENCE: among others, a photo would stay in public use under a consent from before
 * the treatment.
 */
export const changeSeries = (scope: Scope, { id, version, ...given }: ChangedSeries) =>
  transact(scope.db, async (tx) => {
    const [seen] = await tx.select({ contactId: photoSeries.contactId }).from(photoSeries).where(eq(photoSeries.id, id))
    if (!seen) return null
    const isPublic = await wouldLackConsent(tx, scope, seen.contactId, { series: { id, ...given } })
    const [before] = await tx.select().from(photoSeries).where(eq(photoSeries.id, id)).for('update')
    if (!before) return null
    if (before.version !== version || before.contactId !== seen.contactId)
      return refuse('CONFLICT', { current: await startedSeries(tx, id) })
    const wrong = await wrongFields(tx, scope, given)
    if (wrong) return refuse('INVALID_REFERENCE', { fields: wrong })
    if (isPublic) {
      const field = (['takenOn', 'timePoint'] as const).find((name) => given[name] !== before[name]) ?? 'shotList'
      return refuse('INVALID_REFERENCE', { fields: { [field]: photoMessages.inPublicUse } })
    }
    const [after] = await tx
      .update(photoSeries)
      .set({ ...given, version: version + 1 })
      .where(eq(photoSeries.id, id))
      .returning()
    const changed = difference(headOf(before), headOf(after!))
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'photo series',
      contactIds: [before.contactId],
      before: { id, ...changed.before },
      after: changed.after,
    })
    await publish(tx, 'photo', before.contactId)
    return startedSeries(tx, id)
  })

async function startedSeries(tx: Db, id: string): Promise<StartedSeries> {
  const [row] = await tx.select({ series: photoSeries, taken: takenViews }).from(photoSeries).where(eq(photoSeries.id, id))
  return { ...headOf(row!.series), takenViews: row!.taken }
}

async function wrongFields(
  tx: Db,
  { env, now }: Scope,
  { takenOn, procedureId }: Pick<NewSeries, 'takenOn' | 'procedureId'>,
): Promise<Record<string, string> | null> {
  const today = toLocal(now(), env.PRACTICE_TIME_ZONE).day
  if (takenOn > today) return { takenOn: photoMessages.future }
  if (procedureId === null) return null
  const [procedure] = await tx.select({ id: procedures.id }).from(procedures).where(eq(procedures.id, procedureId))
  return procedure ? null : { procedureId: 'This procedure does not exist' }
}

/** Null: no such series. IN_USE: it has photos, or deleted ones that can be restored. */
export const deleteSeries = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const [series] = await tx.select().from(photoSeries).where(eq(photoSeries.id, id)).for('update')
    if (!series) return null
    const [found] = await tx.select({ count: count() }).from(photos).where(eq(photos.seriesId, id))
    if (found && found.count > 0) return refuse('IN_USE')
    await tx.delete(photoSeries).where(eq(photoSeries.id, id))
    await recordChange(tx, scope, { action: 'deleted', kind: 'photo series', contactIds: [series.contactId], before: { id } })
    await publish(tx, 'photo', series.contactId)
    return { id }
  })

/** Null: no such photo. INVALID_REFERENCE: the series is not one of the patient, or the photo's public use has a consent from before it. */
export const changePhoto = (scope: Scope, { id, ...given }: { id: string; view?: PhotoView | undefined; seriesId?: string | undefined }) =>
  transact(scope.db, async (tx) => {
    const [seen] =
      given.seriesId === undefined ? [] : await tx.select({ contactId: photos.contactId }).from(photos).where(eq(photos.id, id))
    const isPublic = seen && (await wouldLackConsent(tx, scope, seen.contactId, { photo: { id, seriesId: given.seriesId! } }))
    const [before] = await tx
      .select()
      .from(photos)
      .where(and(eq(photos.id, id), isShown))
      .for('update')
    if (!before) return null
    if (isPublic) return refuse('INVALID_REFERENCE', { fields: { seriesId: photoMessages.inPublicUse } })
    if (given.seriesId !== undefined && !(await isOfPatient(tx, given.seriesId, before.contactId)))
      return refuse('INVALID_REFERENCE', { fields: { seriesId: 'This series does not exist' } })
    const set = { view: given.view ?? before.view, seriesId: given.seriesId ?? before.seriesId }
    const [after] = await tx.update(photos).set(set).where(eq(photos.id, id)).returning()
    const changed = difference({ view: before.view, seriesId: before.seriesId }, set)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'photo',
      contactIds: [before.contactId],
      before: { id, ...changed.before },
      after: changed.after,
    })
    await publish(tx, 'photo', before.contactId)
    return toPhoto(after!)
  })

async function isOfPatient(tx: Db, seriesId: string, contactId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: photoSeries.id })
    .from(photoSeries)
    .where(and(eq(photoSeries.id, seriesId), eq(photoSeries.contactId, contactId)))
    .for('key share')
  return found !== undefined
}

/** Null: no such photo. */
export async function deletePhoto(scope: Scope, id: string): Promise<{ id: string } | null> {
  const row = await setDeleted(scope, id, true)
  return row && { id }
}

/** Null: no such photo. */
export async function restorePhoto(scope: Scope, id: string): Promise<Photo | null> {
  const row = await setDeleted(scope, id, false)
  return row && toPhoto(row)
}

const setDeleted = (scope: Scope, id: string, isDeleted: boolean): Promise<PhotoRow | null> =>
  scope.db.transaction(async (tx) => {
    const [row] = await tx
      .update(photos)
      .set(isDeleted ? { deletedAt: scope.now(), deletedBy: staff(scope).id } : { deletedAt: null, deletedBy: null })
      .where(and(eq(photos.id, id), isDeleted ? isShown : isNotNull(photos.deletedAt)))
      .returning()
    if (!row) return null
    const action = isDeleted ? 'deleted' : 'restored'
    await recordChange(tx, scope, { action, kind: 'photo', contactIds: [row.contactId], before: { id, view: row.view } })
    await publish(tx, 'photo', row.contactId)
    await publish(tx, 'gallery', id)
    return row
  })

/** The files of the patient's photos as they were taken, in the order in which they were: all of them, or some. */
export async function originalsOf(db: Db, { env }: Pick<Scope, 'env'>, contactId: string, ids?: readonly string[]) {
  const rows = await db
    .select({ photo: photos, storageKey: photoFiles.storageKey })
    .from(photos)
    .innerJoin(photoFiles, and(eq(photoFiles.photoId, photos.id), eq(photoFiles.kind, 'original')))
    .where(and(eq(photos.contactId, contactId), isShown, ids && inArray(photos.id, [...ids])))
    .orderBy(asc(photos.takenAt), asc(photos.id))
  return rows.map(({ photo, storageKey }) => {
    const { id, size, takenAt } = photo
    return { id, name: fileNameOf(photo, env.PRACTICE_TIME_ZONE), size, at: takenAt, storageKey }
  })
}
