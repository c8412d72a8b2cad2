import { sql } from 'drizzle-orm'
import { boolean, check, date, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { cents, instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { salesReceipts } from '../payments/table.ts'
import type { ChargeSource, EntryKind, Instalment, NoteKind } from './rules.ts'

/**
 * The ledger: immutable entries whose amounts sum to the patient's balance. A charge adds to it; a payment, write-off or
 * void reduces it and references the charge.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    kind: text('kind').$type<EntryKind>().notNull(),
    amountCents: cents('amount_cents').notNull(),
    /** The charge that this entry credits; null for a charge itself. */
    chargeId: uuid('charge_id'),
    /** For a payment or its release: the receipt. */
    receiptId: uuid('receipt_id').references(() => salesReceipts.id),
    description: text('description').notNull(),
    /** For a charge. */
    dueOn: date('due_on', { mode: 'string' }),
    isBeforeSurgery: boolean('is_before_surgery').notNull().default(false),
    plan: jsonb('plan').$type<Instalment[]>(),
    /** How the charge was created: by staff, by an accepted quote, or as the fee of a visit. */
    source: text('source').$type<ChargeSource>().notNull().default('staff'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Hash of the request sent with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('ledger_entries_contact').on(t.contactId, t.createdAt),
    index('ledger_entries_charge').on(t.chargeId),
    index('ledger_entries_receipt').on(t.receiptId),
    check('ledger_entries_sign', sql`(${t.amountCents} > 0) = (${t.kind} in ('charge', 'release')) and ${t.amountCents} <> 0`),
    check('ledger_entries_charge_named', sql`(${t.kind} = 'charge') = (${t.chargeId} is null)`),
  ],
)

/** Collection notes: promises to pay, surgery holds and releases, and reminders sent. */
export const collectionNotes = pgTable(
  'collection_notes',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    kind: text('kind').$type<NoteKind>().notNull(),
    /** For a promise, the promised amount; for a reminder, the balance it stated. */
    amountCents: cents('amount_cents'),
    /** For a promise. */
    dueOn: date('due_on', { mode: 'string' }),
    note: text('note'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Hash of the request sent with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('collection_notes_contact').on(t.contactId, t.createdAt)],
)
