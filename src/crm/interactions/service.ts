import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import type { CallOutcome, InteractionType } from './contract.ts'
import { visibleTypes } from './policy.ts'
import { interactions } from './table.ts'
import { matchesVisibleTasks, matchesVisibleTypes } from './visible-entries.ts'

export { addEntries, addPastEntries, type LastContactChange, revertLastContact, removeEntries } from './bulk.ts'
export { addCorrespondence, addSentEmail, addDeliveryFailure, removeCorrespondence } from './emails.ts'

type NewInteraction = Pick<
  typeof interactions.$inferInsert,
  'contactId' | 'type' | 'description' | 'date' | 'createdBy' | 'outcome' | 'metadata'
>

/** Adds an entry to a patient's timeline in the caller's transaction. The caller publishes the change. */
export async function addInteraction(
  tx: Db,
  scope: Scope,
  entry: Omit<NewInteraction, 'createdBy' | 'date'> & { date?: Date | undefined },
) {
  const values = { ...entry, date: entry.date ?? scope.now(), createdBy: scope.actor?.id ?? null }
  const [row] = await tx.insert(interactions).values(values).returning()
  return row!
}

/** A statement that adds an entry to each of these patients' timelines, alone or as a part of another. */
export const insertInteractions = (
  scope: Scope,
  type: InteractionType,
  contactIds: readonly string[],
  descriptions: readonly string[],
): SQL => sql`
    insert into interactions (contact_id, type, description, date, created_by)
    select contact_id, ${type}::text, description, ${scope.now().toISOString()}::timestamptz, ${scope.actor?.id ?? null}::uuid
    from unnest(${sql.param(contactIds)}::uuid[], ${sql.param(descriptions)}::text[]) as entry(contact_id, description)`

/** Adds an entry to each of these patients' timelines. */
export async function addInteractions(
  tx: Db,
  scope: Scope,
  type: InteractionType,
  contactIds: readonly string[],
  descriptions: readonly string[],
): Promise<void> {
  if (contactIds.length > 0) await tx.execute(insertInteractions(scope, type, contactIds, descriptions))
}

/** The latest entries of all patients that the actor may see, newest first (spec 7). */
export async function recentInteractions(scope: Scope, limit: number) {
  const rows = await scope.db
    .select({
      id: interactions.id,
      type: interactions.type,
      description: interactions.description,
      date: interactions.date,
      outcome: interactions.outcome,
      metadata: interactions.metadata,
      contact: { id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName },
    })
    .from(interactions)
    .innerJoin(contacts, eq(contacts.id, interactions.contactId))
    .where(and(matchesVisibleTypes(scope), matchesVisibleTasks(scope)))
    .orderBy(desc(interactions.date), desc(interactions.id))
    .limit(limit)
  const contactIds = [...new Set(rows.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'interaction', contactIds })
  return rows
}

type LoggedInteraction = { type: InteractionType; description: string; outcome?: CallOutcome | undefined; date?: Date | undefined }

/**
 * Logs an entry by staff, of a type that they may see. A call, email or meeting also updates the patient's last contact date. Null: the
 * patient does not exist.
 */
export async function logInteraction(scope: Scope, contactId: string, entry: LoggedInteraction) {
  const actor = staff(scope)
  if (!visibleTypes(actor).includes(entry.type)) return refuse('FORBIDDEN')
  return scope.db.transaction(async (tx) => {
    const date = entry.date ?? scope.now()
    const lastContactDate =
      entry.type === 'note'
        ? sql`${contacts.lastContactDate}`
        : // A future date does not count as contact yet.
          sql`greatest(${contacts.lastContactDate}, least(${date.toISOString()}::timestamptz, ${scope.now().toISOString()}::timestamptz))`
    const [contact] = await tx.update(contacts).set({ lastContactDate }).where(eq(contacts.id, contactId)).returning({ id: contacts.id })
    if (!contact) return null
    const row = await addInteraction(tx, scope, { contactId, ...entry, date })
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'interaction',
      contactIds: [contactId],
      after: { id: row.id, type: row.type, by: actor.id },
    })
    await publish(tx, 'contact', contactId)
    return row
  })
}
