import { eq, sql } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type CardAccount, cardAccountOf, cardRefusalOf } from './account.ts'
import { applyIntent, readPayment } from './follow.ts'
import { cardLimits } from './rules.ts'
import { latestCard } from './saved.ts'
import { keepPayment, type NewCardPayment } from './start.ts'
import { type CardPayment, cardPayments } from './table.ts'

/** A charge to a saved card without the patient. The caller has checked that it is owed, and that the patient agreed to be charged for it. */
export type SavedCardCharge = Omit<NewCardPayment, 'consent'>

export interface SavedCardOutcome {
  paymentId: string
  status: 'paid' | 'processing' | 'declined'
  /** Why it was declined: Stripe's code, such as 'insufficient_funds', 'expired_card' or 'authentication_required'. */
  failureCode: string | null
}

/**
 * Charges the patient's latest saved card, once for each key. What is paid or processing becomes a receipt like any other card payment. A declined payment
 * is over: another attempt needs another key. After a refusal, the same key can be repeated at any time: it finds out what happened, and never charges
 * twice.
 *
 * Refusals: `NO_CARDS` (not set up), `NO_CARD` (the patient has no saved card), `AMOUNT`, `PROCESSING` and `PAID` (another payment for the same thing
 * is under way, or went through a moment ago), `KEY_REUSED`, `CARD_REFUSED` and `CARDS_UNAVAILABLE` (Stripe did not answer).
 * @param booking of the visit whose fee is charged (see latestCard).
 */
export async function chargeSavedCard(scope: Scope, given: SavedCardCharge, booking?: string) {
  const account = cardAccountOf(scope)
  if (!account) return refuse('NO_CARDS')
  if (given.amountCents < cardLimits.minCents || given.amountCents > cardLimits.maxCents) return refuse('AMOUNT')
  const methodId = (await latestCard(scope.db, given.contactId, booking))?.methodId ?? null
  const [known] = await scope.db.select().from(cardPayments).where(eq(cardPayments.idempotencyKey, given.idempotencyKey))
  if (known && !isSame(known, given)) return refuse('KEY_REUSED')
  if (!known && methodId === null) return refuse('NO_CARD')
  const kept = known ?? (await keepPayment(scope, account, given, ({ failureCode }) => failureCode === null))
  if (isRefusal(kept)) return kept
  if (kept.status === 'cancelled' || kept.failureCode !== null) return endDeclined(scope, account, kept)
  if (kept.status === 'paid' || kept.status === 'processing') return outcomeOf(kept)
  if (methodId === null) return refuse('NO_CARD')
  const opened = await openIntent(scope, account, kept, methodId)
  if (isRefusal(opened)) return opened
  // Another request with the same key was faster.
  return opened.status === 'open' ? charge(scope, account, opened, methodId) : outcomeOf(opened)
}

const isSame = (row: CardPayment, given: SavedCardCharge): boolean =>
  row.contactId === given.contactId &&
  row.purpose === given.purpose &&
  row.referenceId === given.referenceId &&
  row.amountCents === given.amountCents

/** Makes the payment intent for the card's customer. Nothing is charged yet, so it may be repeated. */
async function openIntent(scope: Scope, { client }: CardAccount, row: CardPayment, methodId: string) {
  if (row.stripePaymentId !== null) return row
  // A merged patient has several customers at Stripe: the card knows its own, unless it was removed there.
  const card = await client.findCard(methodId)
  if (!card.ok) return card.kind === 'refused' ? refuse('NO_CARD') : cardRefusalOf(card)
  const { customerId } = card.value
  if (customerId === null) return refuse('NO_CARD')
  const { id, amountCents, description } = row
  const made = await client.createPayment({ amountCents, customerId, description, reference: id, savesCard: false, isInPerson: false }, id)
  if (!made.ok) return cardRefusalOf(made)
  const [opened] = await scope.db
    .update(cardPayments)
    .set({ stripePaymentId: made.value.id, status: sql`case when status = 'started' then 'open' else status end`, updatedAt: scope.now() })
    .where(eq(cardPayments.id, id))
    .returning()
  return opened!
}

async function charge(scope: Scope, account: CardAccount, row: CardPayment, methodId: string) {
  const charged = await account.client.chargeCard({ paymentId: row.stripePaymentId!, methodId }, `charge ${row.id}`)
  // What was declined, or was charged by another request in the meantime, is read from Stripe.
  const isAnswered = charged.ok || charged.kind === 'declined' || charged.kind === 'refused'
  const found = charged.ok || !isAnswered ? charged : await readPayment(scope, row)
  if (!found.ok) return cardRefusalOf(found)
  const after = await applyIntent(scope, row.id, found.value)
  if (after.status === 'paid' || after.status === 'processing') return outcomeOf(after)
  return endDeclined(scope, account, after, charged.ok ? charged.value.status : charged.code)
}

/** Ends a payment that was not taken, so that no later attempt can meet it. */
async function endDeclined(scope: Scope, { client }: CardAccount, row: CardPayment, reason: string | null = null) {
  if (row.status === 'cancelled' || row.stripePaymentId === null) return outcomeOf(row, reason)
  const cancelled = await client.cancelPayment(row.stripePaymentId)
  const found = cancelled.ok || cancelled.kind !== 'refused' ? cancelled : await readPayment(scope, row)
  // The next attempt, or the job that watches, ends it.
  if (!found.ok) return outcomeOf(row, reason)
  return outcomeOf(await applyIntent(scope, row.id, found.value), reason)
}

function outcomeOf({ id, status, failureCode }: CardPayment, reason: string | null = null): SavedCardOutcome {
  if (status === 'paid' || status === 'processing') return { paymentId: id, status, failureCode: null }
  return { paymentId: id, status: 'declined', failureCode: failureCode ?? reason ?? 'unknown' }
}
