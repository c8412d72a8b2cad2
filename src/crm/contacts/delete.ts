import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { deletedTables, deletionsOf } from '../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { recordChanges } from '../../platform/audit/service.ts'
import { announceContacts } from './list/many.ts'
import { auditable } from './rules.ts'
import { contacts, storedRow } from './table.ts'

/**
 * Deletes patients with all that belongs to them, in the caller's transaction (spec 7). Every row is kept under `deletionId` for
 * restoreContacts; with null, permanently. Who owes money stays. Answers who was deleted.
 */
export async function deleteContacts(tx: Db, scope: Scope, wanted: readonly string[], deletionId: string | null): Promise<string[]> {
  // Locked in one order, as merges lock them.
  const locked = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...wanted]))
    .orderBy(contacts.id)
    .for('update')
  const owing = await outstandingAmong(tx, wanted)
  const rows = locked.filter(({ id }) => !owing.has(id))
  if (rows.length === 0) return []
  const gone = rows.map(({ id }) => id)
  const ids = sql`${sql.param(gone)}::uuid[]`
  const keep = (place: string, from: SQL) => sql`
    insert into deleted_contact_rows (deletion_id, contact_id, place, row, deleted_at)
    select ${deletionId}::uuid, owner, ${place}, row, ${scope.now().toISOString()}::timestamptz from ${from}`

  if (deletionId !== null) for (const [place, column] of named) await tx.execute(keep(place, namesOf(place, column, ids)))
  // What nothing refers to any more goes first.
  for (const declared of deletedTables().toReversed())
    for (const deletion of deletionsOf(declared, { table: 'contacts', ids })) {
      const kept = sql`with gone as (${deletion} returning theirs.owner, ${storedRow('mine')} as row) ${keep(declared.table, sql`gone`)}`
      await tx.execute(deletionId === null ? deletion : kept)
    }
  await recordChanges(
    tx,
    scope,
    rows.map((row) => ({ action: 'deleted' as const, kind: 'contact', contactIds: [row.id], before: auditable(row) })),
  )
  await announceContacts(tx, gone)
  return gone
}

/** What may be deleted while a patient refers to it, and leaves them its name. */
const named = [
  ['procedures', 'procedure_of_interest'],
  ['lead_sources', 'lead_source'],
] as const

const namesOf = (place: string, column: string, ids: SQL): SQL => sql`(
  select contacts.id as owner, jsonb_build_object('name', named.name) as row
  from contacts join ${sql.identifier(place)} as named on named.id = ${sql.identifier(column)} where contacts.id = any(${ids})) as names`

/** Those of these patients who owe money: they are not deleted. Billing knows. */
export const outstandingAmong = slot<(tx: Db, ids: readonly string[]) => Promise<Set<string>>>('outstandingAmong')

/** Deletes a patient permanently, unless they owe money. Null: there is none. */
export const deleteContact = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    if ((await deleteContacts(tx, scope, [id], null)).length > 0) return true
    const [still] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id))
    return still ? refuse('OWES') : null
  })
