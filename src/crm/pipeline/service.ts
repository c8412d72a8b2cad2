import { asc, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { funnelStages } from './table.ts'
import { hasIdOrName } from '../../kernel/find-by-name.ts'

export const listStages = (db: Db) => db.select().from(funnelStages).orderBy(asc(funnelStages.sortOrder))

/** Whether a stage has this id, name or value ('lead'), ignoring case. */
const isStage = (input: string) => or(hasIdOrName(funnelStages, input), sql`lower(${funnelStages.value}) = lower(${input})`)

/** Finds a stage by id, name or value ('lead'), ignoring case. Null: no stage matches. */
export async function findStage(tx: Db, input: string): Promise<string | null> {
  const [stage] = await tx.select({ id: funnelStages.id }).from(funnelStages).where(isStage(input)).limit(1)
  return stage?.id ?? null
}

/**
 * Finds a stage that a patient may be moved to: an active one, or the patient's current one. Locks it against retirement until the caller's
 * transaction ends; if it is being retired, this waits and then returns null.
 */
export async function findAssignableStage(tx: Db, input: string, currentId?: string | null): Promise<string | null> {
  const [stage] = await tx
    .select({ id: funnelStages.id, isActive: funnelStages.isActive })
    .from(funnelStages)
    .where(isStage(input))
    .limit(1)
    .for('key share')
  return stage && (stage.isActive || stage.id === currentId) ? stage.id : null
}

/**
 * The stage with this value if it comes after the current one in the funnel. Null if the patient is already there, further along or lost.
 */
export async function stageAhead(tx: Db, currentId: string, value: string): Promise<string | null> {
  const stages = await listStages(tx)
  const current = stages.find(({ id }) => id === currentId)
  const next = stages.find((stage) => stage.value === value && stage.isActive)
  return next && current?.kind === 'open' && current.sortOrder < next.sortOrder ? next.id : null
}

/** The id of the stage in which contacts created from leads start. */
export async function initialStage(tx: Db): Promise<string> {
  const [stage] = await tx.select({ id: funnelStages.id }).from(funnelStages).where(eq(funnelStages.isInitial, true))
  return stage!.id
}
