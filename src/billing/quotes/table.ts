import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgSequence, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { QuoteLine, QuotePart, QuoteTax } from './quote-contract.ts'
import { salesReceipts } from '../payments/table.ts'
import type { FinancingStatus } from './financing-rules.ts'
import type { QuoteStatus } from './rules.ts'

/** Quote numbers, as in 'Quote 1042'. */
export const quoteNumbers = pgSequence('quote_numbers', { startWith: 1001 })

/**
 * Quotes, one row per version; all versions share the quote's number. A sent quote is immutable (enforced by a trigger); only its
 * status changes.
 */
export const quotes = pgTable(
  'quotes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    number: integer('number').notNull(),
    /** Which version of the quote it is, from 1. */
    revision: integer('revision').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The surgical case that it prices. A case is only deleted with its patient, so the reference never dangles. */
    surgeryId: uuid('surgery_id'),
    title: text('title').notNull(),
    /** A note to the patient, printed below the lines. */
    note: text('note'),
    status: text('status').$type<QuoteStatus>().notNull().default('draft'),
    /** The last day on which it can be accepted, in the practice's time zone. */
    validUntil: date('valid_until', { mode: 'string' }).notNull(),
    lines: jsonb('lines').$type<QuoteLine[]>().notNull(),
    taxes: jsonb('taxes').$type<QuoteTax[]>().notNull(),
    subtotalCents: cents('subtotal_cents').notNull(),
    /** In hundredths of a percent; null for an amount, or without a discount. */
    discountPercent: integer('discount_percent'),
    /** The discount amount before tax. */
    discountCents: cents('discount_cents').notNull().default(0),
    taxCents: cents('tax_cents').notNull(),
    totalCents: cents('total_cents').notNull(),
    /** Due on acceptance; with the instalments it sums to the total. */
    depositCents: cents('deposit_cents').notNull(),
    /** Null: 'Deposit'. */
    depositName: text('deposit_name'),
    instalments: jsonb('instalments').$type<QuotePart[]>().notNull(),
    isBeforeSurgery: boolean('is_before_surgery').notNull(),
    sentAt: instant('sent_at'),
    sentBy: uuid('sent_by').references(() => profiles.id),
    /** The address that it was last sent to; null: delivered in person. */
    sentTo: text('sent_to'),
    acceptedAt: instant('accepted_at'),
    /** Null: accepted by the patient in the portal. */
    acceptedBy: uuid('accepted_by').references(() => profiles.id),
    /** The name typed as a signature. */
    acceptedName: text('accepted_name'),
    /** The IP address that it was accepted from. */
    acceptedAddress: text('accepted_address'),
    /** The ledger charge created on acceptance. */
    chargeId: uuid('charge_id'),
    /** The case's price before a quote set it. */
    priceBeforeCents: cents('price_before_cents'),
    /** When and why it was declined or withdrawn. */
    endedAt: instant('ended_at'),
    /** Null: the patient. */
    endedBy: uuid('ended_by').references(() => profiles.id),
    endReason: text('end_reason'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Hash of the request sent with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('quotes_revision').on(t.number, t.revision),
    check('quotes_status', sql`${t.status} in ('draft', 'sent', 'accepted', 'declined', 'superseded', 'withdrawn')`),
    check('quotes_total', sql`${t.totalCents} = ${t.subtotalCents} - ${t.discountCents} + ${t.taxCents} and ${t.totalCents} > 0`),
    check('quotes_discount', sql`${t.discountCents} between 0 and ${t.subtotalCents} and ${t.discountPercent} between 1 and 10000`),
    check('quotes_deposit', sql`${t.depositCents} between 0 and ${t.totalCents}`),
    check('quotes_accepted', sql`${t.status} <> 'accepted' or (${t.acceptedAt} is not null and ${t.chargeId} is not null)`),
    check('quotes_ended', sql`(${t.status} in ('declined', 'withdrawn')) = (${t.endedAt} is not null)`),
    index('quotes_contact').on(t.contactId, t.number),
    index('quotes_surgery').on(t.surgeryId),
  ],
)

/** Patients' applications to have a quote financed. A quote has at most one that was not declined. */
export const quoteFinancings = pgTable(
  'quote_financings',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    quoteId: uuid('quote_id')
      .notNull()
      .references(() => quotes.id),
    provider: text('provider').notNull(),
    status: text('status').$type<FinancingStatus>().notNull().default('applied'),
    appliedOn: date('applied_on', { mode: 'string' }).notNull(),
    decidedOn: date('decided_on', { mode: 'string' }),
    approvedCents: cents('approved_cents'),
    /** What the company keeps, in hundredths of a percent. */
    feePercent: integer('fee_percent'),
    /** The receipt of the payment, with its fee. */
    receiptId: uuid('receipt_id').references(() => salesReceipts.id),
    paidOn: date('paid_on', { mode: 'string' }),
    /** What reached the clinic, and what the company kept. */
    paidCents: cents('paid_cents'),
    feeCents: cents('fee_cents'),
    /** When someone was asked about an approval that was not paid. */
    remindedAt: instant('reminded_at'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('quote_financings_open')
      .on(t.quoteId)
      .where(sql`${t.status} <> 'declined'`),
    index('quote_financings_quote').on(t.quoteId),
    index('quote_financings_status').on(t.status, t.decidedOn),
    check('quote_financings_status', sql`${t.status} in ('applied', 'approved', 'declined', 'paid')`),
    check('quote_financings_approved', sql`${t.status} <> 'approved' or (${t.approvedCents} > 0 and ${t.decidedOn} is not null)`),
    check(
      'quote_financings_paid',
      sql`(${t.status} = 'paid') = (${t.paidOn} is not null and ${t.paidCents} is not null and ${t.feeCents} is not null)`,
    ),
  ],
)
