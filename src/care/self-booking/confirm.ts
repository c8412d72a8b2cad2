import { eq } from 'drizzle-orm'
import type { Attempts } from '../../kernel/attempts.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { openForms, sendBookedForms } from '../../chart/forms/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { bookingSource } from '../../crm/lead-sources/service.ts'
import { processAtOnce } from '../../crm/leads/service.ts'
import { comparable } from '../../shared/text.ts'
import { bookForPatient, nameOfProvider, linkTokenOf, notifiedDetails } from '../appointments/service.ts'
import { calendarFilePath, linkPath } from '../appointments/link-rules.ts'
import { appointments, visitTerms } from '../appointments/table.ts'
import { getVisitType } from '../availability/service.ts'
import { withReservation } from '../reservations/service.ts'
import { patientOfOffer, recordBooked } from '../waiting-list/service.ts'
import type { BookedVisit } from './contract.ts'
import { holdTime, mayHold, termsFor, type UnderWay } from './holds.ts'
import { bookingPaymentState } from './payments.ts'
import { type Booker, bookingHolds } from './table.ts'

/** Ends the transaction, so that neither patient nor appointment is written. */
class NotPossible extends Error {}

/**
 * The patient of a booking: the one to whom the time was offered, or found by the proved address, or created, as from a lead form. Null: the one to whom
 * it was offered was deleted.
 */
export const patientOf = async (tx: Db, scope: Scope, { offerId, booker }: Pick<UnderWay, 'offerId' | 'booker'>) =>
  offerId === null ? processAtOnce(tx, scope, await bookingSource(tx), booker.email, fieldsOf(booker)) : patientOfOffer(tx, offerId)

/**
 * Books the held time: the patient is found by the proved address, or created, as a lead is, and gets the appointment and the forms of its
 * visit type, in one transaction. The same booking is confirmed once. A time whose minutes are over is held again first. OVER: it has ended. TAKEN: the
 * visit is no longer possible at this time. UNPAID, PROCESSING, PAYMENTS_UNAVAILABLE: what it needs is not paid, or not known to be.
 * @param attempts null: for a job, which has no limits.
 */
export async function confirmBooking(scope: Scope, key: string, attempts: Attempts | null) {
  try {
    const [before] = await scope.db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
    // Before anything else: what follows depends on the record of the patient.
    if (!before?.provenAt) return refuse('OVER')
    // Its minutes are over, but the time may still be free.
    if (before.status === 'open' && before.startsAt) {
      if (attempts && !(await mayHold(scope, attempts, before))) return refuse('TOO_MANY_REQUESTS')
      const held = await holdTime(scope, key, { providerId: before.wantedProviderId, startsAt: before.startsAt })
      if (isRefusal(held)) return (await bookedMeanwhile(scope, key)) ?? held
    }
    const unpaid = before.appointmentId === null ? await problemOfPayment(scope, before) : null
    if (unpaid) return unpaid
    const done = await withReservation(scope, async (tx, reserve) => {
      const [row] = await tx.select().from(bookingHolds).where(eq(bookingHolds.id, key)).for('update')
      if (row?.appointmentId) return { appointmentId: row.appointmentId, formIds: row.formIds }
      if (!row?.booker || !row.provenAt) return refuse('OVER')
      const type = row.status === 'held' ? await getVisitType(tx, row.visitTypeId) : null
      if (!type) return refuse('TAKEN')
      const { booker, offerId, visitTypeId, providerId, roomId, secondPersonId, startsAt, endsAt } = row
      if (!startsAt || !endsAt) return refuse('OVER')
      const accepted = await patientWhoAccepted(tx, key)
      const contact = accepted ?? (await patientOf(tx, scope, { offerId, booker }))
      if (!contact) return refuse('OVER')
      // Its time is free for the appointment, in this transaction alone.
      await tx.update(bookingHolds).set({ status: 'booked', booker: null, codeHash: null }).where(eq(bookingHolds.id, key))
      const booked = await bookForPatient(tx, reserve, scope, {
        contactId: contact.id,
        type: type.type,
        visitTypeId,
        providerId,
        roomId,
        secondPersonId,
        startsAt,
        minutes: (endsAt.getTime() - startsAt.getTime()) / 60_000,
        notes: notesOf(booker, contact),
        notifiesPatient: true,
        // Who has paid for a visit need not confirm it too.
        ...(accepted && accepted.depositCents > 0 && { status: 'confirmed' as const }),
        // What was held is booked, even if hours have changed since.
        outsideHours: true,
        idempotencyKey: key,
      })
      if (isRefusal(booked)) throw new NotPossible()
      const formIds = await sendBookedForms(tx, scope, { contactId: contact.id, templateIds: type.formIds, email: booker.email })
      await tx.update(bookingHolds).set({ appointmentId: booked.id, formIds }).where(eq(bookingHolds.id, key))
      await tx.update(visitTerms).set({ appointmentId: booked.id }).where(eq(visitTerms.id, key))
      if (offerId !== null) await recordBooked(tx, scope, offerId, booked)
      return { appointmentId: booked.id, formIds }
    })
    if (isRefusal(done)) return done.refusal === 'OVERLAP' ? refuse('TAKEN') : done
    return bookedVisit(scope, done.appointmentId, done.formIds)
  } catch (error) {
    if (error instanceof NotPossible) return refuse('TAKEN')
    throw error
  }
}

