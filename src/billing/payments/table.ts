import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn, bigint, boolean, check, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid,
} from 'drizzle-orm/pg-core' // biome-ignore format: a list reads better in rows
import { profiles } from '../../platform/auth/table.ts'
import type { ReceiptKind, ReceiptLine, ReceiptState, ReceiptTax } from './contract.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const cents = (name: string) => bigint(name, { mode: 'number' })

/**
 * Sales receipts (spec 3, 4) and their refunds: kept as pending before QuickBooks is asked, with the `request_id` under which it will know
 * them. They name the customer, not the patient: the books keep a sale whatever becomes of a patient's record. A refund's amounts are
 * negative, so that whatever is summed is what is left.
 */
export const salesReceipts = pgTable(
  'sales_receipts',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    kind: text('kind').$type<ReceiptKind>().notNull().default('sale'),
    /** Of a refund: the sale, and why. */
    refundOf: uuid('refund_of').references((): AnyPgColumn => salesReceipts.id),
    refundReason: text('refund_reason'),
    state: text('state').$type<ReceiptState>().notNull().default('pending'),
    idempotencyKey: uuid('idempotency_key').notNull().unique(),
    /** Of the payload that came with the key. */
    payloadHash: text('payload_hash').notNull(),
    requestId: text('request_id').notNull().unique(),
    realmId: text('realm_id').notNull(),
    customerId: text('customer_id').notNull(),
    customerName: text('customer_name').notNull(),
    /** Each of a refund's names the place of the line that it refunds. */
    lines: jsonb('lines').$type<(ReceiptLine & { refunds?: number })[]>().notNull(),
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
    /** What a patient owes that this pays: a charge of their ledger, which takes it once the receipt is complete. */
    chargeId: uuid('charge_id'),
    /** Taken as a deposit: a credit of the patient for what is to come, not the price of the items. */
    isDeposit: boolean('is_deposit').notNull().default(false),
    memo: text('memo'),
    qbId: text('qb_id'),
    docNumber: text('doc_number'),
    /** QuickBooks' own total. */
    qbTotalCents: cents('qb_total_cents'),
    /** QuickBooks was asked and has not clearly said no: it may have it. */
    isUncertain: boolean('is_uncertain').notNull(),
    /** Someone is asking QuickBooks at the moment, and is taken for dead after this. */
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
    index('sales_receipts_refund_of').on(t.refundOf),
    check(
      'sales_receipts_refund',
      sql`(${t.kind} = 'refund') = (${t.refundOf} is not null) and (${t.kind} = 'refund') = (${t.totalCents} < 0)`,
    ),
    check('sales_receipts_adds_up', sql`${t.totalCents} = ${t.subtotalCents} - ${t.discountCents} + ${t.taxCents}`),
  ],
)

/** Of a receipt in a query: what was given back of it, in cents. A refund that QuickBooks does not have yet counts. */
export const refundedCents = sql<number>`coalesce((select -sum(refund.total_cents) from sales_receipts refund where refund.refund_of = "sales_receipts"."id" and refund.state in ('pending', 'complete')), 0)::float8`
