import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Difference, PayoutStatus } from './rules.ts'

/** Stripe's payouts to the practice's bank account. Sums are set once all transactions are read (`reconciledAt`). */
export const payouts = pgTable(
  'payouts',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    stripePayoutId: text('stripe_payout_id').notNull().unique(),
    status: text('status').$type<PayoutStatus>().notNull(),
    amountCents: cents('amount_cents').notNull(),
    currency: text('currency').notNull(),
    isAutomatic: boolean('is_automatic').notNull(),
    /** The day on which the bank has it. */
    arrivesOn: date('arrives_on', { mode: 'string' }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** The last transaction that was read, from which reading goes on. */
    readUpTo: text('read_up_to'),
    isRead: boolean('is_read').notNull().default(false),
    reconciledAt: instant('reconciled_at'),
    grossCents: cents('gross_cents').notNull().default(0),
    refundCents: cents('refund_cents').notNull().default(0),
    disputeCents: cents('dispute_cents').notNull().default(0),
    otherCents: cents('other_cents').notNull().default(0),
    feeCents: cents('fee_cents').notNull().default(0),
    differences: jsonb('differences').$type<Difference[]>().notNull().default([]),
    /** Why someone accepted the differences. */
    acceptedReason: text('accepted_reason'),
    acceptedBy: uuid('accepted_by').references(() => profiles.id),
    acceptedAt: instant('accepted_at'),
    /** Why it is not in QuickBooks yet, before QuickBooks was asked. */
    postingProblem: text('posting_problem'),
  },
  (t) => [
    index('payouts_created').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('payouts_unreconciled')
      .on(t.createdAt)
      .where(sql`${t.reconciledAt} is null`),
    check('payouts_accepted', sql`(${t.acceptedAt} is null) = (${t.acceptedReason} is null)`),
  ],
)

/** The transactions of Stripe's balance that a payout holds, by Stripe's id. They name charges, refunds and disputes by Stripe's ids, not patients. */
export const payoutTransactions = pgTable(
  'payout_lines',
  {
    id: text('id').primaryKey(),
    payoutId: uuid('payout_id')
      .notNull()
      .references(() => payouts.id),
    /** Stripe's reporting category. */
    category: text('category').notNull(),
    sourceId: text('source_id'),
    amountCents: cents('amount_cents').notNull(),
    feeCents: cents('fee_cents').notNull(),
    netCents: cents('net_cents').notNull(),
    currency: text('currency').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('payout_lines_payout').on(t.payoutId, t.createdAt), index('payout_lines_source').on(t.sourceId)],
)

/** Payouts in QuickBooks, each once: kept as pending before QuickBooks is called, as receipts are (quickbooks/settle.ts). The id is the payout's. */
export const payoutDeposits = pgTable(
  'payout_deposits',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => payouts.id),
    state: text('state').$type<'pending' | 'complete' | 'failed'>().notNull().default('pending'),
    requestId: text('request_id').notNull().unique(),
    realmId: text('realm_id').notNull(),
    /** What is sent, word for word, however often. */
    body: jsonb('body').$type<object>().notNull(),
    totalCents: cents('total_cents').notNull(),
    qbId: text('qb_id'),
    /** QuickBooks' own total. */
    qbTotalCents: cents('qb_total_cents'),
    isUncertain: boolean('is_uncertain').notNull().default(false),
    settlingUntil: instant('settling_until'),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    /** Null: posted by itself. */
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    completedAt: instant('completed_at'),
  },
  (t) => [
    uniqueIndex('payout_deposits_qb').on(t.realmId, t.qbId),
    check('payout_deposits_state', sql`${t.state} in ('pending', 'complete', 'failed')`),
  ],
)
