import { randomUUID } from 'node:crypto'
import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Attempts } from '../../kernel/attempts.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { lockOpenOffer, patientOfOffer } from '../waiting-list/service.ts'
import { endOfBooking, holdTime, mayHold } from './holds.ts'
import { bookingHolds } from './table.ts'

/**
 * Begins to book the time of an offer from the waiting list, and holds it. The link went to the patient, so it proves the address as a code does. The
 * same offer goes on with the booking that is under way. OVER: the link is wrong, or the offer has ended. TAKEN: as `holdTime`.
 */
export async function holdOffer(scope: Scope, attempts: Attempts, token: string) {
  const booking = await transact(scope.db, (tx) => beginOffered(tx, scope, token))
  if (!booking?.startsAt) return refuse('OVER')
  if (!(await mayHold(scope, attempts, booking))) return refuse('TOO_MANY_REQUESTS')
  const { id: key, visitTypeId, wantedProviderId: providerId, startsAt } = booking
  const held = await holdTime(scope, key, { providerId, startsAt })
  return isRefusal(held) ? held : { ...held, key, visitTypeId }
}

async function beginOffered(tx: Db, scope: Scope, token: string) {
  const locked = await lockOpenOffer(tx, scope, token)
  const patient = locked && (await patientOfOffer(tx, locked.offer.id))
  // Without an address there is no receipt, so no deposit is asked for and yes alone books the time.
  if (!locked || !patient?.email) return null
  const { offer, entry } = locked
  const isUnderWay = and(inArray(bookingHolds.status, ['open', 'held']), gt(bookingHolds.expiresAt, scope.now()))
  const [known] = await tx
    .select()
    .from(bookingHolds)
    .where(and(eq(bookingHolds.offerId, offer.id), isUnderWay))
  if (known) return known
  const { firstName, lastName, email } = patient
  const language = await languageOf(tx, patient.id)
  const [made] = await tx
    .insert(bookingHolds)
    .values({
      id: randomUUID(),
      visitTypeId: entry.visitTypeId,
      wantedProviderId: offer.providerId,
      startsAt: offer.startsAt,
      endsAt: offer.endsAt,
      offerId: offer.id,
      booker: { firstName, lastName, email, phone: null, language, words: entry.note, attribution: {} },
      provenAt: scope.now(),
      createdAt: scope.now(),
      expiresAt: endOfBooking(scope),
    })
    .returning()
  return made!
}