/** What another page, or the job that books what was paid, has made of the booking. */
async function bookedMeanwhile(scope: Scope, key: string) {
  const { appointmentId, formIds } = bookingHolds
  const [row] = await scope.db.select({ appointmentId, formIds }).from(bookingHolds).where(eq(bookingHolds.id, key))
  return row?.appointmentId ? bookedVisit(scope, row.appointmentId, row.formIds) : null
}

/** Why a booking cannot be made yet: Stripe is asked about what it needs. */
async function problemOfPayment(scope: Scope, booking: typeof bookingHolds.$inferSelect) {
  const { booker } = booking
  const type = booker && (await getVisitType(scope.db, booking.visitTypeId))
  if (!type || !(await termsFor(scope.db, scope, type, { ...booking, booker }))) return null
  const state = await bookingPaymentState(scope, booking.id)
  if (state === 'paid') return null
  return refuse(state === 'processing' ? 'PROCESSING' : state === 'unknown' ? 'PAYMENTS_UNAVAILABLE' : 'UNPAID')
}

async function patientWhoAccepted(tx: Db, key: string) {
  const { id, firstName, lastName } = contacts
  const [found] = await tx
    .select({ id, firstName, lastName, depositCents: visitTerms.depositCents })
    .from(visitTerms)
    .innerJoin(contacts, eq(contacts.id, visitTerms.contactId))
    .where(eq(visitTerms.id, key))
  return found
}

/** Under the names of lead forms. */
export const fieldsOf = ({ firstName, lastName, phone, language, attribution }: Booker): Record<string, unknown> => ({
  ...attribution,
  firstName,
  lastName,
  phone,
  language,
})

/** What the patient wrote, and the name if the record has another one: families share addresses. */
export function notesOf({ firstName, lastName, words }: Booker, contact: { firstName: string; lastName: string }): string | null {
  const isOther = comparable(`${firstName} ${lastName}`) !== comparable(`${contact.firstName} ${contact.lastName}`)
  return [isOther ? `Booked online under the name ${firstName} ${lastName}.` : null, words].filter(Boolean).join('\n') || null
}

const bookedVisit = (scope: Scope, id: string, formIds: readonly string[]) =>
  scope.db.transaction(async (tx: Db) => {
    const [row] = await tx.select().from(appointments).where(eq(appointments.id, id))
    if (!row) return refuse('OVER')
    const { place } = await notifiedDetails(tx, scope.env, row)
    const token = await linkTokenOf(tx, scope, row)
    return {
      startsAt: row.startsAt,
      minutes: (row.endsAt.getTime() - row.startsAt.getTime()) / 60_000,
      provider: await nameOfProvider(tx, row.providerId),
      place,
      link: `${linkPath}/${token}`,
      calendarFile: calendarFilePath(token),
      forms: (await openForms(tx, scope, formIds)).map(({ title, link }) => ({ name: title.en, nameFr: title.fr, link })),
    } satisfies BookedVisit
  })
