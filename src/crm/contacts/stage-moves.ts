import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addInteraction } from '../interactions/service.ts'
import { listStages } from '../pipeline/service.ts'
import { withoutSlips } from '../pipeline/rules.ts'
import type { funnelStages } from '../pipeline/table.ts'
import { contacts, stageHistory } from './table.ts'

type Row = typeof contacts.$inferSelect
type Stage = typeof funnelStages.$inferSelect

/** The stage that a change moves a contact to; null when it stays where it is. */
export async function stageMovedTo(tx: Db, before: Row, stageId: string | undefined): Promise<Stage | null> {
  if (stageId === undefined || stageId === before.funnelStageId) return null
  return (await listStages(tx)).find(({ id }) => id === stageId) ?? null
}

/** Since when a contact counts as being in the stage that it is moved to: a move that is taken back at once has never been. */
export async function enteredAt(tx: Db, { id, funnelStageId }: Row, stageId: string, now: Date): Promise<Date> {
  const moves = await tx
    .select({ fromStageId: stageHistory.fromStageId, toStageId: stageHistory.toStageId, changedAt: stageHistory.changedAt })
    .from(stageHistory)
    .where(eq(stageHistory.contactId, id))
    .orderBy(asc(stageHistory.changedAt), asc(stageHistory.id))
  const last = withoutSlips([...moves, { fromStageId: funnelStageId, toStageId: stageId, changedAt: now }]).at(-1)
  return last?.toStageId === stageId ? last.changedAt : now
}

/**
 * A move to another stage, with time, user and the reason of a loss, so that time in stage and conversion can be reported. Answers the rows
 * that tell of it.
 */
export async function recordMove(tx: Db, scope: Scope, before: Row, after: Row, at = after.stageEnteredAt) {
  const { lostReason } = after
  const stages = await listStages(tx)
  const [from, to] = [before, after].map((row) => stages.find((stage) => stage.id === row.funnelStageId))
  const takesBack = after.stageEnteredAt < at
  if (takesBack)
    await tx
      .update(stageHistory)
      .set({ fromEnteredAt: null })
      .where(eq(stageHistory.id, lastMoveOf(before.id)))
  const moves = await tx
    .insert(stageHistory)
    .values({
      contactId: after.id,
      fromStageId: before.funnelStageId,
      toStageId: after.funnelStageId,
      changedAt: at,
      changedBy: scope.actor?.id ?? null,
      fromEnteredAt: takesBack ? null : before.stageEnteredAt,
      lostReason,
    })
    .returning()
  const type = to?.value === 'consult_booked' ? 'consult_booked' : to?.kind === 'won' ? 'surgery_booked' : 'stage_change'
  const entry = await addInteraction(tx, scope, {
    contactId: after.id,
    type,
    description: `Stage changed from ${from?.name} to ${to?.name}`,
    metadata: { from: from?.id, to: to?.id, ...(lostReason === null ? {} : { lostReason }) },
  })
  return { moveId: moves[0]!.id, entryId: entry.id }
}

const lastMoveOf = (contactId: string): SQL =>
  sql`(select id from contact_stage_history where contact_id = ${contactId} order by changed_at desc, id desc limit 1)`

/** A reason that is given later, or another one, belongs to the loss that it explains: the last move. */
export async function correctReason(tx: Db, { id, lostReason }: Row) {
  await tx.execute(sql`
    update contact_stage_history set lost_reason = ${lostReason}
    where id = ${lastMoveOf(id)}`)
}

/** Why a stage cannot have been reached for this reason; null when all is well. */
export async function problemOfReason(tx: Db, stageId: string, lostReason: string | null): Promise<string | null> {
  if (lostReason === null) return null
  const stage = (await listStages(tx)).find(({ id }) => id === stageId)
  return stage?.kind === 'lost' ? null : 'Only a lost lead has a reason'
}

/** The stages a contact was in, oldest first; null when there is no such contact. */
export async function stageHistoryOf(scope: Scope, id: string) {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id))
  if (!contact) return null
  const rows = await scope.db
    .select()
    .from(stageHistory)
    .where(eq(stageHistory.contactId, id))
    .orderBy(asc(stageHistory.changedAt), asc(stageHistory.id))
  await scope.recordView({ kind: 'stage-history', contactIds: [id] })
  return rows
}
