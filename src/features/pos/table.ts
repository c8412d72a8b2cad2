import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, bigint, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../auth/table.ts'
import type { ReceiptLine, ReceiptTax } from './contract.ts'
import type { ReceiptState } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const cents = (name: string) => bigint(name, { mode: 'number' })

/**
 * Sales receipts (spec 3, 4): kept as pending before QuickBooks is asked, with the `request_id` under which it will know them. They name the
 * customer, not the patient: the books keep a sale whatever becomes of a patient's record.
 */
export const salesReceipts = pgTable(
  'sales_receipts',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    state: text('state').$type<ReceiptState>().notNull().default('pending'),
    idempotencyKey: uuid('idempotency_key').notNull().unique(),
    /** Of the payload that came with the key. */
    payloadHash: text('payload_hash').notNull(),
    requestId: text('request_id').notNull().unique(),
    realmId: text('realm_id').notNull(),
    customerId: text('customer_id').notNull(),
    customerName: text('customer_name').notNull(),
    lines: jsonb('lines').$type<ReceiptLine[]>().notNull(),
    taxes: jsonb('taxes').$type<(ReceiptTax & { rateId: string | null })[]>().notNull(),
    subtotalCents: cents('subtotal_cents').notNull(),
    /** In hundredths of a percent. */
    discountPercent: integer('discount_percent').notNull(),
    discountCents: cents('discount_cents').notNull(),
    taxCents: cents('tax_cents').notNull(),
    totalCents: cents('total_cents').notNull(),
    depositAccountId: text('deposit_account_id').notNull(),
    depositAccountName: text('deposit_account_name').notNull(),
    classId: text('class_id'),
    className: text('class_name'),
    paymentMethod: text('payment_method'),
    memo: text('memo'),
    qbId: text('qb_id'),
    docNumber: text('doc_number'),
    /** QuickBooks' own total. */
    qbTotalCents: cents('qb_total_cents'),
    /** QuickBooks was asked and has not clearly said no: it may have it. */
    isUncertain: boolean('is_uncertain').notNull(),
    /** Somebody is asking QuickBooks at the moment, and is taken for dead after this. */
    settlingUntil: instant('settling_until'),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    /** When it was put on the patient's timeline. */
    loggedAt: instant('logged_at'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    uniqueIndex('sales_receipts_qb').on(t.realmId, t.qbId),
    index('sales_receipts_open').on(t.createdAt).where(sql`${t.state} in ('pending', 'failed')`),
    index('sales_receipts_created').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('sales_receipts_customer').on(t.customerId),
    check('sales_receipts_adds_up', sql`${t.totalCents} = ${t.subtotalCents} - ${t.discountCents} + ${t.taxCents}`),
  ],
)
