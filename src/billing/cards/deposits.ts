import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { NamedCard } from '../../shared/cards.ts'
import type { BookingPayment, ReturnedDeposit } from '../../care/self-booking/service.ts'
import { cardAccountOf } from './account.ts'
import { refreshPayment } from './follow.ts'
import { giveBack } from './give-back.ts'
import { startCardPayment } from './start.ts'
import { type CardPayment, cardPayments } from './table.ts'
import { cardTexts } from './texts.ts'

/** The latest payment of a booking. */
export async function depositOfBooking(db: Db, key: string): Promise<CardPayment | null> {
  const [row] = await db
    .select()
    .from(cardPayments)
    .where(and(eq(cardPayments.purpose, 'deposit'), eq(cardPayments.referenceId, key)))
    .orderBy(desc(cardPayments.createdAt), desc(cardPayments.id))
    .limit(1)
  return row ?? null
}

/** Provides `startBookingPayment` of care/self-booking. */
export async function payForBooking(scope: Scope, { key, contactId, amountCents, keepsCard, language }: BookingPayment) {
  const before = await depositOfBooking(scope.db, key)
  if (before?.status === 'paid') return refuse('PAID')
  const consent = keepsCard ? cardTexts[language]('visitConsent', { practice: scope.env.PRACTICE_NAME }) : null
  const started = await startCardPayment(scope, {
    contactId,
    purpose: 'deposit',
    referenceId: key,
    description: cardTexts.en(amountCents > 0 ? 'deposit' : 'keepCard'),
    amountCents,
    consent: consent === null ? null : { text: consent, language },
    // Another one after one that was cancelled, or whose consent was read in another language.
    idempotencyKey: before === null ? key : canGoOn(before, consent) ? before.idempotencyKey : randomUUID(),
  })
  if (started === null) return refuse('PAYMENTS_UNAVAILABLE')
  if (!isRefusal(started)) return { ...started, consent }
  return started.refusal === 'PAID' || started.refusal === 'PROCESSING' ? refuse(started.refusal) : refuse('PAYMENTS_UNAVAILABLE')
}

const canGoOn = ({ status, consentText }: CardPayment, consent: string | null): boolean => status !== 'cancelled' && consentText === consent

/** Provides `bookingPaymentState` of care/self-booking. */
export async function stateOfBookingPayment(scope: Scope, key: string) {
  const row = await depositOfBooking(scope.db, key)
  if (!row) return 'none'
  if (row.status === 'paid') return 'paid'
  if (row.status === 'cancelled' || row.stripePaymentId === null || !cardAccountOf(scope)) return 'unpaid'
  const after = await refreshPayment(scope, row).catch(() => null)
  if (!after) return 'unknown'
  return after.status === 'paid' || after.status === 'processing' ? after.status : 'unpaid'
}

/** Provides `refundDeposit` of care/self-booking. */
export async function refundBookingDeposit(tx: Db, scope: Scope, key: string, reason: string): Promise<ReturnedDeposit | null> {
  const row = await depositOfBooking(tx, key)
  return row && (await giveBack(tx, scope, row.id, reason)) ? { amountCents: row.amountCents, card: cardOf(row) } : null
}

/** The card that paid. */
export const cardOf = ({ cardBrand: brand, cardLast4: last4 }: CardPayment): NamedCard | null => (brand && last4 ? { brand, last4 } : null)
