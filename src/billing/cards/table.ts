import { sql } from 'drizzle-orm'
import { check, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Language } from '../../shared/translations.ts'
import { salesReceipts } from '../payments/table.ts'
import type { ReceiptPayload } from '../pos/contract.ts'
import type { InstalmentStatus } from './automatic-rules.ts'
import type { CardPurpose, CardStatus } from './rules.ts'

/**
 * Payments by card, kept before Stripe is called. The id is the idempotency key with Stripe, so that there is one payment intent for each. A paid
 * one becomes a sales receipt (book.ts), which is what the ledger and QuickBooks know.
 */
export const cardPayments = pgTable(
  'card_payments',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    purpose: text('purpose').$type<CardPurpose>().notNull(),
    /** What is paid: a booking, a charge, a quote or the patient's balance, by the purpose. */
    referenceId: uuid('reference_id').notNull(),
    /** The charge of the ledger that it pays. */
    chargeId: uuid('charge_id'),
    description: text('description').notNull(),
    amountCents: cents('amount_cents').notNull(),
    currency: text('currency').notNull().default('cad'),
    status: text('status').$type<CardStatus>().notNull().default('started'),
    /** Stripe's ids of the payment intent and of the charge that succeeded. */
    stripePaymentId: text('stripe_payment_id').unique(),
    stripeChargeId: text('stripe_charge_id'),
    /** Why the last attempt failed: Stripe's code. */
    failureCode: text('failure_code'),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    /** The wording that the patient agreed to when they chose to save the card; null: the card is not kept. */
    consentText: text('consent_text'),
    consentLanguage: text('consent_language').$type<Language>(),
    /** The wording with which the patient agreed to have later instalments charged to this card; null: they did not. */
    automaticText: text('automatic_text'),
    /** For a sale at the desk: what is sold, which is recorded once it is paid, and the reader. */
    sale: jsonb('sale').$type<ReceiptPayload>(),
    readerId: text('reader_id'),
    /** Where the payment was started from, as evidence in a dispute. */
    address: text('address'),
    device: text('device'),
    /** Why all of it goes back to the card, once it has a receipt, and the key of that refund. */
    refundReason: text('refund_reason'),
    refundKey: uuid('refund_key'),
    /** The receipt that it became, and why it has none yet. A payment of nothing, which only keeps the card, becomes none. */
    receiptId: uuid('receipt_id').references(() => salesReceipts.id),
    bookedAt: instant('booked_at'),
    bookingProblem: text('booking_problem'),
    idempotencyKey: uuid('idempotency_key').notNull().unique(),
    /** Hash of the request sent with the key. */
    payloadHash: text('payload_hash').notNull(),
    /** Null: the patient. */
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    paidAt: instant('paid_at'),
  },
  (t) => [
    check('card_payments_amount', sql`${t.amountCents} between 50 and 99999999 or (${t.amountCents} = 0 and ${t.purpose} = 'deposit')`),
    check('card_payments_status', sql`${t.status} in ('started', 'open', 'processing', 'paid', 'cancelled')`),
    check('card_payments_paid', sql`(${t.status} = 'paid') = (${t.paidAt} is not null)`),
    /** One payment at a time for one thing: a second page continues the first's. */
    uniqueIndex('card_payments_unsettled')
      .on(t.purpose, t.referenceId)
      .where(sql`${t.status} in ('started', 'open', 'processing')`),
    index('card_payments_contact').on(t.contactId, t.createdAt),
    index('card_payments_unbooked')
      .on(t.updatedAt)
      .where(sql`${t.bookedAt} is null and ${t.status} <> 'cancelled'`),
    index('card_payments_receipt').on(t.receiptId),
    index('card_payments_charge').on(t.stripeChargeId),
  ],
)

/** Money given back to cards. The id is that of the refund receipt, and the idempotency key with Stripe. */
export const cardRefunds = pgTable(
  'card_refunds',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => salesReceipts.id),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => cardPayments.id),
    amountCents: cents('amount_cents').notNull(),
    status: text('status').$type<'started' | 'done' | 'failed'>().notNull().default('started'),
    stripeRefundId: text('stripe_refund_id').unique(),
    /** Why Stripe refused it. */
    problem: text('problem'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('card_refunds_payment').on(t.paymentId),
    index('card_refunds_started')
      .on(t.updatedAt)
      .where(sql`${t.status} = 'started'`),
    check('card_refunds_amount', sql`${t.amountCents} > 0`),
  ],
)

