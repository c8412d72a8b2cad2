import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChanges } from '../../platform/audit/service.ts'
import type { CallOutcome, InteractionType } from './contract.ts'
import { interactions } from './table.ts'

type NewEntry = {
  id?: string
  contactId: string
  type: InteractionType
  description: string
  date: Date
  createdBy: string | null
  outcome?: CallOutcome | null
  metadata?: Record<string, unknown>
}

/** Adds different entries to many patients' timelines in one statement. The caller publishes the changes. */
export async function addEntries(tx: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.execute(sql`
    insert into interactions (id, contact_id, type, description, date, created_by, outcome, metadata)
    select coalesce(id, uuidv7()), "contactId", type, description, date, "createdBy", outcome, metadata
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry(id uuid, "contactId" uuid, type text, description text,
      date timestamptz, "createdBy" uuid, outcome text, metadata jsonb)`)
}

/** A change of a patient's last contact date, for undo. */
export type LastContactChange = { contactId: string; before: string | null; after: string }

/**
 * Adds past entries with given ids, as if they had been logged at the time: calls, emails and meetings update the patient's last contact
 * date. Returns the changed dates for undo.
 */
export async function addPastEntries(
  tx: Db,
  scope: Scope,
  entries: readonly (NewEntry & { id: string; type: 'call' | 'note' | 'email' | 'meeting' })[],
): Promise<LastContactChange[]> {
  await addEntries(tx, entries)
  await recordChanges(
    tx,
    scope,
    entries.map(({ id, contactId, type, createdBy }) => ({
      action: 'created' as const,
      kind: 'interaction',
      contactIds: [contactId],
      after: { id, type, by: createdBy },
    })),
  )
  const contacts = entries.filter(({ type }) => type !== 'note')
  // Future dates do not count as contact yet. Patients are locked in the same order as by merges and bulk changes.
  const { rows } = await tx.execute<{ id: string; before: string | null; after: string }>(sql`
    with latest as (
      select "contactId" as id, max(least(date, ${scope.now().toISOString()}::timestamptz)) as date
      from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as entry("contactId" uuid, date timestamptz) group by 1
    ), moved as (
      select contacts.id, contacts.last_contact_date as before, latest.date as after from contacts join latest on latest.id = contacts.id
      where contacts.last_contact_date is null or contacts.last_contact_date < latest.date
      order by contacts.id for update of contacts
    )
    update contacts set last_contact_date = moved.after from moved where contacts.id = moved.id
    returning contacts.id, to_json(moved.before)#>>'{}' as before, to_json(moved.after)#>>'{}' as after`)
  return rows.map(({ id, before, after }) => ({ contactId: id, before, after }))
}

/**
 * Deletes entries except those pinned since. Returns the descriptions of pinned ones, which are kept, and the ids that no longer existed.
 */
export async function removeEntries(
  tx: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<{ pinned: Map<string, string>; gone: Set<string> }> {
  const rows = await tx
    .select()
    .from(interactions)
    .where(inArray(interactions.id, [...ids]))
    .orderBy(interactions.id)
    .for('update')
  const removed = rows.filter(({ pinnedAt }) => pinnedAt === null)
  await tx.delete(interactions).where(
    inArray(
      interactions.id,
      removed.map(({ id }) => id),
    ),
  )
  await recordChanges(
    tx,
    scope,
    removed.map(({ id, contactId, type, createdBy }) => ({
      action: 'deleted' as const,
      kind: 'interaction',
      contactIds: [contactId],
      before: { id, type, by: createdBy },
    })),
  )
  const existing = new Set(rows.map(({ id }) => id))
  return {
    pinned: new Map(rows.filter(({ pinnedAt }) => pinnedAt !== null).map(({ id, description }) => [id, description])),
    gone: new Set(ids.filter((id) => !existing.has(id))),
  }
}

/** Restores patients' last contact dates if they are still as one of these changes set them. For each patient the first change decides. */
export async function revertLastContact(tx: Db, moves: readonly LastContactChange[]): Promise<void> {
  await tx.execute(sql`
    with move as (
      select "contactId" as id, before, after, place from rows from (
        jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as ("contactId" uuid, before timestamptz, after timestamptz)
      ) with ordinality as move("contactId", before, after, place)
    )
    update contacts set last_contact_date = (select before from move where move.id = contacts.id order by place limit 1)
    where id in (select id from move) and last_contact_date in (select after from move where move.id = contacts.id)`)
}
