import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { emailsOf, writeColumns, writeExpress } from '../contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import type { ConsentState } from './contract.ts'
import { endConsent, lockContact, getConsentState, addTimelineEntry } from './ledger.ts'
import type { ConsentWay } from './rules.ts'
import { consents } from './table.ts'

export { addFirstConsents, addImpliedConsent, hasWithdrawn, mayReceiveCommercialEmail } from './ledger.ts'
export { unsubscribeLink } from './link.ts'
export { isUnsubscribed, unsubscribe, unsubscribeAddress } from './unsubscribe.ts'

/** The patient's consent and its history; the view is audited. Null: the patient does not exist. */
export async function getConsent(scope: Scope, contactId: string): Promise<ConsentState | null> {
  await scope.recordView({ kind: 'consent', contactIds: [contactId] })
  return getConsentState(scope.db, scope, contactId)
}

/**
 * Records a patient's express consent, once per wording and way. Also resubscribes the patient's addresses: someone who consents again has
 * changed their mind about unsubscribing.
 */
export async function recordConsent(
  scope: Scope,
  { id, wording, way }: { id: string; wording: string; way: ConsentWay },
): Promise<ConsentState | null> {
  return scope.db.transaction(async (tx) => {
    const contact = await lockContact(tx, id)
    if (!contact) return null
    const [existing] = await tx
      .select({ id: consents.id })
      .from(consents)
      .where(
        and(
          eq(consents.contactId, id),
          eq(consents.basis, 'express'),
          isNull(consents.withdrawnAt),
          eq(consents.wording, wording),
          eq(consents.source, way),
        ),
      )
    if (!existing) {
      await writeExpress(tx, scope, [id], { source: way, wording })
      await addTimelineEntry(tx, scope, id, 'Consent to commercial email recorded')
      await recordChange(tx, scope, {
        action: 'created',
        kind: 'consent',
        contactIds: [id],
        after: { basis: 'express', source: way, wording },
      })
    }
    await resubscribe(tx, id)
    if (!contact.consentToCommunicate) await writeColumns(tx, scope, contact, { consentToCommunicate: true })
    else await publish(tx, 'contact', id)
    return getConsentState(tx, scope, id)
  })
}

async function resubscribe(tx: Db, contactId: string): Promise<void> {
  const addresses = (await emailsOf(tx, contactId)) ?? []
  const isTheirs = inArray(suppressedAddresses.address, addresses.map(addressKey))
  await tx.delete(suppressedAddresses).where(and(isTheirs, isNull(suppressedAddresses.reason)))
  await tx.update(suppressedAddresses).set({ unsubscribedAt: null }).where(isTheirs)
}

/** Withdraws consent on every basis at the patient's request. Null: the patient does not exist. */
export async function withdrawConsent(scope: Scope, id: string): Promise<ConsentState | null> {
  staff(scope)
  return scope.db.transaction(async (tx) => {
    if (!(await endConsent(tx, scope, id, 'asked'))) return null
    return getConsentState(tx, scope, id)
  })
}
