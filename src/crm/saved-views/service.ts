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
/** With fields left out that stay as they are. */
type Change = { [Key in keyof NewView]?: NewView[Key] | undefined }

/** One's own views and those that are shared, by name. */
export async function listViews(scope: Scope): Promise<Row[]> {
  return scope.db
    .select()
    .from(savedViews)
    .where(and(isNull(savedViews.deletedAt), or(eq(savedViews.ownerId, staff(scope).id), savedViews.isShared)))
    .orderBy(asc(sql`fold(${savedViews.name})`), asc(savedViews.id))
}

/** One view; null also when it is someone else's own, so that no one can tell that there is such a view. */
export async function getView(scope: Scope, id: string): Promise<Row | null> {
  const [row] = await scope.db
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isNull(savedViews.deletedAt)))
  return row && maySeeView(staff(scope), row) ? row : null
}

/** With ids in place of names and values, as the list's screen writes them; what nothing is called yet stays a name. */
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
    await changed(tx, scope, 'created', undefined, row)
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
    await changed(tx, scope, 'changed', before, row)
    return row!
  })
}

/** How long a deleted view can be brought back. */
const keptFor = 24 * 3_600_000

/** Deletes a view. What its owner deleted longer ago is forgotten with it. */
export async function deleteView(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id)
    if (before === null || isRefusal(before)) return before
    const at = scope.now()
    await tx
      .delete(savedViews)
      .where(and(eq(savedViews.ownerId, before.ownerId), lt(savedViews.deletedAt, new Date(at.getTime() - keptFor))))
    await tx.update(savedViews).set({ deletedAt: at }).where(eq(savedViews.id, id))
    await changed(tx, scope, 'deleted', before, undefined)
    return true
  })
}

/** Brings a deleted view back, as it was. */
export async function restoreView(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const before = await lock(tx, scope, id, true)
    if (before === null || isRefusal(before)) return before
    if (await hasTooMany(tx, before.ownerId)) return refuse('TOO_MANY')
    const [row] = await tx.update(savedViews).set({ deletedAt: null }).where(eq(savedViews.id, id)).returning()
    await changed(tx, scope, 'created', undefined, row)
    return row!
  })
}

/** For a change, by who may. Someone else's own view is as if it were not there. */
async function lock(tx: Db, scope: Scope, id: string, isDeleted = false) {
  const [row] = await tx
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.id, id), isDeleted ? isNotNull(savedViews.deletedAt) : isNull(savedViews.deletedAt)))
    .for('update')
  if (!row || !maySeeView(staff(scope), row)) return null
  return mayChangeView(staff(scope), row) ? row : refuse('NOT_YOURS')
}

/** Two tabs that save at once wait here for one another. */
async function hasTooMany(tx: Db, ownerId: string): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`saved-views ${ownerId}`}, 0))`)
  const [row] = await tx
    .select({ kept: count() })
    .from(savedViews)
    .where(and(eq(savedViews.ownerId, ownerId), isNull(savedViews.deletedAt)))
  return row!.kept >= maxViews
}

async function changed(tx: Db, scope: Scope, action: 'created' | 'changed' | 'deleted', before: Row | undefined, after: Row | undefined) {
  await recordChange(tx, scope, { action, kind: 'saved-view', contactIds: [], before, after })
  const view = (after ?? before)!
  // Of someone's own view no one else hears, not even its id.
  const isPrivate = !view.isShared && !before?.isShared
  await publish(tx, 'saved-view', view.id, isPrivate ? { accounts: [view.ownerId], roles: [] } : undefined)
}
