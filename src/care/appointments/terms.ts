import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { readOffer } from '../availability/service.ts'
import { freeUntil } from '../availability/terms-rules.ts'
import type { Row } from './bookings.ts'
import { visitTerms } from './table.ts'

/** What else happens when an appointment is cancelled, in its transaction: a deposit goes back, or a fee is due. */
export const onCancelled = slot<(tx: Db, scope: Scope, row: Row, isByPatient: boolean) => Promise<void>>('onCancelled')

/** What the patient accepted when they booked an appointment; null: nothing. */
export async function termsOfAppointment(db: Db, appointmentId: string) {
  const [found] = await db.select().from(visitTerms).where(eq(visitTerms.appointmentId, appointmentId))
  return found ?? null
}

/**
 * Until when a patient may move or cancel an appointment at no charge, and what was accepted. The hours that the patient accepted count, whatever the
 * visit type says now. `until` is null if patients may not: the visit cannot be booked online.
 */
export async function changePolicyOf(db: Db, { id, startsAt, visitTypeId }: Row) {
  const terms = await termsOfAppointment(db, id)
  if (terms) return { terms, until: freeUntil(startsAt, terms.changeHours) }
  const visit = visitTypeId === null ? null : await readOffer(db, visitTypeId)
  return { terms, until: visit && freeUntil(startsAt, visit.changeHours) }
}
