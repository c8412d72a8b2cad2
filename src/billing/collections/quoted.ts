import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { entryOf, entryOnce, type NewCharge, voidOf, write } from './entries.ts'
import { lockCharge } from './ledger.ts'

/**
 * What an accepted quote comes to, in the transaction that accepts it; its patient is locked. Under the same key it is charged once. Answers
 * the charge's id. In the portal no one of the clinic has written it.
 */
export async function addQuotedCharge(tx: Db, scope: Scope, charge: NewCharge & { idempotencyKey: string }): Promise<string> {
  const entry = await entryOnce(tx, 'charge', charge, (keyed) =>
    write(tx, scope, { ...entryOf(charge), ...keyed, source: 'quote' }, scope.actor?.id ?? null),
  )
  if (isRefusal(entry)) throw new Error('The key of a quote belongs to another entry')
  return entry.id
}

/** Makes the charge of a quote void, in the transaction that withdraws it. One that is void already stays so. */
export async function voidQuotedCharge(tx: Db, scope: Scope, chargeId: string, reason: string) {
  const charge = await lockCharge(tx, chargeId)
  if (!charge || charge.others.some(({ kind }) => kind === 'void')) return undefined
  if (charge.creditedCents !== 0) return refuse('CREDITED')
  await write(tx, scope, voidOf(charge, reason))
  return undefined
}
