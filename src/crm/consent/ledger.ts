import { and, desc, eq, inArray, isNotNull, or } from 'drizzle-orm'
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

/** Whether the owner of an address has said so, be it by calling a mail spam. */
export const wantsNone = or(isNotNull(suppressedAddresses.unsubscribedAt), eq(suppressedAddresses.reason, 'complaint'))

/** Everything that was ever written down about these patients' consent. */
const allEntries = (db: Db, contactIds: readonly string[]) =>
  db
    .select()
    .from(consents)
    .where(inArray(consents.contactId, [...contactIds]))

/** Whether a patient withdrew and hasn't given express consent since; of several records, whether any of them did and none has consent since. */
export const hasWithdrawn = async (db: Db, { now }: Pick<Scope, 'now'>, contactIds: readonly string[]): Promise<boolean> =>
  isWithdrawn(await allEntries(db, contactIds), now())

/** Null: there is no such patient. */
export async function stateOf(db: Db, scope: Scope, contactId: string): Promise<ConsentState | null> {
  const addresses = await emailsOf(db, contactId)
  if (!addresses) return null
  const isTheirs = eq(consents.contactId, contactId)
  const entries = await db.select().from(consents).where(isTheirs).orderBy(desc(consents.givenAt), desc(consents.id)).limit(maxEntries)
  const suppressed = await db
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(and(inArray(suppressedAddresses.address, addresses.map(addressKey)), wantsNone))
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
 * Ends every basis of a patient. False: there is no such patient. `told`: what the timeline says, although there was nothing left to end.
 */
export async function endConsent(tx: Db, scope: Scope, contactId: string, source: WithdrawalSource, told?: string): Promise<boolean> {
  const contact = await lockContact(tx, contactId)
  if (!contact) return false
  const ended = await withdrawEntries(tx, scope, [contactId], source)
  if (ended === 0 && !(await hasWithdrawn(tx, scope, [contactId]))) {
    const now = scope.now()
    const by = scope.actor?.id ?? null
    const withdrawal = { withdrawnAt: now, withdrawnBy: by, withdrawalSource: source }
    await tx.insert(consents).values({ contactId, basis: 'none', source: 'record', givenAt: now, givenBy: by, ...withdrawal })
  }
  if (ended > 0 || contact.consentToCommunicate || told) await tell(tx, scope, contactId, told ?? 'Consent to commercial email withdrawn')
  if (ended > 0) await recordChange(tx, scope, { action: 'changed', kind: 'consent', contactIds: [contactId], after: { ended, source } })
  if (contact.consentToCommunicate) await writeColumns(tx, scope, contact, { consentToCommunicate: false })
  else await publish(tx, 'contact', contactId)
  return true
}

export const tell = (tx: Db, scope: Scope, contactId: string, description: string) =>
  addInteraction(tx, scope, { contactId, type: 'contact_updated', description })

type Implied = { contactId: string; basis: 'inquiry' | 'purchase'; source: ConsentSource; givenAt: Date; givenBy?: string | null }

/**
 * An inquiry or a purchase implies consent for a time, unless the patient has withdrawn: then only express consent allows commercial email again.
 * Written in the transaction of what implies it.
 */
export async function addImpliedConsent(
  tx: Db,
  scope: Scope,
  { contactId, basis, source, givenAt, givenBy = null }: Implied,
): Promise<void> {
  if (await hasWithdrawn(tx, scope, [contactId])) return
  const expiresAt = expiryOf(basis, givenAt, scope.env.PRACTICE_TIME_ZONE)
  await tx.insert(consents).values({ contactId, basis, source, givenAt, givenBy, expiresAt })
}

/** Whether commercial email may go to this address of a patient at this moment. Of someone unknown there is no consent. */
export async function mayMailCommercially(
  tx: Db,
  { now }: Pick<Scope, 'now'>,
  { contactId, address }: { contactId: string | null; address: string },
): Promise<boolean> {
  if (contactId === null) return false
  const [stopped] = await tx
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.address, addressKey(address)))
  if (stopped) return false
  return liveBasis(await allEntries(tx, [contactId]), now()) !== null
}
