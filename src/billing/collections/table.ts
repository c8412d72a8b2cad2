import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { salesReceipts } from '../payments/table.ts'
import type { ChargeSource, EntryKind, Instalment, NoteKind } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const cents = (name: string) => bigint(name, { mode: 'number' })

/**
 * What patients owe: entries that are written once and never changed, whose amounts sum to the balance. A charge adds; what is paid, written
 * off or made void of it takes away, and names it.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    kind: text('kind').$type<EntryKind>().notNull(),
    amountCents: cents('amount_cents').notNull(),
    /** Of everything but a charge: which one it is of. */
    chargeId: uuid('charge_id'),
    /** Of a payment and its release: out of which receipt. */
    receiptId: uuid('receipt_id').references(() => salesReceipts.id),
    description: text('description').notNull(),
    /** Of a charge. */
    dueOn: date('due_on', { mode: 'string' }),
    isBeforeSurgery: boolean('is_before_surgery').notNull().default(false),
    plan: jsonb('plan').$type<Instalment[]>(),
    /** What made the charge: staff by hand, or an accepted quote. */
    source: text('source').$type<ChargeSource>().notNull().default('staff'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Of what came with the key. */
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

/** Notes about what a patient owes: a promise to pay by a day, a hold on their surgery or its release, and each reminder that was sent. */
export const collectionNotes = pgTable(
  'collection_notes',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    kind: text('kind').$type<NoteKind>().notNull(),
    /** Of a promise what was promised, of a reminder the balance that it named. */
    amountCents: cents('amount_cents'),
    /** Of a promise. */
    dueOn: date('due_on', { mode: 'string' }),
    note: text('note'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Of what came with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('collection_notes_contact').on(t.contactId, t.createdAt)],
)
