import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { QuoteLine, QuotePart, QuoteTax } from './contract.ts'
import type { QuoteStatus } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const cents = (name: string) => bigint(name, { mode: 'number' })

/** What quotes are called, 'Quote 1042'. */
export const quoteNumbers = pgSequence('quote_numbers', { startWith: 1001 })

/**
 * Quotes, each version a row: the versions of a quote have its number. What was sent stays as it was sent (a trigger sees to it); only what
 * has become of it changes.
 */
export const quotes = pgTable(
  'quotes',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    number: integer('number').notNull(),
    /** Which version of the quote it is, from 1. */
    revision: integer('revision').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The surgical case that it prices. It goes with its patient and never alone, so nothing refers to one that is gone. */
    surgeryId: uuid('surgery_id'),
    title: text('title').notNull(),
    /** What the patient reads below the lines. */
    note: text('note'),
    status: text('status').$type<QuoteStatus>().notNull().default('draft'),
    /** The last day on which it can be accepted, on the practice's calendar. */
    validUntil: date('valid_until', { mode: 'string' }).notNull(),
    lines: jsonb('lines').$type<QuoteLine[]>().notNull(),
    taxes: jsonb('taxes').$type<QuoteTax[]>().notNull(),
    subtotalCents: cents('subtotal_cents').notNull(),
    /** In hundredths of a percent; null: the discount is an amount, or there is none. */
    discountPercent: integer('discount_percent'),
    /** What is taken off the subtotal before tax. */
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
    /** The address that it was last sent to; null: it was handed over. */
    sentTo: text('sent_to'),
    acceptedAt: instant('accepted_at'),
    /** Null: the patient did, in the portal. */
    acceptedBy: uuid('accepted_by').references(() => profiles.id),
    /** The name that was typed as a signature. */
    acceptedName: text('accepted_name'),
    /** The network address that it was accepted from. */
    acceptedAddress: text('accepted_address'),
    /** The charge that accepting it has added to the ledger. */
    chargeId: uuid('charge_id'),
    /** What its case cost before a quote priced it. */
    priceBeforeCents: cents('price_before_cents'),
    /** Of one that was declined or withdrawn. */
    endedAt: instant('ended_at'),
    /** Null: the patient did. */
    endedBy: uuid('ended_by').references(() => profiles.id),
    endReason: text('end_reason'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Of what came with the key. */
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
