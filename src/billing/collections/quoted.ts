import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { entryOf, recordEntryOnce, type NewCharge, voidOf, write } from './entries.ts'
import { lockCharge } from './ledger.ts'

/**
 * Charges an accepted quote's total in the transaction that accepts it; the caller has locked the patient. Charges once per key. Returns
 * the charge's ID. `createdBy` is null when the patient accepted in the portal.
 */
export async function addQuotedCharge(tx: Db, scope: Scope, charge: NewCharge & { idempotencyKey: string }): Promise<string> {
  const entry = await recordEntryOnce(tx, 'charge', charge, (keyed) =>
    write(tx, scope, { ...entryOf(charge), ...keyed, source: 'quote' }, scope.actor?.id ?? null),
  )
  if (isRefusal(entry)) throw new Error('The key of a quote belongs to another entry')
  return entry.id
}

/** Charges the fee of a visit, due today, in the caller's transaction. Returns the charge's ID. */
export async function addFeeCharge(tx: Db, scope: Scope, charge: NewCharge): Promise<string> {
  const entry = await write(tx, scope, { ...entryOf(charge), source: 'fee' }, scope.actor?.id ?? null)
  return entry!.id
}

/**
 * Voids the fee of a visit in the transaction that waives it. What had been paid becomes the patient's credit again. Does nothing if nothing is open.
 * @returns whether something was.
 */
export async function voidFeeCharge(tx: Db, scope: Scope, chargeId: string, reason: string): Promise<boolean> {
  const charge = await lockCharge(tx, chargeId)
  if (!charge || charge.amountCents <= charge.creditedCents) return false
  const { contactId } = charge.entry
  const applied = Map.groupBy(charge.others, ({ receiptId }) => receiptId)
  let paidCents = 0
  for (const [receiptId, entries] of applied) {
    const amountCents = -entries.reduce((sum, entry) => sum + entry.amountCents, 0)
    if (receiptId === null || amountCents <= 0) continue
    paidCents += amountCents
    await write(tx, scope, { contactId, kind: 'release', amountCents, chargeId, receiptId, description: 'Payment unapplied' })
  }
  const openCents = charge.amountCents - charge.creditedCents + paidCents
  await write(tx, scope, { ...voidOf(charge, reason), amountCents: -openCents })
  return true
}

/** Voids a quote's charge in the transaction that withdraws the quote. Does nothing if it is already void. */
export async function voidQuotedCharge(tx: Db, scope: Scope, chargeId: string, reason: string) {
  const charge = await lockCharge(tx, chargeId)
  if (!charge || charge.others.some(({ kind }) => kind === 'void')) return undefined
  if (charge.creditedCents !== 0) return refuse('CREDITED')
  await write(tx, scope, voidOf(charge, reason))
  return undefined
}
