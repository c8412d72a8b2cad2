import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginBulkChange, countMovingTo } from '../bulk-changes/service.ts'
import { type FunnelStage, maxStages, type StageKind } from './contract.ts'
import { isNeeded, placed, valueOf } from './rules.ts'
import { listStages } from './service.ts'
import { funnelStages } from './table.ts'

type Row = typeof funnelStages.$inferSelect

/** All stages, for a change of them: names, places and what has to stay are decided on all, by one person after the other. */
const lockStages = (tx: Db): Promise<Row[]> => tx.select().from(funnelStages).orderBy(asc(funnelStages.id)).for('no key update')

/** Anyone who puts a patient into this stage is done, or waits and is refused then. Only this one: they may hold it and ask for another. */
const lockOut = (tx: Db, id: string) => tx.select({ id: funnelStages.id }).from(funnelStages).where(eq(funnelStages.id, id)).for('update')

const isTaken = (stages: readonly Row[], name: string, id?: string): boolean =>
  stages.some((stage) => stage.id !== id && [stage.name, stage.value].some((known) => known.toLowerCase() === name.toLowerCase()))

/** Adds a stage: an open one before the stage of booked surgeries, one for lost leads last. */
export async function addStage(scope: Scope, { name, kind }: { name: string; kind: StageKind }) {
  return scope.db.transaction(async (tx) => {
    // No one else adds one in the meantime, which no lock of the rows that are there would see.
    await tx.execute(sql`lock table ${funnelStages} in share row exclusive mode`)
    const stages = await lockStages(tx)
    if (isTaken(stages, name)) return refuse('NAME_TAKEN')
    if (stages.filter(({ isActive }) => isActive).length >= maxStages) return refuse('TOO_MANY')
    const inOrder = stages.toSorted((a, b) => a.sortOrder - b.sortOrder)
    const before = kind === 'open' ? (inOrder.find((stage) => stage.kind === 'won')?.id ?? null) : null
    const value = valueOf(
      name,
      stages.flatMap((stage) => [stage.name.toLowerCase(), stage.value.toLowerCase()]),
    )
    const [row] = await tx.insert(funnelStages).values({ name, kind, value, sortOrder: 0 }).returning()
    await renumber(tx, placed([...inOrder, row!], row!.id, before))
    const [added] = await tx.select().from(funnelStages).where(eq(funnelStages.id, row!.id))
    await recordChange(tx, scope, { action: 'created', kind: 'funnel stage', contactIds: [], after: added })
    await publish(tx, 'vocabulary', row!.id)
    return added!
  })
}

type Changed = Pick<FunnelStage, 'id' | 'version' | 'name' | 'isActive'>

/** Renames a stage, or retires it and brings it back. Its value stays, so that what calls it by that goes on to work. Null: there is none. */
export async function changeStage(scope: Scope, given: Changed) {
  return scope.db.transaction(async (tx) => {
    const stages = await lockStages(tx)
    const before = stages.find(({ id }) => id === given.id)
    if (!before) return null
    if (before.version !== given.version) return refuse('CHANGED_MEANWHILE')
    if (isTaken(stages, given.name, given.id)) return refuse('NAME_TAKEN')
    if (!given.isActive && isNeeded(stages, before)) return refuse('NEEDED')
    if (!given.isActive && before.isActive) await lockOut(tx, given.id)
    return write(tx, scope, before, { name: given.name, isActive: given.isActive })
  })
}

/** Puts a stage before another, or last; of two who do so at once both have their way. Null: there is no such stage. */
export async function moveStage(scope: Scope, { id, before }: { id: string; before: string | null }): Promise<Row[] | null> {
  return scope.db.transaction(async (tx) => {
    const stages = (await lockStages(tx)).toSorted((a, b) => a.sortOrder - b.sortOrder)
    if (![id, before ?? id].every((wanted) => stages.some((stage) => stage.id === wanted))) return null
    const after = placed(stages, id, before)
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
 * Retires a stage and moves its patients to another, as a bulk change: in batches in the background, with an entry on each timeline, progress,
 * cancelling and undo. Null: there is no such stage.
 */
export async function mergeStage(scope: Scope, { id, into }: { id: string; into: string }) {
  return scope.db.transaction(async (tx) => {
    const stages = await lockStages(tx)
    const [from, to] = [id, into].map((wanted) => stages.find((stage) => stage.id === wanted))
    if (!from) return null
    if (!to?.isActive || to === from) return refuse('NOT_INTO')
    if (isNeeded(stages, from)) return refuse('NEEDED')
    if ((await countMovingTo(tx, id)) !== null) return refuse('MOVING')
    await lockOut(tx, id)
    await write(tx, scope, from, { name: from.name, isActive: false })
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

async function write(tx: Db, scope: Scope, before: Row, wanted: Pick<Row, 'name' | 'isActive'>): Promise<Row> {
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
