import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { bookings } from './bookings.ts'
import { updatePatientRecord } from './update-record.ts'

/**
 * Sets the price of a case from an accepted quote, in the caller's transaction, and updates the patient's record. Returns the previous
 * price. A case that was deleted or moved to another patient is left alone.
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
  await updatePatientRecord(tx, scope, { ...locked, row }, { isBooked: false, before, description: null })
  return before.priceCents
}
