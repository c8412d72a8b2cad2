import { and, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { entryOf, type NewCharge, voidOf, write } from './entries.ts'
import { lockCharge } from './ledger.ts'
import { keyOf } from './once.ts'
import { ledgerEntries } from './table.ts'

/**
 * What an accepted quote comes to, in the transaction that accepts it; its patient is locked. Under the same key it is charged once. Answers
 * the charge's id. In the portal no one of the clinic has written it.
 */
export async function addQuotedCharge(tx: Db, scope: Scope, charge: NewCharge & { idempotencyKey: string }): Promise<string> {
  const key = keyOf('charge', charge)
  await write(tx, scope, { ...entryOf(charge), ...key, source: 'quote' }, scope.actor?.id ?? null)
  const [entry] = await tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.idempotencyKey, charge.idempotencyKey), eq(ledgerEntries.contactId, charge.contactId)))
  if (!entry) throw new Error('The key of a quote belongs to an entry of someone else')
  return entry.id
}

/** Makes the charge of a quote void, in the transaction that withdraws it. One that is void already stays so. */
export async function voidQuotedCharge(tx: Db, scope: Scope, chargeId: string, reason: string): Promise<'credited' | undefined> {
  const charge = await lockCharge(tx, chargeId)
  if (!charge || charge.others.some(({ kind }) => kind === 'void')) return undefined
  if (charge.creditedCents !== 0) return 'credited'
  return write(tx, scope, voidOf(charge, reason))
}
