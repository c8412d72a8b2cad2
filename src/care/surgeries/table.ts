import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import type { ItemKind } from './checklist-rules.ts'
import type { PhaseOutcome, SafetyAnswer, SafetyPhase } from './safety-rules.ts'
import type { Anaesthesia, CaseProcedure, SurgeryStatus } from './rules.ts'

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

/**
 * Answers of the surgical safety checklist. A later answer to an item replaces an earlier one, which stays. Immutable, and deleted only with
 * the surgery (enforced by triggers).
 */
export const safetyAnswers = pgTable(
  'safety_answers',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    surgeryId: uuid('surgery_id')
      .notNull()
      .references(() => surgeries.id),
    /** The day of the surgery: on another day, the checklist begins again. */
    day: date('day', { mode: 'string' }).notNull(),
    phase: text('phase').$type<SafetyPhase>().notNull(),
    item: text('item').notNull(),
    answer: text('answer').$type<SafetyAnswer>().notNull(),
    note: text('note'),
    answeredBy: uuid('answered_by')
      .notNull()
      .references(() => profiles.id),
    answeredAt: instant('answered_at').notNull(),
  },
  (t) => [
    check('safety_answers_phase', sql`${t.phase} in ('sign_in', 'time_out', 'sign_out')`),
    check('safety_answers_answer', sql`${t.answer} in ('yes', 'no', 'not_applicable')`),
    index('safety_answers_surgery').on(t.surgeryId, t.id),
  ],
)

/** Closed phases of the surgical safety checklist. Immutable, and deleted only with the surgery (enforced by triggers). */
export const safetyPhases = pgTable(
  'safety_phases',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    surgeryId: uuid('surgery_id')
      .notNull()
      .references(() => surgeries.id),
    /** As of the answers. Null: on any day, for surgeries from before the checklist existed. */
    day: date('day', { mode: 'string' }),
    phase: text('phase').$type<SafetyPhase>().notNull(),
    outcome: text('outcome').$type<PhaseOutcome>().notNull(),
    /** Of a phase that was waived. */
    reason: text('reason'),
    /** The name and birth date that the team compared with the patient. */
    identity: jsonb('identity').$type<{ name: string; dateOfBirth: string }>(),
    /** Null for surgeries from before the checklist existed. */
    closedBy: uuid('closed_by').references(() => profiles.id),
    closedAt: instant('closed_at').notNull(),
  },
  (t) => [
    check('safety_phases_phase', sql`${t.phase} in ('sign_in', 'time_out', 'sign_out')`),
    check('safety_phases_outcome', sql`${t.outcome} in ('confirmed', 'waived')`),
    check('safety_phases_waived', sql`(${t.outcome} = 'waived') = (${t.reason} is not null)`),
    check(
      'safety_phases_identity',
      sql`(${t.outcome} = 'confirmed' and ${t.phase} in ('sign_in', 'time_out')) = (${t.identity} is not null)`,
    ),
    unique('safety_phases_once').on(t.surgeryId, t.day, t.phase).nullsNotDistinct(),
  ],
)
