import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { emailsOf, withdrawEntries, writeColumns } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { type ConsentState, maxEntries } from './contract.ts'
import { type ConsentSource, expiryOf, isWithdrawn, liveBasis, type WithdrawalSource } from './rules.ts'
import { consents } from './table.ts'

/** Matches addresses whose owner unsubscribed or reported an email as spam. */
export const isOptedOut = or(isNotNull(suppressedAddresses.unsubscribedAt), eq(suppressedAddresses.reason, 'complaint'))

/** All consent entries of these patients, including ended ones. */
const allEntries = (db: Db, contactIds: readonly string[]) =>
  db
    .select()
    .from(consents)
    .where(inArray(consents.contactId, [...contactIds]))

/**
 * Whether a patient withdrew and has not given express consent since. With several records: whether any withdrew and none has consent given
 * since.
 */
export const hasWithdrawn = async (db: Db, { now }: Pick<Scope, 'now'>, contactIds: readonly string[]): Promise<boolean> =>
  isWithdrawn(await allEntries(db, contactIds), now())

/** The patient's consent and its history. Null: the patient does not exist. */
export async function getConsentState(db: Db, scope: Scope, contactId: string): Promise<ConsentState | null> {
  const addresses = await emailsOf(db, contactId)
  if (!addresses) return null
  const isTheirs = eq(consents.contactId, contactId)
  const entries = await db.select().from(consents).where(isTheirs).orderBy(desc(consents.givenAt), desc(consents.id)).limit(maxEntries)
  const suppressed = await db
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(and(inArray(suppressedAddresses.address, addresses.map(addressKey)), isOptedOut))
  const unsubscribed = suppressed.map(({ address }) => address)
  return {
    live: liveBasis(await allEntries(db, [contactId]), scope.now()),
    entries,
    unsubscribed: addresses.filter((address) => unsubscribed.includes(addressKey(address))),
  }
}

export async function lockContact(tx: Db, id: string) {
  const [row] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('update')
  return row ?? null
}

/**
 * Ends a patient's consent on every basis. `timelineText`: an entry to add even if there was nothing left to end. Returns false if the
 * patient does not exist.
 */
export async function endConsent(
  tx: Db,
  scope: Scope,
  contactId: string,
  source: WithdrawalSource,
  timelineText?: string,
): Promise<boolean> {
  const contact = await lockContact(tx, contactId)
  if (!contact) return false
  const ended = await withdrawEntries(tx, scope, [contactId], source)
  if (ended === 0 && !(await hasWithdrawn(tx, scope, [contactId]))) {
    const now = scope.now()
    const by = scope.actor?.id ?? null
    const withdrawal = { withdrawnAt: now, withdrawnBy: by, withdrawalSource: source }
    await tx.insert(consents).values({ contactId, basis: 'none', source: 'record', givenAt: now, givenBy: by, ...withdrawal })
  }
  if (ended > 0 || contact.consentToCommunicate || timelineText)
    await addTimelineEntry(tx, scope, contactId, timelineText ?? 'Consent to commercial email withdrawn')
  if (ended > 0) await recordChange(tx, scope, { action: 'changed', kind: 'consent', contactIds: [contactId], after: { ended, source } })
  if (contact.consentToCommunicate) await writeColumns(tx, scope, contact, { consentToCommunicate: false })
  else await publish(tx, 'contact', contactId)
  return true
}

export const addTimelineEntry = (tx: Db, scope: Scope, contactId: string, description: string) =>
  addInteraction(tx, scope, { contactId, type: 'contact_updated', description })

type Implied = { contactId: string; basis: 'inquiry' | 'purchase'; source: ConsentSource; givenAt: Date; givenBy?: string | null }

/**
 * Adds the time-limited consent implied by an inquiry or a purchase, in the caller's transaction. Does nothing if the patient has
 * withdrawn: then only express consent allows commercial email again.
 */
export async function addImpliedConsent(tx: Db, scope: Scope, implied: Implied): Promise<void> {
  if (!(await hasWithdrawn(tx, scope, [implied.contactId]))) await addFirstConsents(tx, scope, [implied])
}

/** Adds implied consent of new patients, who have not withdrawn. */
export async function addFirstConsents(tx: Db, scope: Scope, implied: readonly Implied[]): Promise<void> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const rows = implied.map(({ givenBy = null, ...one }) => ({ ...one, givenBy, expiresAt: expiryOf(one.basis, one.givenAt, zone) }))
  await tx.execute(sql`
    insert into consents (contact_id, basis, source, given_at, given_by, expires_at)
    select "contactId", basis, source, "givenAt", "givenBy", "expiresAt"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as entry("contactId" uuid, basis text, source text, "givenAt" timestamptz, "givenBy" uuid, "expiresAt" timestamptz)`)
}

/** Whether commercial email may be sent to this address of a patient now. An unknown recipient has no consent. */
export async function mayReceiveCommercialEmail(
  tx: Db,
  { now }: Pick<Scope, 'now'>,
  { contactId, address }: { contactId: string | null; address: string },
): Promise<boolean> {
  if (contactId === null) return false
  const [suppressed] = await tx
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.address, addressKey(address)))
  if (suppressed) return false
  return liveBasis(await allEntries(tx, [contactId]), now()) !== null
}
