import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { clinicalNotes } from '../../chart/notes/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { surgeries } from '../surgeries/table.ts'
import type { EventKindName, Severity } from './rules.ts'

/** The register of adverse events. None is deleted: one that was recorded in error says so. */
export const adverseEvents = pgTable(
  'adverse_events',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    surgeryId: uuid('surgery_id').references(() => surgeries.id),
    kind: text('kind').$type<EventKindName>().notNull(),
    severity: text('severity').$type<Severity>().notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** When the practice learned of it, which starts the clock. */
    learnedAt: instant('learned_at').notNull(),
    /** Accounts, which are never deleted. */
    peopleIds: uuid('people_ids').array().notNull().default([]),
    others: text('others'),
    /** The last day of its report; null if it need not be reported. */
    dueOn: date('due_on', { mode: 'string' }),
    filedOn: date('filed_on', { mode: 'string' }),
    filedBy: uuid('filed_by').references(() => profiles.id),
    reference: text('reference'),
    /** When administrators were warned of the deadline. */
    warnedAt: instant('warned_at'),
    /** Tasks about the report, which are cancelled once it is filed. */
    taskIds: uuid('task_ids').array().notNull().default([]),
    /** The narrative. A draft can be discarded. */
    noteId: uuid('note_id').references(() => clinicalNotes.id, { onDelete: 'set null' }),
    voidedAt: instant('voided_at'),
    voidedBy: uuid('voided_by').references(() => profiles.id),
    voidReason: text('void_reason'),
    createdAt: instant('created_at').notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
  },
  (t) => [
    check('adverse_events_severity', sql`${t.severity} in ('I', 'II', 'IIIa', 'IIIb', 'IVa', 'IVb', 'V')`),
    check('adverse_events_times', sql`${t.occurredAt} <= ${t.learnedAt}`),
    check(
      'adverse_events_filed',
      sql`num_nulls(${t.filedOn}, ${t.filedBy}) in (0, 2) and (${t.filedOn} is null or ${t.dueOn} is not null)`,
    ),
    check('adverse_events_voided', sql`num_nulls(${t.voidedAt}, ${t.voidedBy}, ${t.voidReason}) in (0, 3)`),
    index('adverse_events_contact').on(t.contactId),
    index('adverse_events_surgery').on(t.surgeryId),
    index('adverse_events_occurred').on(t.occurredAt, t.id),
    index('adverse_events_open')
      .on(t.dueOn)
      .where(sql`${t.dueOn} is not null and ${t.filedOn} is null and ${t.voidedAt} is null`),
  ],
)
