import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { salesReceipts } from '../payments/table.ts'
import type { PrepaidEntryKind, PrepaidKind } from './rules.ts'

/**
 * Gift cards, packages and store credit. Like receipts, they name the QuickBooks customer who bought them, not the patient: the practice owes them whatever
 * becomes of a patient's record. The balance is the sum of the entries, and never negative.
 */
export const prepaidAccounts = pgTable(
  'prepaid_accounts',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    kind: text('kind').$type<PrepaidKind>().notNull(),
    customerId: text('customer_id').notNull(),
    /** The sale, and the line of it. Null for store credit, of which a customer has one account. */
    receiptId: uuid('receipt_id').references(() => salesReceipts.id),
    line: integer('line'),
    /** Of a gift card: the hash of its code, the code itself sealed for the receipt, and its last characters. */
    codeHash: text('code_hash').unique(),
    sealedCode: text('sealed_code'),
    last4: text('last4'),
    /** Of a package: the item in QuickBooks whose sessions it has. */
    itemId: text('item_id'),
    itemName: text('item_name'),
    sessions: integer('sessions'),
    /** Its last day. Null: it does not expire. */
    expiresOn: date('expires_on', { mode: 'string' }),
    balanceCents: cents('balance_cents').notNull().default(0),
    sessionsLeft: integer('sessions_left').notNull().default(0),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('prepaid_accounts_customer').on(t.customerId),
    index('prepaid_accounts_receipt').on(t.receiptId),
    uniqueIndex('prepaid_accounts_credit')
      .on(t.customerId)
      .where(sql`${t.kind} = 'credit'`),
    check('prepaid_accounts_balance', sql`${t.balanceCents} >= 0 and ${t.sessionsLeft} >= 0`),
    check('prepaid_accounts_kind', sql`${t.kind} in ('gift-card', 'package', 'credit')`),
    check('prepaid_accounts_code', sql`(${t.kind} = 'gift-card') = (${t.codeHash} is not null)`),
    check('prepaid_accounts_package', sql`(${t.kind} = 'package') = (${t.sessions} is not null)`),
    /** A gift card and store credit are money, which does not expire (docs/decisions/prepaid.md). */
    check('prepaid_accounts_expiry', sql`${t.kind} = 'package' or ${t.expiresOn} is null`),
  ],
)

/** What changed a balance. Entries are only added: triggers refuse anything else and keep the balance (drizzle/). */
export const prepaidEntries = pgTable(
  'prepaid_entries',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => prepaidAccounts.id),
    kind: text('kind').$type<PrepaidEntryKind>().notNull(),
    amountCents: cents('amount_cents').notNull(),
    /** Of a package. */
    sessions: integer('sessions').notNull().default(0),
    /** The sale or refund that it is part of. */
    receiptId: uuid('receipt_id')
      .notNull()
      .references(() => salesReceipts.id),
    /** Why staff gave or took it. */
    reason: text('reason'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    /** Each receipt changes a balance once. */
    uniqueIndex('prepaid_entries_receipt').on(t.receiptId, t.accountId, t.kind),
    index('prepaid_entries_account').on(t.accountId, t.createdAt),
    check('prepaid_entries_amount', sql`${t.amountCents} <> 0 or ${t.sessions} <> 0`),
  ],
)

export type PrepaidAccount = typeof prepaidAccounts.$inferSelect
