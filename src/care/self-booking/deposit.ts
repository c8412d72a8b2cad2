import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Attempts } from '../../kernel/attempts.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { patientMail, patientUrl, queueMail } from '../../platform/mail/service.ts'
import { yourCard } from '../../shared/cards.ts'
import { formatCents, type Language, toLanguage } from '../../shared/translations.ts'
import { visitTerms } from '../appointments/table.ts'
import { getVisitType } from '../availability/service.ts'
import { freeUntil, termsLines } from '../availability/terms-rules.ts'
import { confirmBooking, patientOf } from './confirm.ts'
import { holdTime, isUnderWay, keepHeld, mayHold, termsFor } from './holds.ts'
import { refundDeposit, startBookingPayment } from './payments.ts'
import { bookingHolds } from './table.ts'
import { bookingMailTexts } from './texts.ts'

/**
 * Records that the patient accepts the terms of the held visit, makes them a lead, and starts the payment of the deposit. The time is held for the
 * whole period once more. `form` is null if it is paid already. NO_DEPOSIT: the visit needs none. OVER, TAKEN and the refusals of a patient as `holdTime`;
 * PROCESSING and PAYMENTS_UNAVAILABLE as `startBookingPayment`.
 */
export async function payBooking(scope: Scope, attempts: Attempts, { key, language }: { key: string; language: Language }) {
  const [before] = await scope.db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
  if (!isUnderWay(before, scope.now()) || !before.provenAt) return refuse('OVER')
  // One without a time joins the waiting list.
  if (!before.startsAt) return refuse('OVER')
  if (!(await mayHold(scope, attempts, before))) return refuse('TOO_MANY_REQUESTS')
  if (before.status === 'open') {
    const held = await holdTime(scope, key, { providerId: before.wantedProviderId, startsAt: before.startsAt })
    if (isRefusal(held)) return held
  }
  const accepted = await scope.db.transaction(async (tx) => accept(tx, scope, key, language))
  if (isRefusal(accepted)) return accepted
  const { heldUntil, ...payment } = accepted
  const form = await startBookingPayment(scope, { key, language, ...payment })
  if (!isRefusal(form)) return { heldUntil, form }
  return form.refusal === 'PAID' ? { heldUntil, form: null } : refuse(form.refusal)
}

/** Accepted once: a second page of the same booking goes on with what was accepted. */
async function accept(tx: Db, scope: Scope, key: string, language: Language) {
  const [row] = await tx.select().from(bookingHolds).where(eq(bookingHolds.id, key)).for('update')
  if (!isUnderWay(row, scope.now())) return refuse('OVER')
  const type = row.status === 'held' ? await getVisitType(tx, row.visitTypeId) : null
  if (!type || !row.heldUntil || !row.startsAt) return refuse('TAKEN')
  const terms = await termsFor(tx, scope, type, row)
  if (!terms) return refuse('NO_DEPOSIT')
  const payment = { amountCents: terms.depositCents, keepsCard: terms.keepsCard }
  const [known] = await tx.select({ contactId: visitTerms.contactId }).from(visitTerms).where(eq(visitTerms.id, key))
  if (known) return { heldUntil: row.heldUntil, contactId: known.contactId, ...payment }
  const patient = await patientOf(tx, scope, row)
  if (!patient) return refuse('OVER')
  const contactId = patient.id
  await tx.insert(visitTerms).values({
    id: key,
    contactId,
    ...terms,
    text: termsLines(terms, language, freeUntil(row.startsAt, terms.changeHours) < scope.now()).join('\n'),
    language,
    acceptedAt: scope.now(),
    address: scope.origin.address,
    device: scope.origin.device ?? null,
  })
  return { heldUntil: await keepHeld(tx, scope, row), contactId, ...payment }
}

/**
 * Books what was paid, if the page has not: its patient may have closed it. If the time is gone, the patient can choose another one until the
 * booking ends; then the deposit goes back.
 */
export const completePaid = defineJob({
  name: 'self-booking.complete-paid',
  payload: z.object({ key: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { key }) {
    const booked = await confirmBooking(scope, key, null)
    if (!isRefusal(booked)) return
    if (booked.refusal === 'UNPAID') return
    if (booked.refusal === 'PROCESSING' || booked.refusal === 'PAYMENTS_UNAVAILABLE')
      throw new Error(`A paid booking could not be made: ${booked.refusal}`)
    const [row] = await scope.db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
    if (isUnderWay(row, scope.now())) await enqueue(scope.db, completePaid, { key }, jobKey(key), row.expiresAt)
    else await scope.db.transaction((tx) => giveBack(tx, scope, key))
  },
})

const jobKey = (key: string) => `self-booking.complete-paid ${key}`

/** Queues the booking of what was paid, in the transaction that records the payment. */
export const queuePaidBooking = (tx: Db, _: Scope, { referenceId }: { referenceId: string }): Promise<void> =>
  enqueue(tx, completePaid, { key: referenceId }, jobKey(referenceId))

/** Gives the deposit of a visit that could not be booked back, and tells the patient, once. */
async function giveBack(tx: Db, scope: Scope, key: string): Promise<void> {
  const [terms] = await tx.select().from(visitTerms).where(eq(visitTerms.id, key)).for('update')
  if (!terms || terms.appointmentId !== null) return
  // The patient has just chosen another time: it is booked, or this comes back when its minutes are over.
  const [row] = await tx.select().from(bookingHolds).where(eq(bookingHolds.id, key)).for('update')
  if (row?.status === 'held' && isUnderWay(row, scope.now())) return
  const returned = await refundDeposit(tx, scope, key, 'The time was no longer free')
  if (!returned) return
  const { email, preferredLanguage } = contacts
  const [contact] = await tx.select({ email, preferredLanguage }).from(contacts).where(eq(contacts.id, terms.contactId))
  if (!contact?.email) return
  const language = toLanguage(contact.preferredLanguage) ?? terms.language
  const t = bookingMailTexts[language]
  const mail = patientMail(scope.env, contact.email, language, {
    subject: t('notBookedSubject', { practice: scope.env.PRACTICE_NAME }),
    paragraphs: [
      t('notBooked'),
      t('givenBack', { amount: formatCents(returned.amountCents, language), card: yourCard(returned.card, language) }),
    ],
    link: { label: t('bookAgain'), url: patientUrl(scope.env, '/book', { language }) },
  })
  await queueMail(tx, mail)
}
