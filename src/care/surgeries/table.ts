import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Role } from '../../kernel/access/rules.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import type { ItemKind } from './checklist-rules.ts'
import type { Anaesthesia, CaseProcedure, SurgeryStatus } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Surgical cases. The times that they occupy are in time_holds. */
export const surgeries = pgTable(
  'surgeries',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** In order, with names, so that a retired procedure stays named here. */
    procedures: jsonb('procedures').$type<CaseProcedure[]>().notNull(),
    surgeonId: uuid('surgeon_id').references(() => profiles.id),
    /** Accounts, which are never deleted. */
    assistantIds: uuid('assistant_ids').array().notNull().default([]),
    anaesthesia: text('anaesthesia').$type<Anaesthesia>().notNull(),
    roomId: uuid('room_id').references(() => rooms.id),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    status: text('status').$type<SurgeryStatus>().notNull().default('tentative'),
    /** Set if cancelled. */
    cancelReason: text('cancel_reason'),
    implants: text('implants'),
    /** Null if not set yet. */
    priceCents: bigint('price_cents', { mode: 'number' }),
    notes: text('notes'),
    idempotencyKey: uuid('idempotency_key').unique(),
    /** Hash of the request made with the key. */
    payloadHash: text('payload_hash'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('surgeries_times', sql`${t.startsAt} < ${t.endsAt}`),
    check('surgeries_status', sql`${t.status} in ('tentative', 'confirmed', 'completed', 'postponed', 'cancelled')`),
    check('surgeries_anaesthesia', sql`${t.anaesthesia} in ('none', 'local', 'sedation', 'general')`),
    check('surgeries_cancelled', sql`(${t.status} = 'cancelled') = (${t.cancelReason} is not null)`),
    check('surgeries_price', sql`${t.priceCents} >= 0`),
    index('surgeries_contact').on(t.contactId, t.startsAt),
    index('surgeries_start').on(t.startsAt),
  ],
)

/** Checklist items for every new case, or for cases with a procedure. */
export const checklistTemplates = pgTable(
  'checklist_templates',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** Null for every case. */
    procedureId: uuid('procedure_id').references(() => procedures.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<ItemKind>().notNull(),
    words: text('words').notNull(),
    ownerRole: text('owner_role').$type<Role>().notNull(),
    /** Days relative to the surgery; negative before it. */
    dueDays: integer('due_days').notNull(),
    isRequired: boolean('is_required').notNull().default(true),
  },
  (t) => [index('checklist_templates_procedure').on(t.procedureId)],
)

/** The checklist of a case: the template items when it was booked, and later additions. */
export const surgeryItems = pgTable(
  'surgery_items',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    surgeryId: uuid('surgery_id')
      .notNull()
      .references(() => surgeries.id),
    /** The procedure whose template added the item, so that both can be removed together. */
    procedureId: uuid('procedure_id'),
    kind: text('kind').$type<ItemKind>().notNull(),
    words: text('words').notNull(),
    ownerRole: text('owner_role').$type<Role>().notNull(),
    dueDays: integer('due_days').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    isRequired: boolean('is_required').notNull(),
    doneOn: date('done_on', { mode: 'string' }),
    doneBy: uuid('done_by'),
    note: text('note'),
  },
  (t) => [index('surgery_items_surgery').on(t.surgeryId)],
)
