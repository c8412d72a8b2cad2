import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
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
 * Puts a mail that someone sends on the patient's timeline, in the transaction that queues it. `again`: it is there already, and nothing is
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

/** That a mail which stands on the timeline was not taken, so that no one believes it to have arrived. `id`: of its entry, whoever sees which sees this. */
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

export type Correspondence = { id: string; description: string; date: Date; isSent: boolean; metadata: Record<string, unknown> }

/**
 * Puts mails of a thread on the patient's timeline, each once by its id, whenever that is. Those that the clinic wrote move the last contact
 * forward. Answers how many are new.
 */
export async function addCorrespondence(tx: Db, contactId: string, by: string, mails: readonly Correspondence[]): Promise<number> {
  if (mails.length === 0) return 0
  const rows = mails.map(({ isSent, ...mail }) => ({ ...mail, contactId, type: 'email' as const, createdBy: isSent ? by : null }))
  const added = await tx
    .insert(interactions)
    .values(rows)
    .onConflictDoNothing({ target: interactions.id })
    .returning({ id: interactions.id })
  const sent = mails.filter(({ id, isSent }) => isSent && added.some((row) => row.id === id)).map(({ date }) => date.getTime())
  if (sent.length > 0) {
    const last = new Date(Math.max(...sent)).toISOString()
    await tx
      .update(contacts)
      .set({ lastContactDate: sql`greatest(${contacts.lastContactDate}, ${last}::timestamptz)` })
      .where(eq(contacts.id, contactId))
  }
  if (added.length > 0) await publish(tx, 'contact', contactId)
  return added.length
}

/** Takes the mails of a thread off the timeline again. */
export async function removeCorrespondence(tx: Db, contactId: string, linkId: string): Promise<void> {
  const isOfIt = and(
    eq(interactions.contactId, contactId),
    eq(interactions.type, 'email'),
    sql`${interactions.metadata}->>'linkId' = ${linkId}`,
  )
  await tx.delete(interactions).where(isOfIt)
  await publish(tx, 'contact', contactId)
}
