import { and, asc, count, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { maxFilterLength, writeFilter } from '../contacts/filter.ts'
import { filterWithIds } from '../contacts/service.ts'
import { maxViews, type NewView, type ViewedList } from './contract.ts'
import { mayChangeView, maySeeView } from './policy.ts'
import { savedViews } from './table.ts'

type Row = typeof savedViews.$inferSelect
/** Omitted fields are not changed. */
type Change = { [Key in keyof NewView]?: NewView[Key] | undefined }

/** The user's own views and the shared ones, by name. */
export async function listViews(scope: Scope): Promise<Row[]> {
  return scope.db
    .select()
    .from(savedViews)
    .where(and(isNull(savedViews.deletedAt), or(eq(savedViews.ownerId, staff(scope).id), savedViews.isShared)))
    .orderBy(asc(sql`fold(${savedViews.name})`), asc(savedViews.id))
}

/** One view, or null. Also null for someone else's private view, so that its existence is not revealed. */
export async function getView(scope: Scope, id: string): Promise<Row | null> {
  const [row] = await scope.db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isNull(savedViews.deletedAt)))
  return row && maySeeView(staff(scope), row) ? row : null
}

/** Replaces names and values in the filter with ids, as the list's screen does; unknown names stay. */
async function withIds(db: Db, list: ViewedList): Promise<ViewedList> {
  const filter = list.filter && writeFilter(await filterWithIds(db, list.filter, (name) => name))
  return filter && filter.length <= maxFilterLength ? { ...list, filter } : list
}

export async function createView(scope: Scope, view: NewView) {
  const { id: ownerId } = staff(scope)
  return scope.db.transaction(async (tx) => {
    if (await hasTooMany(tx, ownerId)) return refuse('TOO_MANY')
    const at = scope.now()
    const [row] = await tx
      .insert(savedViews)
      .values({ ...view, list: await withIds(tx, view.list), ownerId, createdAt: at, updatedAt: at })
      .returning()
    await recordViewChange(tx, scope, 'created', undefined, row)
    return row!
  })
}

export async function updateView(scope: Scope, id: string, change: Change) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id)
    if (before === null || isRefusal(before)) return before
    const [row] = await tx
      .update(savedViews)
      .set({ ...change, ...(change.list && { list: await withIds(tx, change.list) }), updatedAt: scope.now() })
      .where(eq(savedViews.id, id))
      .returning()
    await recordViewChange(tx, scope, 'changed', before, row)
    return row!
  })
}

/** How long a deleted view can be restored, in milliseconds. */
const restorableMs = 24 * 3_600_000

/** Deletes a view, and purges views that its owner deleted earlier and that can no longer be restored. */
export async function deleteView(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id)
    if (before === null || isRefusal(before)) return before
    const at = scope.now()
    await tx
      .delete(savedViews)
      .where(and(eq(savedViews.ownerId, before.ownerId), lt(savedViews.deletedAt, new Date(at.getTime() - restorableMs))))
    await tx.update(savedViews).set({ deletedAt: at }).where(eq(savedViews.id, id))
    await recordViewChange(tx, scope, 'deleted', before, undefined)
    return true
  })
}

/** Restores a deleted view. */
export async function restoreView(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id, true)
    if (before === null || isRefusal(before)) return before
    if (await hasTooMany(tx, before.ownerId)) return refuse('TOO_MANY')
    const [row] = await tx.update(savedViews).set({ deletedAt: null }).where(eq(savedViews.id, id)).returning()
    await recordViewChange(tx, scope, 'created', undefined, row)
    return row!
  })
}

/** Locks a view for a change, or refuses. Returns null for an unknown view and for someone else's private one. */
async function lock(tx: Db, scope: Scope, id: string, isDeleted = false) {
  const [row] = await tx
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isDeleted ? isNotNull(savedViews.deletedAt) : isNull(savedViews.deletedAt)))
    .for('update')
  if (!row || !maySeeView(staff(scope), row)) return null
  return mayChangeView(staff(scope), row) ? row : refuse('NOT_YOURS')
}

/** Whether the owner has reached the limit. Takes a lock, so that simultaneous requests can't exceed it. */
async function hasTooMany(tx: Db, ownerId: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`saved-views ${ownerId}`}, 0))`)
  const [row] = await tx
    .select({ kept: count() })
    .from(savedViews)
    .where(and(eq(savedViews.ownerId, ownerId), isNull(savedViews.deletedAt)))
  return row!.kept >= maxViews
}

async function recordViewChange(
  tx: Db,
  scope: Scope,
  action: 'created' | 'changed' | 'deleted',
  before: Row | undefined,
  after: Row | undefined,
) {
  await recordChange(tx, scope, { action, kind: 'saved-view', contactIds: [], before, after })
  const view = (after ?? before)!
  // Others must not learn of a private view, not even its id.
  const isPrivate = !view.isShared && !before?.isShared
  await publish(tx, 'saved-view', view.id, isPrivate ? { accounts: [view.ownerId], roles: [] } : undefined)
}
