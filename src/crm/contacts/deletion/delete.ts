import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { deletedTables, deletionsOf, withClinicalRecord } from '../../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { slot } from '../../../kernel/slot.ts'
import { recordChanges } from '../../../platform/audit/service.ts'
import { announceContacts } from '../list/bulk.ts'
import { auditable } from '../rules.ts'
import { contacts, storedRow } from '../table.ts'

/**
 * Deletes patients with all their data, in the caller's transaction (spec 7). Keeps every row under `deletionId` for restoreContacts; null
 * deletes permanently. Skips those who have to be kept (`reasonsToKeep`). Returns the ids of the deleted patients.
 */
export async function deleteContacts(tx: Db, scope: Scope, wanted: readonly string[], deletionId: string | null): Promise<string[]> {
  // Locked in the same order as in merges, to avoid deadlocks.
  const locked = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...wanted]))
    .orderBy(contacts.id)
    .for('update')
  const kept = await reasonsToKeep(tx, scope, wanted)
  const rows = locked.filter(({ id }) => !kept.has(id))
  if (rows.length === 0) return []
  const deletedIds = rows.map(({ id }) => id)
  const ids = sql`${sql.param(deletedIds)}::uuid[]`
  const keep = (place: string, from: SQL) => sql`
    insert into deleted_contact_rows (deletion_id, contact_id, place, row, deleted_at)
    select ${deletionId}::uuid, owner, ${place}, row, ${scope.now().toISOString()}::timestamptz from ${from}`

  if (deletionId !== null) for (const [place, column] of named) await tx.execute(keep(place, namesOf(place, column, ids)))
  // Rows that nothing else refers to are deleted first.
  for (const declared of deletedTables().toReversed())
    for (const deletion of deletionsOf(declared, { table: 'contacts', ids })) {
      const keeping = sql`with gone as (${deletion} returning theirs.owner, ${storedRow('mine')} as row) ${keep(declared.table, sql`gone`)}`
      await tx.execute(deletionId === null ? deletion : keeping)
    }
  await recordChanges(
    tx,
    scope,
    rows.map((row) => ({ action: 'deleted' as const, kind: 'contact', contactIds: [row.id], before: auditable(row) })),
  )
  await announceContacts(tx, deletedIds)
  return deletedIds
}

/** Tables with rows that can be deleted while a patient refers to them; the patient keeps the name as text. */
const named = [
  ['procedures', 'procedure_of_interest'],
  ['lead_sources', 'lead_source'],
] as const

const namesOf = (place: string, column: string, ids: SQL): SQL => sql`(
  select contacts.id as owner, jsonb_build_object('name', named.name) as row
  from contacts join ${sql.identifier(place)} as named on named.id = ${sql.identifier(column)} where contacts.id = any(${ids})) as names`

type ReasonToKeep = 'OWES' | 'PREPAID' | 'CHARTED'

/**
 * Why some of these patients can't be deleted: their receivables would be lost, or what they have prepaid, or they have a clinical record and the actor
 * is not an administrator (decision "chart-retention").
 */
export async function reasonsToKeep(
  tx: Db,
  scope: Pick<Scope, 'actor' | 'now' | 'env'>,
  ids: readonly string[],
): Promise<Map<string, ReasonToKeep>> {
  const { actor } = scope
  const reasons = new Map<string, ReasonToKeep>()
  if (actor && actor.role !== 'admin') {
    const { rows } = await tx.execute<{ id: string }>(withClinicalRecord(sql`${sql.param([...ids])}::uuid[]`))
    for (const { id } of rows) reasons.set(id, 'CHARTED')
  }
  for (const id of await prepaidAmong(tx, scope, ids)) reasons.set(id, 'PREPAID')
  for (const id of await outstandingAmong(tx, ids)) reasons.set(id, 'OWES')
  return reasons
}

/** The ids of these patients with an outstanding balance. Billing fills this slot. */
export const outstandingAmong = slot<(tx: Db, ids: readonly string[]) => Promise<Set<string>>>('outstandingAmong')

/** The ids of these patients with a package, store credit or a deposit that was not used. Billing fills this slot. */
export const prepaidAmong =
  slot<(tx: Db, scope: Pick<Scope, 'now' | 'env'>, ids: readonly string[]) => Promise<Set<string>>>('prepaidAmong')

/** Deletes a patient permanently, unless they have to be kept. Returns null for an unknown patient. */
export const deleteContact = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    if ((await deleteContacts(tx, scope, [id], null)).length > 0) return true
    const [existing] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id))
    return existing ? refuse((await reasonsToKeep(tx, scope, [id])).get(id)!) : null
  })
