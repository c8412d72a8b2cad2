import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { bookings } from './bookings.ts'
import { follow } from './follow.ts'

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
  const locked = await bookings.lock(tx, surgeryId)
  if (!locked || locked.contact.id !== contactId) return null
  const { row: before } = locked
  const priceCents = priceAfter(before.priceCents)
  if (priceCents === before.priceCents) return before.priceCents
  const row = await bookings.write(tx, scope, before, { ...before, priceCents })
  await follow(tx, scope, { ...locked, row }, { isBooked: false, was: before, description: null })
  return before.priceCents
}
