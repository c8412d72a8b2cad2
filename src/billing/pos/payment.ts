import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { debtorOf, payCharge } from '../collections/service.ts'
import { consentChannels } from '../../crm/consent/rules.ts'
import { addImpliedConsent } from '../../crm/consent/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { contactOfCustomer } from './contact-link.ts'
import { salesReceipts } from '../payments/table.ts'
import { addEntry, entryOf } from './timeline.ts'

type Row = typeof salesReceipts.$inferSelect

/** What else happens in the transaction in which a complete receipt pays a charge: the financing that it came from is paid. */
export const onChargePaid = slot<(tx: Db, scope: Scope, receipt: Row) => Promise<void>>('onChargePaid')

/**
 * Assigns a complete receipt to its customer's patient, once (`payForPatient`). False: the customer has no email, so no patient can be
 * found or created.
 */
export async function payForCustomer(tx: Db, scope: Scope, row: Row): Promise<boolean> {
  const contactId = await contactOfCustomer(tx, scope, row.customerId)
  if (!contactId) return false
  await payForPatient(tx, scope, row, contactId)
  return true
}

/** Adds a complete receipt to this patient's timeline and pays its charge. Returns the entry, which may already exist. */
export async function payForPatient(tx: Db, scope: Scope, row: Row, contactId: string): Promise<{ id: string }> {
  const [free] = await tx
    .update(salesReceipts)
    .set({ loggedAt: scope.now() })
    .where(and(eq(salesReceipts.id, row.id), isNull(salesReceipts.loggedAt)))
    .returning({ id: salesReceipts.id })
  const known = free ? null : await entryOf(tx, row)
  if (known) return known
  const entry = await addEntry(tx, scope, row, contactId)
  if (row.chargeId) {
    await payCharge(tx, scope, { chargeId: row.chargeId, contactId, receiptId: row.id, createdBy: row.createdBy })
    await onChargePaid(tx, scope, row)
  }
  if (free && row.kind === 'sale') {
    const [givenAt, givenBy] = [row.completedAt ?? scope.now(), row.createdBy]
    await addImpliedConsent(tx, scope, { contactId, channels: consentChannels, basis: 'purchase', source: 'sale', givenAt, givenBy })
  }
  await tx.update(contacts).set({ lastContactDate: scope.now() }).where(eq(contacts.id, contactId))
  await publish(tx, 'contact', contactId)
  return entry
}

/** Finds or creates the patient of a complete receipt, and assigns it. Throws, and so is retried, while there is no patient. */
export const logReceipt = defineJob({
  name: 'pos.log-receipt',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  run: (scope, { id }) =>
    scope.db.transaction(async (tx) => {
      const isReceipt = eq(salesReceipts.id, id)
      const [found] = await tx.select({ chargeId: salesReceipts.chargeId }).from(salesReceipts).where(isReceipt)
      // Locked before the receipt, in the same order as applying a receipt to a charge.
      if (found?.chargeId) await debtorOf(tx, found.chargeId)
      const [row] = await tx.select().from(salesReceipts).where(isReceipt).for('update')
      if (row?.state !== 'complete' || row.loggedAt) return
      if (!(await payForCustomer(tx, scope, row))) throw new Error('The receipt’s customer is not linked to a patient yet')
      await publish(tx, 'receipt', id)
    }),
})
