import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../contacts/table.ts'
import type { Move } from './contract.ts'
import { moveTables } from './apply.ts'
import { beginBulkChange, countMovingTo, isMovingFrom } from './start.ts'

const columns = { source: contacts.leadSourceId, procedure: contacts.procedureId } as const

/**
 * Starts moving all patients with a lead source or procedure to another, as a bulk change: in batches in the background, with a timeline
 * entry each, progress, cancellation and undo. INVALID_TARGET: the target is the same one, retired or missing. MOVING: a running change
 * moves patients into the source. ALREADY_MOVING: a running change moves the same patients out of it. Null: the source does not exist.
 */
export async function beginMove(tx: Db, scope: Scope, move: Move) {
  const table = moveTables[move.kind]
  // Locked in id order so that two opposite moves do not deadlock.
  const locked = await tx
    .select({ id: table.id, name: table.name, isActive: table.isActive })
    .from(table)
    .where(inArray(table.id, [move.from, move.to]))
    .orderBy(asc(table.id))
    .for('no key update')
  const [from, to] = [move.from, move.to].map((wanted) => locked.find(({ id }) => id === wanted))
  if (!from) return null
  if (!to?.isActive || to === from) return refuse('INVALID_TARGET')
  // The lock on the source makes these checks safe: a second move waits for the first one to commit.
  if ((await countMovingTo(tx, from.id)) !== null) return refuse('MOVING')
  if (await isMovingFrom(tx, from.id)) return refuse('ALREADY_MOVING')
  const contactIds = tx.select({ id: contacts.id }).from(contacts).where(eq(columns[move.kind], from.id))
  const progress = await beginBulkChange(tx, scope, sql`${contactIds}`, move)
  for (const { id } of [from, to]) await publish(tx, 'vocabulary', id)
  return { progress, names: { from: from.name, to: to.name } }
}
