import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contactsByEmail } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { suppressedAddresses } from '../../platform/mail/table.ts'
import { endConsent, wantsNone } from './ledger.ts'
import { subscriberOf } from './link.ts'
import type { WithdrawalSource } from './rules.ts'

export async function isUnsubscribed(db: Db, address: string): Promise<boolean> {
  const [row] = await db
    .select({ address: suppressedAddresses.address })
    .from(suppressedAddresses)
    .where(and(eq(suppressedAddresses.address, addressKey(address)), wantsNone))
  return row !== undefined
}

/** What the link of a mail does, once however often it is used. Answers the address; null: we have not made this token. */
export async function unsubscribe(scope: Scope, token: string): Promise<string | null> {
  const subscriber = subscriberOf(scope.env, token)
  if (!subscriber) return null
  const { contactId, address } = subscriber
  await scope.db.transaction(async (tx) => {
    const [theirs] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
    // Merged into someone else, or deleted: then anyone who has the address.
    await leave(tx, scope, address, 'link', theirs ? [theirs.id] : await idsByEmail(tx, address))
  })
  return address
}

/** The same where nothing but the address is known. */
export const unsubscribeAddress = async (tx: Db, scope: Scope, address: string, source: WithdrawalSource): Promise<void> =>
  leave(tx, scope, address, source, await idsByEmail(tx, address))

const idsByEmail = async (tx: Db, address: string) => (await contactsByEmail(tx, address)).map(({ id }) => id).toSorted()

async function leave(tx: Db, scope: Scope, address: string, source: WithdrawalSource, contactIds: readonly string[]): Promise<void> {
  const key = addressKey(address)
  // Those who come at once wait here for one another, so that one of them tells it.
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
  const told = added ? `${address} unsubscribed from commercial email` : undefined
  for (const id of contactIds) await endConsent(tx, scope, id, source, told)
}
