import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginBulkChange, countMovingTo } from '../bulk-changes/service.ts'
import { type FunnelStage, maxStages, type StageKind } from './contract.ts'
import { isNeeded, reorder, uniqueStageValue } from './rules.ts'
import { listStages } from './service.ts'
import { funnelStages } from './table.ts'

type Row = typeof funnelStages.$inferSelect

/** Locks all stages, because unique names, the order and required stages depend on all of them. */
const lockStages = (tx: Db): Promise<Row[]> => tx.select().from(funnelStages).orderBy(asc(funnelStages.id)).for('no key update')

/**
 * Waits for transactions that are putting a patient into this stage; later ones wait and are then refused. Locks only this stage: those
 * transactions may hold it and ask for another.
 */
const lockForRetirement = (tx: Db, id: string) =>
  tx.select({ id: funnelStages.id }).from(funnelStages).where(eq(funnelStages.id, id)).for('update')

const isNameTaken = (stages: readonly Row[], name: string, id?: string): boolean =>
  stages.some((stage) => stage.id !== id && [stage.name, stage.value].some((known) => known.toLowerCase() === name.toLowerCase()))

/** Adds a stage: an open one before the stage of booked surgeries, one for lost leads last. */
export async function addStage(scope: Scope, { name, kind }: { name: string; kind: StageKind }) {
  return scope.db.transaction(async (tx) => {
    // Row locks do not prevent a concurrent insert, so the table is locked.
    await tx.execute(sql`lock table ${funnelStages} in share row exclusive mode`)
    const stages = await lockStages(tx)
    if (isNameTaken(stages, name)) return refuse('NAME_TAKEN')
    if (stages.filter(({ isActive }) => isActive).length >= maxStages) return refuse('TOO_MANY')
    const inOrder = stages.toSorted((a, b) => a.sortOrder - b.sortOrder)
    const before = kind === 'open' ? (inOrder.find((stage) => stage.kind === 'won')?.id ?? null) : null
    const value = uniqueStageValue(
      name,
      stages.flatMap((stage) => [stage.name.toLowerCase(), stage.value.toLowerCase()]),
    )
    const [row] = await tx.insert(funnelStages).values({ name, kind, value, sortOrder: 0 }).returning()
    await renumber(tx, reorder([...inOrder, row!], row!.id, before))
    const [added] = await tx.select().from(funnelStages).where(eq(funnelStages.id, row!.id))
    await recordChange(tx, scope, { action: 'created', kind: 'funnel stage', contactIds: [], after: added })
    await publish(tx, 'vocabulary', row!.id)
    return added!
  })
}

type StageChange = Pick<FunnelStage, 'id' | 'version' | 'name' | 'isActive'>

/**
 * Renames, retires or reactivates a stage. Its value does not change, so that API calls that use it keep working. Null: the stage does not
 * exist.
 */
export async function changeStage(scope: Scope, given: StageChange) {
  return scope.db.transaction(async (tx) => {
    const stages = await lockStages(tx)
    const before = stages.find(({ id }) => id === given.id)
    if (!before) return null
    if (before.version !== given.version) return refuse('CHANGED_MEANWHILE')
    if (isNameTaken(stages, given.name, given.id)) return refuse('NAME_TAKEN')
    if (!given.isActive && isNeeded(stages, before)) return refuse('NEEDED')
    if (!given.isActive && before.isActive) await lockForRetirement(tx, given.id)
    return writeStage(tx, scope, before, { name: given.name, isActive: given.isActive })
  })
}

/** Moves a stage before another, or to the end. Simultaneous moves are both applied. Null: the stage does not exist. */
export async function moveStage(scope: Scope, { id, before }: { id: string; before: string | null }): Promise<Row[] | null> {
  return scope.db.transaction(async (tx) => {
    const stages = (await lockStages(tx)).toSorted((a, b) => a.sortOrder - b.sortOrder)
    if (![id, before ?? id].every((wanted) => stages.some((stage) => stage.id === wanted))) return null
    const after = reorder(stages, id, before)
    const names = (rows: readonly Row[]) => ({ id, order: rows.map(({ name }) => name) })
    if (after.some((stage, index) => stage.id !== stages[index]!.id)) {
      await renumber(tx, after)
      await recordChange(tx, scope, { action: 'changed', kind: 'funnel stage', contactIds: [], before: names(stages), after: names(after) })
      await publish(tx, 'vocabulary', id)
    }
    return listStages(tx)
  })
}

/**
 * Retires a stage and moves its patients to another, as a bulk change: in batches in the background, with a timeline entry each, progress,
 * cancellation and undo. Null: the stage does not exist.
 */
export async function mergeStage(scope: Scope, { id, into }: { id: string; into: string }) {
  return scope.db.transaction(async (tx) => {
    const stages = await lockStages(tx)
    const [from, to] = [id, into].map((wanted) => stages.find((stage) => stage.id === wanted))
    if (!from) return null
    if (!to?.isActive || to === from) return refuse('INVALID_TARGET')
    if (isNeeded(stages, from)) return refuse('NEEDED')
    if ((await countMovingTo(tx, id)) !== null) return refuse('MOVING')
    await lockForRetirement(tx, id)
    await writeStage(tx, scope, from, { name: from.name, isActive: false })
    const progress = await beginBulkChange(tx, scope, sql`select id from contacts where funnel_stage = ${id}`, {
      kind: 'stage',
      stageId: into,
    })
    await recordChange(tx, scope, {
      action: 'merged',
      kind: 'funnel stage',
      contactIds: [],
      before: { id, name: from.name, patients: progress.total },
      after: { id: into, name: to.name },
    })
    return { bulkChangeId: progress.id, total: progress.total }
  })
}

async function writeStage(tx: Db, scope: Scope, before: Row, wanted: Pick<Row, 'name' | 'isActive'>): Promise<Row> {
  const { id } = before
  const changes = difference(before, { ...before, ...wanted })
  if (Object.keys(changes.after).length === 0) return before
  const [row] = await tx
    .update(funnelStages)
    .set({ ...wanted, version: before.version + 1 })
    .where(eq(funnelStages.id, id))
    .returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'funnel stage',
    contactIds: [],
    before: { id, ...changes.before },
    after: { id, ...changes.after },
  })
  await publish(tx, 'vocabulary', id)
  return row!
}

async function renumber(tx: Db, inOrder: readonly Row[]): Promise<void> {
  const ids = inOrder.map(({ id }) => id)
  await tx.execute(sql`
    update funnel_stages set sort_order = place
    from unnest(${sql.param(ids)}::uuid[]) with ordinality as wanted(stage, place) where id = stage and sort_order <> place`)
}
