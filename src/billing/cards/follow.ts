import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Payment } from '../../integrations/stripe/shapes.ts'
import type { Result } from '../../integrations/stripe/failure.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue, enqueueEach } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { lockContact } from '../../care/reservations/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { cancelReserved } from '../pos/service.ts'
import { cardAccountOf } from './account.ts'
import { beginAutomatic } from './automatic-consent.ts'
import { bookPayment } from './book.ts'
import { abandonedAfterHours, type CardPurpose, statusAfter, unsettledStatuses } from './rules.ts'
import { type CardPayment, cardPayments, savedCards, stripeEvents } from './table.ts'

/**
 * What else happens when a payment goes through, by its purpose, in the transaction that records it as paid; for domains that later ones
 * fill in src/app/wiring.ts. It runs once for each payment.
 */
export const onPaid: Partial<Record<CardPurpose, (tx: Db, scope: Scope, payment: CardPayment) => Promise<void>>> = {}

/** The payment as Stripe has it. @throws if cards are no longer set up, or Stripe has not been asked for it yet. */
export async function readPayment(scope: Scope, { stripePaymentId }: CardPayment): Promise<Result<Payment>> {
  const account = cardAccountOf(scope)
  if (!account || stripePaymentId === null) throw new Error('A card payment cannot be looked up at Stripe')
  return account.client.findPayment(stripePaymentId)
}

/** Records what Stripe says of a payment, in any order and any number of times. */
export function applyIntent(scope: Scope, id: string, intent: Payment): Promise<CardPayment> {
  return scope.db.transaction(async (tx) => {
    // The patient first, as a merge does.
    const [seen] = await tx.select({ contactId: cardPayments.contactId }).from(cardPayments).where(eq(cardPayments.id, id))
    if (seen) await lockContact(tx, seen.contactId)
    const [before] = await tx.select().from(cardPayments).where(eq(cardPayments.id, id)).for('update')
    if (!before) throw new Error('A card payment that does not exist was followed')
    const status = statusAfter(before.status, intent.status)
    const isNewlyPaid = status === 'paid' && before.status !== 'paid'
    const now = scope.now()
    const failureCode = status === 'paid' ? null : intent.failureCode
    if (status === before.status && failureCode === before.failureCode) return before
    const card = intent.method?.card
    const [row] = await tx
      .update(cardPayments)
      .set({
        status,
        failureCode,
        updatedAt: now,
        ...(card && { cardBrand: card.brand, cardLast4: card.last4 }),
        ...(isNewlyPaid && { paidAt: now, stripeChargeId: intent.chargeId }),
      })
      .where(eq(cardPayments.id, id))
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'card payment',
      contactIds: [row!.contactId],
      before: { id, status: before.status },
      after: { id, status, failureCode },
    })
    if (isNewlyPaid) await afterPayment(tx, scope, row!, intent)
    if (status === 'cancelled' && row!.sale) await cancelReserved(tx, scope, row!.idempotencyKey)
    await publish(tx, 'contact', row!.contactId)
    return row!
  })
}

async function afterPayment(tx: Db, scope: Scope, row: CardPayment, intent: Payment): Promise<void> {
  if (intent.receivedCents !== row.amountCents) {
    scope.log.error({ paymentId: row.id }, 'Stripe received another amount than the confirmed one')
  }
  await keepCard(tx, scope, row, intent)
  await onPaid[row.purpose]?.(tx, scope, row)
  // A sale is recorded by the desk that waits for it; the job does so if the desk does not.
  await enqueue(tx, bookPayment, { id: row.id }, `book ${row.id}`, row.sale ? 60_000 : undefined)
}

/** Keeps the card that the patient agreed to have kept. */
async function keepCard(
  tx: Db,
  scope: Scope,
  { contactId, purpose, referenceId, consentText, consentLanguage, automaticText, createdAt, address }: CardPayment,
  { method }: Payment,
) {
  if (consentText === null || !method?.card || method.customerId === null) return
  await tx
    .insert(savedCards)
    .values({
      contactId,
      methodId: method.id,
      bookingId: purpose === 'deposit' ? referenceId : null,
      ...method.card,
      consentText,
      consentLanguage: consentLanguage!,
      consentedAt: createdAt,
      consentAddress: address,
    })
    .onConflictDoNothing({ target: savedCards.methodId })
  if (automaticText === null) return
  await beginAutomatic(tx, scope, {
    contactId,
    consentText: automaticText,
    consentLanguage: consentLanguage!,
    consentedAt: createdAt,
    consentAddress: address,
  })
}

