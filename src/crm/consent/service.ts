import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { emailsOf, phonesOf, writeColumns, writeExpress } from '../contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import type { ConsentState } from './contract.ts'
import { addTimelineEntry, consentTo, endConsent, getConsentState, lockContact, numbersOf } from './ledger.ts'
import { type ConsentChannel, consentChannels, type ConsentWay } from './rules.ts'
import { consents } from './table.ts'

export { addFirstConsents, addImpliedConsent, channelsGiven, endConsent, hasWithdrawn, mayReceiveCommercial } from './ledger.ts'
export { unsubscribeLink } from './link.ts'
export { isUnsubscribed, unsubscribe, unsubscribeAddress } from './unsubscribe.ts'

/** The patient's consent and its history; the view is audited. Null: the patient does not exist. */
export async function getConsent(scope: Scope, contactId: string): Promise<ConsentState | null> {
  await scope.recordView({ kind: 'consent', contactIds: [contactId] })
  return getConsentState(scope.db, scope, contactId)
}

type Given = { id: string; wording: string; way: ConsentWay; channels: readonly ConsentChannel[] }

/**
 * Records a patient's express consent to each channel, once per wording and way. Also resubscribes the patient's addresses of the channel:
 * someone who consents again has changed their mind about unsubscribing. A phone that answered STOP still gets no texts until it sends START.
 */
export async function recordConsent(scope: Scope, { id, wording, way, channels }: Given): Promise<ConsentState | null> {
  return scope.db.transaction(async (tx) => {
    const contact = await lockContact(tx, id)
    if (!contact) return null
    const existing = await tx
      .select({ channel: consents.channel })
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
    const added = consentChannels.filter((channel) => channels.includes(channel) && !existing.some((entry) => entry.channel === channel))
    for (const channel of added) {
      await writeExpress(tx, scope, [id], { channel, source: way, wording })
      await recordChange(tx, scope, {
        action: 'created',
        kind: 'consent',
        contactIds: [id],
        after: { channel, basis: 'express', source: way, wording },
      })
    }
    if (added.length > 0) await addTimelineEntry(tx, scope, id, `${consentTo(added)} recorded`)
    await resubscribe(tx, id, channels)
    if (channels.includes('email') && !contact.consentToCommunicate) await writeColumns(tx, scope, contact, { consentToCommunicate: true })
    else await publish(tx, 'contact', id)
    return getConsentState(tx, scope, id)
  })
}

async function resubscribe(tx: Db, contactId: string, channels: readonly ConsentChannel[]): Promise<void> {
  const emails = channels.includes('email') ? ((await emailsOf(tx, contactId)) ?? []) : []
  const phones = channels.includes('text') ? ((await phonesOf(tx, contactId)) ?? []) : []
  const isTheirs = inArray(suppressedAddresses.address, [...emails.map(addressKey), ...numbersOf(phones)])
  await tx.delete(suppressedAddresses).where(and(isTheirs, isNull(suppressedAddresses.reason)))
  await tx.update(suppressedAddresses).set({ unsubscribedAt: null }).where(isTheirs)
}

/** Withdraws consent to these channels on every basis at the patient's request. Null: the patient does not exist. */
export async function withdrawConsent(scope: Scope, { id, channels }: Pick<Given, 'id' | 'channels'>): Promise<ConsentState | null> {
  staff(scope)
  return scope.db.transaction(async (tx) => {
    if (!(await endConsent(tx, scope, id, 'asked', { channels }))) return null
    return getConsentState(tx, scope, id)
  })
}
