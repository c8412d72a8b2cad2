import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, jsonb, pgTable, pgView, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { PrepaidUse } from '../prepaid/rules.ts'
import type { ReceiptKind, ReceiptLine, ReceiptState, ReceiptTax } from './contract.ts'

/**
 * Sales receipts (spec 3, 4) and their refunds: stored as pending before QuickBooks is called, with the `request_id` that it will know
 * them by. They reference the customer, not the patient, because a sale outlives a patient's record. A refund's amounts are
 * negative, so that sums are net amounts.
 */
export const salesReceipts = pgTable(
  'sales_receipts',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    kind: text('kind').$type<ReceiptKind>().notNull().default('sale'),
    /** For a refund: the sale and the reason. */
    refundOf: uuid('refund_of').references((): AnyPgColumn => salesReceipts.id),
    refundReason: text('refund_reason'),
    state: text('state').$type<ReceiptState>().notNull().default('pending'),
    idempotencyKey: uuid('idempotency_key').notNull().unique(),
    /** Hash of the payload sent with the key. */
    payloadHash: text('payload_hash').notNull(),
    requestId: text('request_id').notNull().unique(),
    realmId: text('realm_id').notNull(),
    customerId: text('customer_id').notNull(),
    customerName: text('customer_name').notNull(),
    /** A refund's lines have the position of the line that they refund. */
    lines: jsonb('lines').$type<(ReceiptLine & { refunds?: number })[]>().notNull(),
    taxes: jsonb('taxes').$type<(ReceiptTax & { rateId: string | null })[]>().notNull(),
    subtotalCents: cents('subtotal_cents').notNull(),
    /** In hundredths of a percent. */
    discountPercent: integer('discount_percent').notNull(),
    discountCents: cents('discount_cents').notNull(),
    taxCents: cents('tax_cents').notNull(),
    totalCents: cents('total_cents').notNull(),
    /** The part of the total that prepaid balances pay, and their amounts; the rest is money. Negative in a refund, which gives it back to them. */
    prepaidCents: cents('prepaid_cents').notNull().default(0),
    prepaid: jsonb('prepaid').$type<PrepaidUse[]>().notNull().default([]),
    /** The part of the total that is prepaid by this sale, tax included: no charge may use it. Negative in a refund. */
    issuedCents: cents('issued_cents').notNull().default(0),
    depositAccountId: text('deposit_account_id').notNull(),
    depositAccountName: text('deposit_account_name').notNull(),
    classId: text('class_id'),
    className: text('class_name'),
    paymentMethod: text('payment_method'),
    /** The ledger charge that this pays once the receipt is complete. */
    chargeId: uuid('charge_id'),
    /** Whether it is a deposit: patient credit for future treatment, not the price of the items. */
    isDeposit: boolean('is_deposit').notNull().default(false),
    memo: text('memo'),
    qbId: text('qb_id'),
    docNumber: text('doc_number'),
    /** QuickBooks' own total. */
    qbTotalCents: cents('qb_total_cents'),
    /** QuickBooks was called and did not clearly refuse, so it may have the receipt. */
    isUncertain: boolean('is_uncertain').notNull(),
    /** A process is settling the receipt, and is presumed dead after this time. */
    settlingUntil: instant('settling_until'),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    /** When it was added to the patient's timeline. */
    loggedAt: instant('logged_at'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    uniqueIndex('sales_receipts_qb').on(t.realmId, t.qbId),
    index('sales_receipts_open')
      .on(t.createdAt)
      .where(sql`${t.state} in ('pending', 'failed')`),
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

/** SQL for the refunded amount of a receipt in cents, including refunds not yet in QuickBooks. */
export const refundedCents = sql<number>`coalesce((select -sum(refund.total_cents) from sales_receipts refund where refund.refund_of = "sales_receipts"."id" and refund.state in ('pending', 'complete')), 0)::float8`

/** SQL for the part of a receipt that stays prepaid, after refunds, in cents. */
export const stillIssuedCents = sql<number>`("sales_receipts"."issued_cents" + coalesce((select sum(refund.issued_cents) from sales_receipts refund where refund.refund_of = "sales_receipts"."id" and refund.state in ('pending', 'complete')), 0))::float8`

/** What the portal's role may read: complete receipts of the patient whose id is in the transaction (see portal/guard.ts). */
export const ownReceipts = pgView('own_receipts', {
  id: uuid('id').notNull(),
  kind: text('kind').$type<ReceiptKind>().notNull(),
  docNumber: text('doc_number'),
  qbId: text('qb_id'),
  lines: jsonb('lines').$type<ReceiptLine[]>().notNull(),
  isDeposit: boolean('is_deposit').notNull(),
  totalCents: cents('total_cents').notNull(),
  paymentMethod: text('payment_method'),
  createdAt: instant('created_at').notNull(),
}).existing()
