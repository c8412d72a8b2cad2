import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { addInteraction } from '../../interactions/service.ts'
import { listStages } from '../../pipeline/service.ts'
import { withoutAccidentalMoves } from '../../pipeline/rules.ts'
import type { funnelStages } from '../../pipeline/table.ts'
import { readOfPatient } from '../of-patient.ts'
import { type contacts, stageHistory } from '../table.ts'

type Row = typeof contacts.$inferSelect
type Stage = typeof funnelStages.$inferSelect

/** The stage that a change moves a contact to, or null if it stays. */
export async function stageMovedTo(tx: Db, before: Row, stageId: string | undefined): Promise<Stage | null> {
  if (stageId === undefined || stageId === before.funnelStageId) return null
  return (await listStages(tx)).find(({ id }) => id === stageId) ?? null
}

/** When a contact entered the stage it is moved to. Ignores an accidental move that is undone at once. */
export async function enteredAt(tx: Db, { id, funnelStageId }: Row, stageId: string, now: Date): Promise<Date> {
  const moves = await tx
    .select({ fromStageId: stageHistory.fromStageId, toStageId: stageHistory.toStageId, changedAt: stageHistory.changedAt })
    .from(stageHistory)
    .where(eq(stageHistory.contactId, id))
    .orderBy(asc(stageHistory.changedAt), asc(stageHistory.id))
  const last = withoutAccidentalMoves([...moves, { fromStageId: funnelStageId, toStageId: stageId, changedAt: now }]).at(-1)
  return last?.toStageId === stageId ? last.changedAt : now
}

/**
 * Records a move to another stage with time, user and lost reason, so that time in stage and conversion can be reported. Returns the ids of
 * the move and its timeline entry.
 */
export async function recordMove(tx: Db, scope: Scope, before: Row, after: Row, at = after.stageEnteredAt) {
  const { lostReason } = after
  const stages = await listStages(tx)
  const [from, to] = [before, after].map((row) => stages.find((stage) => stage.id === row.funnelStageId))
  const isUndo = after.stageEnteredAt < at
  if (isUndo)
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
      fromEnteredAt: isUndo ? null : before.stageEnteredAt,
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

/** Writes a reason that was added or corrected later to the last move, which is the loss. */
export async function correctReason(tx: Db, { id, lostReason }: Row) {
  await tx.execute(sql`
    update contact_stage_history set lost_reason = ${lostReason}
    where id = ${lastMoveOf(id)}`)
}

/** Why this lost reason is not allowed for a stage, or null if it is. */
export async function problemOfReason(tx: Db, stageId: string, lostReason: string | null): Promise<string | null> {
  if (lostReason === null) return null
  const stage = (await listStages(tx)).find(({ id }) => id === stageId)
  return stage?.kind === 'lost' ? null : 'Only lost leads have a lost reason'
}

const movesOf = prepared((db) =>
  db
    .select()
    .from(stageHistory)
    .where(eq(stageHistory.contactId, sql.placeholder('id')))
    .orderBy(asc(stageHistory.changedAt), asc(stageHistory.id))
    .prepare('stage-moves'),
)

/** The stage moves of a contact, oldest first, or null for an unknown contact. */
export const stageHistoryOf = (scope: Scope, id: string) => readOfPatient(scope, 'stage-history', id, movesOf(scope.db).execute({ id }))
