import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { ledgerEntries } from '../collections/table.ts'
import { automaticPayments, instalmentCharges } from './table.ts'

type Consent = Omit<typeof automaticPayments.$inferInsert, 'id' | 'endedAt' | 'endedBy'>

const isOpen = (contactId: string) => and(eq(automaticPayments.contactId, contactId), isNull(automaticPayments.endedAt))

/** Keeps a patient's consent to automatic payments, in place of an earlier one. The caller has locked the patient. */
export async function beginAutomatic(tx: Db, scope: Scope, consent: Consent): Promise<void> {
  await tx.update(automaticPayments).set({ endedAt: scope.now() }).where(isOpen(consent.contactId))
  const [row] = await tx.insert(automaticPayments).values(consent).returning({ id: automaticPayments.id })
  const { contactId } = consent
  await recordChange(tx, scope, { action: 'created', kind: 'automatic payment', contactIds: [contactId], after: { id: row!.id } })
  await addInteraction(tx, scope, {
    contactId,
    type: 'contact_updated',
    description: 'The patient agreed to automatic payment of instalments',
  })
}

/** Ends a patient's automatic payments, for the patient or for staff. Idempotent. Instalments that were announced are not charged. */
export async function endAutomatic(tx: Db, scope: Scope, contactId: string): Promise<void> {
  const now = scope.now()
  const ended = await tx
    .update(automaticPayments)
    .set({ endedAt: now, endedBy: scope.actor?.id ?? null })
    .where(isOpen(contactId))
    .returning({ id: automaticPayments.id })
  if (ended.length === 0) return
  await tx
    .update(instalmentCharges)
    .set({ status: 'skipped', updatedAt: now })
    .where(and(eq(instalmentCharges.contactId, contactId), eq(instalmentCharges.status, 'announced')))
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'automatic payment',
    contactIds: [contactId],
    after: { ids: ended.map(({ id }) => id), endedAt: now },
  })
  const by = scope.actor ? 'stopped' : 'stopped by the patient'
  await addInteraction(tx, scope, { contactId, type: 'contact_updated', description: `Automatic payment of instalments ${by}` })
  await publish(tx, 'contact', contactId)
}

/** Whether a patient's instalments are charged automatically. */
export const isAutomatic = async (db: Db, contactId: string): Promise<boolean> =>
  (await db.$count(automaticPayments, isOpen(contactId))) > 0

/** The patient's charges that are paid in instalments. */
export async function chargesInInstalments(db: Db, contactId: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.contactId, contactId), eq(ledgerEntries.kind, 'charge'), isNotNull(ledgerEntries.plan)))
  return new Set(rows.map(({ id }) => id))
}

const shownAttempts = 50

async function readAutomatic(db: Db, contactId: string) {
  const [[consent], charges] = await Promise.all([
    db.select().from(automaticPayments).where(isOpen(contactId)).orderBy(desc(automaticPayments.consentedAt)).limit(1),
    db
      .select()
      .from(instalmentCharges)
      .where(
        and(
          eq(instalmentCharges.contactId, contactId),
          inArray(instalmentCharges.status, ['announced', 'charging', 'processing', 'paid', 'declined']),
        ),
      )
      .orderBy(desc(instalmentCharges.createdAt), desc(instalmentCharges.id))
      .limit(shownAttempts),
  ])
  return { consent: consent ? { text: consent.consentText, givenAt: consent.consentedAt } : null, charges }
}

/** A patient's consent to automatic payments, with the latest attempts. Null: patient not found. */
export const listAutomatic = (scope: Scope, contactId: string) =>
  readOfPatient(scope, 'automatic payment', contactId, readAutomatic(scope.db, contactId))

/** Ends automatic payments because the patient asks staff for it. Null: patient not found. */
export async function stopAutomatic(scope: Scope, contactId: string) {
  await scope.db.transaction((tx) => endAutomatic(tx, scope, contactId))
  return listAutomatic(scope, contactId)
}