/** Asks Stripe about one payment. Does nothing for a payment that is not ours. Throws, and so is retried, while Stripe is not available. */
export const followPayment = defineJob({
  name: 'cards.follow-payment',
  payload: z.object({ stripePaymentId: z.string() }),
  maxAttempts: 25,
  async run(scope, { stripePaymentId }) {
    const [row] = await scope.db.select().from(cardPayments).where(eq(cardPayments.stripePaymentId, stripePaymentId))
    if (row) await refreshPayment(scope, row)
  },
})

/** Records what Stripe says of a payment now. @throws while Stripe is not available. */
export async function refreshPayment(scope: Scope, row: CardPayment): Promise<CardPayment> {
  const found = await readPayment(scope, row)
  if (!found.ok) throw new Error(`Stripe did not say what became of a payment: ${found.kind}`)
  return applyIntent(scope, row.id, found.value)
}

/** Minutes after which an unsettled payment is asked about, because its event may be lost. */
const askAfterMinutes = 2
const eventDays = 30
const perRun = 200

const minutesBefore = ({ now }: Scope, minutes: number): Date => new Date(now().getTime() - minutes * 60_000)

/** Asks about payments whose events may be lost, ends abandoned ones, and books paid ones that have no receipt. */
export const watchPayments = defineJob({
  name: 'cards.watch-payments',
  payload: z.object({}),
  cron: '*/5 * * * *',
  async run(scope) {
    const { db } = scope
    const select = (where: SQL | undefined) => db.select().from(cardPayments).where(where).orderBy(cardPayments.updatedAt).limit(perRun)
    const isAbandoned = lt(cardPayments.createdAt, minutesBefore(scope, abandonedAfterHours * 60))
    const isUnsettled = inArray(cardPayments.status, [...unsettledStatuses])
    if (cardAccountOf(scope)) {
      const unheard = lt(cardPayments.updatedAt, minutesBefore(scope, askAfterMinutes))
      const rows = await select(and(isUnsettled, or(unheard, isAbandoned), isNotNull(cardPayments.stripePaymentId)))
      for (const row of rows) await ask(scope, row)
      // No page has ever received these.
      const unopened = and(eq(cardPayments.status, 'started'), isNull(cardPayments.stripePaymentId), isAbandoned)
      for (const { id } of await select(unopened)) await endUnopened(scope, id)
    }
    const unbooked = await select(and(eq(cardPayments.status, 'paid'), isNull(cardPayments.bookedAt)))
    const wanted = unbooked.map(({ id }) => ({ payload: { id }, key: `book ${id}` }))
    await enqueueEach(db, bookPayment, wanted)
    await db.delete(stripeEvents).where(lt(stripeEvents.receivedAt, minutesBefore(scope, eventDays * 24 * 60)))
  },
})

/** Ends a payment that Stripe was never asked for. @returns whether it was one. */
export const endUnopened = (scope: Scope, id: string): Promise<boolean> =>
  scope.db.transaction(async (tx) => {
    const isUnopened = and(eq(cardPayments.id, id), eq(cardPayments.status, 'started'), isNull(cardPayments.stripePaymentId))
    const [row] = await tx.update(cardPayments).set({ status: 'cancelled', updatedAt: scope.now() }).where(isUnopened).returning()
    if (row?.sale) await cancelReserved(tx, scope, row.idempotencyKey)
    return row !== undefined
  })

/** Asks about one payment, and cancels it at Stripe if it is abandoned. An unavailable Stripe is asked again by the next run. */
async function ask(scope: Scope, row: CardPayment): Promise<void> {
  const { client } = cardAccountOf(scope)!
  const found = await readPayment(scope, row)
  if (!found.ok) return
  const after = await applyIntent(scope, row.id, found.value)
  await scope.db
    .update(cardPayments)
    .set({ updatedAt: scope.now() })
    .where(and(eq(cardPayments.id, row.id), sql`status <> 'paid'`))
  if (after.status !== 'open' || row.createdAt > minutesBefore(scope, abandonedAfterHours * 60)) return
  const cancelled = await client.cancelPayment(row.stripePaymentId!)
  if (cancelled.ok) await applyIntent(scope, row.id, cancelled.value)
}
