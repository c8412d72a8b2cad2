import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { recordChanges } from '../../platform/audit/service.ts'
import { announceContacts } from './many.ts'
import { appointmentTables, childTables } from './owned-rules.ts'
import { auditable } from './rules.ts'
import { contacts, storedRow } from './table.ts'

/** Rows of one table that go with a patient: `whose` selects patients (as `owner`) with what tells their rows, `mine`. */
type Belongings = { place: string; whose: SQL; isTheirs: SQL }

/** In an order in which nothing that goes is referred to any more. */
function belongings(ids: SQL): Belongings[] {
  const each = sql`select unnest(${ids}) as owner`
  // Anyone who was merged into a patient who is deleted is deleted with them: the snapshots of those merges, and of theirs.
  const merged = sql`
    with recursive merged as (
      select owner, owner as id from (${each}) as each
      union
      select owner, source_id from contact_merges join merged on target_id = merged.id where undone_at is null
    )
    select owner, contact_merges.id from contact_merges join merged on target_id = merged.id`
  const addresses = sql`
    select id as owner, given from contacts, unnest(lower_all(array_append(other_emails, email))) as given
    where id = any(${ids}) and email is not null`
  const conversations = sql`select contact_id as owner, id from conversations where contact_id = any(${ids})`
  const messages = sql`
    select contact_id as owner, messages.id from messages join conversations on conversations.id = conversation_id
    where contact_id = any(${ids})`
  return [
    { place: 'contact_merge_rows', whose: merged, isTheirs: sql`mine.merge_id = whose.id` },
    { place: 'contact_merges', whose: merged, isTheirs: sql`mine.id = whose.id` },
    {
      place: 'task_assignees',
      whose: sql`select contact_id as owner, id from tasks where contact_id = any(${ids})`,
      isTheirs: sql`mine.task_id = whose.id`,
    },
    {
      place: 'surgery_items',
      whose: sql`select contact_id as owner, id from surgeries where contact_id = any(${ids})`,
      isTheirs: sql`mine.surgery_id = whose.id`,
    },
    ...appointmentTables.map((place) => ({
      place,
      whose: sql`select contact_id as owner, id from appointments where contact_id = any(${ids})`,
      isTheirs: sql`mine.appointment_id = whose.id`,
    })),
    { place: 'message_attachments', whose: messages, isTheirs: sql`mine.message_id = whose.id` },
    { place: 'messages', whose: conversations, isTheirs: sql`mine.conversation_id = whose.id` },
    { place: 'conversation_notes', whose: conversations, isTheirs: sql`mine.conversation_id = whose.id` },
    ...childTables.map((place) => ({ place, whose: each, isTheirs: sql`mine.contact_id = whose.owner` })),
    {
      // Lead entries that carry one of the addresses but belong to no one. Those of another contact with the same address stay.
      place: 'lead_entries',
      whose: addresses,
      isTheirs: sql`lower(mine.raw_data->>'email') = whose.given and mine.contact_id is null and mine.status <> 'processing'`,
    },
    { place: 'contacts', whose: each, isTheirs: sql`mine.id = whose.owner` },
  ]
}

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
  for (const { place, whose, isTheirs } of belongings(ids)) {
    const removal = sql`delete from ${sql.identifier(place)} as mine using (${whose}) as whose where ${isTheirs}`
    if (deletionId === null) await tx.execute(removal)
    else
      await tx.execute(sql`
        with gone as (${removal} returning whose.owner, ${storedRow('mine')} as row) ${keep(place, sql`gone`)}`)
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