/** Payments that cardholders dispute with their bank, by Stripe's id. */
export const cardDisputes = pgTable(
  'card_disputes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** Of the statement to the bank. */
    version: integer('version').notNull().default(1),
    stripeDisputeId: text('stripe_dispute_id').notNull().unique(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => cardPayments.id),
    amountCents: cents('amount_cents').notNull(),
    /** Stripe's words, such as 'fraudulent' and 'needs_response'. */
    reason: text('reason').notNull(),
    status: text('status').notNull(),
    /** By when evidence has to be submitted. */
    dueBy: instant('due_by'),
    /** What staff write to the bank; null: not changed from what was prepared. */
    evidenceText: text('evidence_text'),
    /** What is submitted, word for word, with the idempotency key with Stripe, and since when. Null again if Stripe refuses it, with the reason. */
    evidence: jsonb('evidence').$type<Record<string, string>>(),
    evidenceKey: uuid('evidence_key'),
    evidenceBy: uuid('evidence_by').references(() => profiles.id),
    evidenceAt: instant('evidence_at'),
    evidenceProblem: text('evidence_problem'),
    /** When Stripe had it. */
    submittedAt: instant('submitted_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('card_disputes_payment').on(t.paymentId),
    index('card_disputes_created').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
)

/** Patients' customers at Stripe. A patient may have several, for example after a merge. */
export const cardCustomers = pgTable(
  'card_customers',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    customerId: text('customer_id').notNull().unique(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('card_customers_contact').on(t.contactId)],
)

/** Cards that patients agreed to have kept at Stripe, with the wording that they agreed to. The number is never here. */
export const savedCards = pgTable(
  'saved_cards',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** Stripe's id of the payment method. */
    methodId: text('method_id').notNull().unique(),
    /** The key of the booking for which it was left: only the fee of that visit may be charged to it. Null: whatever the consent allows. */
    bookingId: uuid('booking_id'),
    brand: text('brand').notNull(),
    last4: text('last4').notNull(),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    consentText: text('consent_text').notNull(),
    consentLanguage: text('consent_language').$type<Language>().notNull(),
    consentedAt: instant('consented_at').notNull(),
    consentAddress: text('consent_address'),
    /** When the patient was asked for another card because this one expires. */
    warnedAt: instant('warned_at'),
    removedAt: instant('removed_at'),
  },
  (t) => [
    index('saved_cards_contact').on(t.contactId),
    index('saved_cards_expiry')
      .on(t.expiryYear, t.expiryMonth)
      .where(sql`${t.removedAt} is null and ${t.warnedAt} is null`),
  ],
)

/** Patients' consent to have their instalments charged to their saved card as they fall due. A patient has at most one that has not ended. */
export const automaticPayments = pgTable(
  'automatic_payments',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    consentText: text('consent_text').notNull(),
    consentLanguage: text('consent_language').$type<Language>().notNull(),
    consentedAt: instant('consented_at').notNull(),
    consentAddress: text('consent_address'),
    endedAt: instant('ended_at'),
    /** Who ended it. Null: the patient, or it has not ended. */
    endedBy: uuid('ended_by').references(() => profiles.id),
  },
  (t) => [
    index('automatic_payments_contact').on(t.contactId),
    index('automatic_payments_open')
      .on(t.contactId)
      .where(sql`${t.endedAt} is null`),
  ],
)

/** Attempts to charge an instalment. The id is the key of the card payment, so that each is charged once. */
export const instalmentCharges = pgTable(
  'instalment_charges',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The charge of the ledger, and the day on which the instalment is due. */
    chargeId: uuid('charge_id').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    attempt: integer('attempt').notNull(),
    /** What was announced; at most this is charged. */
    amountCents: cents('amount_cents').notNull(),
    /** What was charged, which is less where a part was paid in the meantime. */
    chargedCents: cents('charged_cents'),
    status: text('status').$type<InstalmentStatus>().notNull(),
    /** The day from which it is charged. */
    chargeOn: date('charge_on', { mode: 'string' }).notNull(),
    failureCode: text('failure_code'),
    paymentId: uuid('payment_id').references(() => cardPayments.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('instalment_charges_attempt').on(t.chargeId, t.dueOn, t.attempt),
    index('instalment_charges_contact').on(t.contactId, t.createdAt),
    index('instalment_charges_open')
      .on(t.chargeOn)
      .where(sql`${t.status} in ('announced', 'charging', 'processing')`),
    check('instalment_charges_status', sql`${t.status} in ('announced', 'charging', 'processing', 'paid', 'declined', 'skipped')`),
    check('instalment_charges_amount', sql`${t.amountCents} >= 50 and ${t.attempt} between 1 and 3`),
  ],
)

/** Events of Stripe that were accepted, so that each is followed once. Deleted after 30 days, when Stripe no longer repeats them. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [index('stripe_events_received').on(t.receivedAt)],
)

/** Whether a payment towards what a patient owes is as good as money that the ledger does not know yet. */
export const isUnbooked = sql<boolean>`(${cardPayments.status} in ('processing', 'paid') and ${cardPayments.bookedAt} is null
  and ${cardPayments.purpose} not in ('deposit', 'sale'))`
export type CardPayment = typeof cardPayments.$inferSelect
