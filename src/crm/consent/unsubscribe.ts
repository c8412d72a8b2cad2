import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contactsByEmail } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import { endConsent, isOptedOut } from './ledger.ts'
import { subscriberOf } from './link.ts'
import type { WithdrawalSource } from './rules.ts'

export async function isUnsubscribed(db: Db, address: string): Promise<boolean> {
  const [row] = await db
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(and(eq(suppressedAddresses.address, addressKey(address)), isOptedOut))
  return row !== undefined
}

/** Unsubscribes the address of a token; repeated calls change nothing. Returns the address, or null if the token is not one of ours. */
export async function unsubscribe(scope: Scope, token: string): Promise<string | null> {
  const subscriber = subscriberOf(scope.env, token)
  if (!subscriber) return null
  const { contactId, address } = subscriber
  await scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
    // If the patient was merged or deleted: everyone who has the address.
    await unsubscribePatients(tx, scope, address, 'link', contact ? [contact.id] : await idsByEmail(tx, address))
  })
  return address
}

/** Unsubscribes an address for every patient who has it. */
export const unsubscribeAddress = async (tx: Db, scope: Scope, address: string, source: WithdrawalSource): Promise<void> =>
  unsubscribePatients(tx, scope, address, source, await idsByEmail(tx, address))

const idsByEmail = async (tx: Db, address: string) => (await contactsByEmail(tx, address)).map(({ id }) => id).toSorted()

async function unsubscribePatients(
  tx: Db,
  scope: Scope,
  address: string,
  source: WithdrawalSource,
  contactIds: readonly string[],
): Promise<void> {
  const key = addressKey(address)
  // Simultaneous calls wait here, so that only one of them adds the timeline entry.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('unsubscribe:' || ${key}, 0))`)
  const [added] = await tx
    .insert(suppressedAddresses)
    .values({ address: key, unsubscribedAt: scope.now(), since: scope.now() })
    .onConflictDoUpdate({
      target: suppressedAddresses.address,
      set: { unsubscribedAt: scope.now() },
      setWhere: isNull(suppressedAddresses.unsubscribedAt),
    })
    .returning({ address: suppressedAddresses.address })
  const timelineText = added ? `${address} unsubscribed from commercial email` : undefined
  for (const id of contactIds) await endConsent(tx, scope, id, source, { channels: ['email'], timelineText })
}
