import type { Db } from '../../kernel/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { write } from './change.ts'
import { follow } from './follow.ts'
import { hold } from './lock.ts'

/**
 * Gives a case the price that an accepted quote says, in the caller's transaction; its patient's record follows. Answers what it cost before.
 * A case that is gone, or another patient's by now, is left alone.
 */
export async function priceCase(
  tx: Db,
  scope: Scope,
  { surgeryId, contactId }: { surgeryId: string; contactId: string },
  priceAfter: (priceCents: number | null) => number | null,
): Promise<number | null> {
  const held = await hold(tx, surgeryId)
  if (!held || held.contact.id !== contactId) return null
  const { row: before } = held
  const priceCents = priceAfter(before.priceCents)
  if (priceCents === before.priceCents) return before.priceCents
  const row = await write(tx, scope, before, { ...before, priceCents })
  await follow(tx, scope, { ...held, row }, { isBooked: false, was: before, told: null })
  return before.priceCents
}
