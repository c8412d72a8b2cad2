import { sql } from 'drizzle-orm'
import { check, date, integer, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { forms, formTemplates } from '../../chart/forms/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { surgeries } from '../surgeries/table.ts'

/** When patients are asked how they are after a procedure, and with which form. */
export const checkInSchedules = pgTable(
  'check_in_schedules',
  {
    procedureId: uuid('procedure_id')
      .primaryKey()
      .references(() => procedures.id, { onDelete: 'cascade' }),
    templateId: uuid('template_id')
      .notNull()
      .references(() => formTemplates.id),
    /** Days after the surgery. */
    days: integer('days').array().notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [check('check_in_schedules_days', sql`cardinality(${t.days}) between 1 and 10 and 1 <= all(${t.days}) and 365 >= all(${t.days})`)],
)

/** Check-ins that were due. A surgery has one for each due day, however often it is looked for, and another if the first was stopped. */
export const checkIns = pgTable(
  'check_ins',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    surgeryId: uuid('surgery_id')
      .notNull()
      .references(() => surgeries.id),
    /** Days after the surgery. */
    day: integer('day').notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    /** Null: the patient has no email address, or the form was not active. */
    formId: uuid('form_id')
      .unique()
      .references(() => forms.id),
    createdAt: instant('created_at').notNull(),
    remindedAt: instant('reminded_at'),
    /** When someone was given the task to call. */
    escalatedAt: instant('escalated_at'),
    /** When the surgery was cancelled, moved or marked as not completed. */
    stoppedAt: instant('stopped_at'),
  },
  (t) => [
    uniqueIndex('check_ins_asked')
      .on(t.surgeryId, t.dueOn)
      .where(sql`${t.stoppedAt} is null`),
  ],
)
