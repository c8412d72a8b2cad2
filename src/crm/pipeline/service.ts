import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { funnelStages } from './table.ts'
import { findNamed } from '../../kernel/named.ts'

export const listStages = (db: Db) => db.select().from(funnelStages).orderBy(asc(funnelStages.sortOrder))

/** A stage by id, name or stage value ('lead'), in any case; null when there is none. */
export const findStage = (tx: Db, input: string): Promise<string | null> =>
  findNamed(tx, funnelStages, input, sql`lower(${funnelStages.value}) = lower(${input})`)

/**
 * A stage that someone may be put into: one that is in use, or the one where they stand. Anyone who retires it in the meantime waits until the
 * caller's transaction is over; the other way round it is refused.
 */
export async function findOfferedStage(tx: Db, input: string, currentId?: string | null): Promise<string | null> {
  const id = await findStage(tx, input)
  if (id === null || id === currentId) return id
  const [stage] = await tx
    .select({ id: funnelStages.id })
    .from(funnelStages)
    .where(and(eq(funnelStages.id, id), eq(funnelStages.isActive, true)))
    .for('key share')
  return stage?.id ?? null
}

/** The stage with this value, for anyone who stands before it in the funnel; null for anyone who stands there already, or further, or is lost. */
export async function stageAhead(tx: Db, currentId: string, value: string): Promise<string | null> {
  const stages = await listStages(tx)
  const current = stages.find(({ id }) => id === currentId)
  const next = stages.find((stage) => stage.value === value && stage.isActive)
  return next && current?.kind === 'open' && current.sortOrder < next.sortOrder ? next.id : null
}

/** The id of the stage in which a contact made from a lead begins. */
export async function initialStage(tx: Db): Promise<string> {
  const [stage] = await tx.select({ id: funnelStages.id }).from(funnelStages).where(eq(funnelStages.isInitial, true))
  return stage!.id
}
