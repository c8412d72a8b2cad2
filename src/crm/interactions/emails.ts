import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { interactions } from './table.ts'

type SentEmail = {
  /** The idempotency key of the request; one entry is added per key. */
  id: string
  contactId: string
  description: string
  /** `about: 'payment'` hides the entry from roles that can't see payments. */
  metadata: { about?: 'payment' } & Record<string, unknown>
}

/**
 * Adds an email sent by staff, or by a job, to the patient's timeline, in the transaction that queues it. `exists`: it was added before, so nothing is to
 * be sent. `key-reused`: the key belongs to a different entry.
 */
export async function addSentEmail(tx: Db, scope: Scope, mailed: SentEmail): Promise<'added' | 'exists' | 'key-reused'> {
  const { id, contactId, description } = mailed
  const by = scope.actor?.id ?? null
  const [row] = await tx
    .insert(interactions)
    .values({ ...mailed, type: 'email', date: scope.now(), createdBy: by })
    .onConflictDoNothing({ target: interactions.id })
    .returning({ id: interactions.id })
  if (!row) {
    const isSameEmail = and(eq(interactions.id, id), eq(interactions.type, 'email'), eq(interactions.description, description))
    const [existing] = await tx.select({ id: interactions.id }).from(interactions).where(isSameEmail)
    return existing ? 'exists' : 'key-reused'
  }
  await tx
    .update(contacts)
    .set({ lastContactDate: sql`greatest(${contacts.lastContactDate}, ${scope.now().toISOString()}::timestamptz)` })
    .where(eq(contacts.id, contactId))
  await recordChange(tx, scope, { action: 'created', kind: 'interaction', contactIds: [contactId], after: { id, type: 'email', by } })
  await publish(tx, 'contact', contactId)
  return 'added'
}

/** Adds an entry that an email on the timeline could not be delivered. It is visible to the same roles as the email's entry, `id`. */
export async function addDeliveryFailure(scope: Scope, id: string, description: string): Promise<void> {
  await scope.db.transaction(async (tx) => {
    // A merge may have moved the entry to another patient.
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
 * Adds the emails of a thread to the patient's timeline, once per id. Emails sent by the clinic update the last contact date. Returns how
 * many were new.
 */
export async function addCorrespondence(tx: Db, contactId: string, by: string, emails: readonly Correspondence[]): Promise<number> {
  if (emails.length === 0) return 0
  const rows = emails.map(({ isSent, ...email }) => ({ ...email, contactId, type: 'email' as const, createdBy: isSent ? by : null }))
  const added = await tx
    .insert(interactions)
    .values(rows)
    .onConflictDoNothing({ target: interactions.id })
    .returning({ id: interactions.id })
  const sent = emails.filter(({ id, isSent }) => isSent && added.some((row) => row.id === id)).map(({ date }) => date.getTime())
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

/** Removes the emails of a thread from the timeline. */
export async function removeCorrespondence(tx: Db, contactId: string, linkId: string): Promise<void> {
  const isInThread = and(
    eq(interactions.contactId, contactId),
    eq(interactions.type, 'email'),
    sql`${interactions.metadata}->>'linkId' = ${linkId}`,
  )
  await tx.delete(interactions).where(isInThread)
  await publish(tx, 'contact', contactId)
}
