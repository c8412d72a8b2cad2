import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../contacts/table.ts'
import type { UndoItem, TaskPriority, TaskStatus, TaskType } from './rules.ts'

/** Tasks of staff (spec 3). */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    title: text('title').notNull(),
    description: text('description'),
    type: text('type').$type<TaskType>().notNull(),
    priority: text('priority').$type<TaskPriority>().notNull().default('medium'),
    status: text('status').$type<TaskStatus>().notNull().default('pending'),
    dueDate: date('due_date', { mode: 'string' }).notNull(),
    /** HH:MM in the practice's time zone. */
    dueTimeConstraint: text('due_time_constraint'),
    /** The instant of the due date and time, or 09:00. */
    dueAt: instant('due_at').notNull(),
    /** When its assignees are reminded: when it is due, or later if it was snoozed. */
    remindAt: instant('remind_at').notNull(),
    notificationSent: boolean('notification_sent').notNull().default(false),
    completed: boolean('completed').notNull().default(false),
    completedAt: instant('completed_at'),
    contactId: uuid('contact_id').references(() => contacts.id),
    /** The first of its assignees. */
    assignedTo: uuid('assigned_to')
      .notNull()
      .references(() => profiles.id),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('tasks_open')
      .on(t.dueAt, t.id)
      .where(sql`status in ('pending', 'in_progress')`),
    index('tasks_done')
      .on(t.dueAt, t.id)
      .where(sql`status in ('completed', 'cancelled')`),
    index('tasks_to_remind')
      .on(t.remindAt)
      .where(sql`not notification_sent and status in ('pending', 'in_progress')`),
    index('tasks_contact').on(t.contactId, t.dueAt),
    check('tasks_due_time', sql`${t.dueTimeConstraint} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
    check('tasks_status', sql`${t.status} in ('pending', 'in_progress', 'completed', 'cancelled')`),
    check('tasks_completed', sql`${t.completed} = (${t.status} = 'completed') and ${t.completed} = (${t.completedAt} is not null)`),
  ],
)

/** When the last snooze ends. Only a snooze makes the reminder later than the due time (see `snooze` in rules.ts). */
export const snoozeEnd = sql`case when ${tasks.remindAt} > ${tasks.dueAt} then ${tasks.remindAt} end`.mapWith(
  tasks.remindAt,
) as SQL<Date | null>

/** The assignees of a task, in order of `position`. */
export const taskAssignees = pgTable(
  'task_assignees',
  {
    taskId: uuid('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    profileId: uuid('profile_id')
      .notNull()
      .references(() => profiles.id),
    position: smallint('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.profileId] }), index('task_assignees_profile').on(t.profileId, t.taskId)],
)

/** Previous values of tasks that were changed in bulk or completed, kept while the change can be undone. */
export const taskUndos = pgTable(
  'task_undos',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    madeBy: uuid('made_by')
      .notNull()
      .references(() => profiles.id),
    madeAt: instant('made_at').notNull(),
    items: jsonb('items').$type<UndoItem[]>().notNull(),
  },
  (t) => [index('task_undos_made_at').on(t.madeAt)],
)
