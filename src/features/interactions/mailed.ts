import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import { type Scope, staff } from '../../server/scope.ts'
import { recordChange } from '../audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { interactions } from './table.ts'

type Mailed = {
  /** The key under which it was asked for: the same key writes once. */
  id: string
  contactId: string
  description: string
  /** `about`: 'payment' keeps it from those who see none. */
  metadata: { about?: 'payment' } & Record<string, unknown>
}

/**
 * Puts a mail that somebody sends on the patient's timeline, in the transaction that queues it. `again`: it is there already, and nothing is
 * to be sent. `key-reused`: the key belongs to something else.
 */
export async function addMailed(tx: Db, scope: Scope, mailed: Mailed): Promise<'added' | 'again' | 'key-reused'> {
  const { id, contactId, description } = mailed
  const by = staff(scope).id
  const [row] = await tx
    .insert(interactions)
    .values({ ...mailed, type: 'email', date: scope.now(), createdBy: by })
    .onConflictDoNothing({ target: interactions.id })
    .returning({ id: interactions.id })
  if (!row) {
    const isIt = and(eq(interactions.id, id), eq(interactions.type, 'email'), eq(interactions.description, description))
    const [known] = await tx.select({ id: interactions.id }).from(interactions).where(isIt)
    return known ? 'again' : 'key-reused'
  }
  await tx
    .update(contacts)
    .set({ lastContactDate: sql`greatest(${contacts.lastContactDate}, ${scope.now().toISOString()}::timestamptz)` })
    .where(eq(contacts.id, contactId))
  await recordChange(tx, scope, { action: 'created', kind: 'interaction', contactIds: [contactId], after: { id, type: 'email', by } })
  await publish(tx, 'contact', contactId)
  return 'added'
}

/** That a mail which stands on the timeline was not taken, so that nobody believes it to have arrived. `id`: of its entry, whoever sees which sees this. */
export async function addUndelivered(scope: Scope, id: string, description: string): Promise<void> {
  await scope.db.transaction(async (tx) => {
    // Whose it is now: a merge may have moved it.
    const [entry] = await tx
      .select({ contactId: interactions.contactId, metadata: interactions.metadata })
      .from(interactions)
      .where(eq(interactions.id, id))
    if (!entry) return
    await tx.insert(interactions).values({ ...entry, type: 'email', description, date: scope.now(), createdBy: null })
    await publish(tx, 'contact', entry.contactId)
  })
}
