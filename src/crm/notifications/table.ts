import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { tasks } from '../tasks/table.ts'
import type { NotificationMetadata, NotificationType, Preference } from './contract.ts'

/** Notifications that staff see on every page until they are read (spec 3). */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    type: text('type').$type<NotificationType>().notNull(),
    /** Null: unread. */
    readAt: instant('read_at'),
    createdAt: instant('created_at').notNull(),
    metadata: jsonb('metadata').$type<NotificationMetadata>().notNull(),
    taskId: uuid('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    /** The due time that the reminder is for. */
    remindAt: instant('remind_at').notNull(),
  },
  (t) => [
    // One per task, assignee and due time, also with concurrent writers.
    uniqueIndex('notifications_once').on(t.taskId, t.userId, t.remindAt),
    index('notifications_user').on(t.userId, t.createdAt, t.id),
    index('notifications_unread')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`${t.readAt} is null`),
  ],
)

/** Email notification settings by person (spec 3, 6). No row means off. */
export const notificationRecipients = pgTable(
  'notification_recipients',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id),
    notificationType: text('notification_type').$type<Preference>().notNull(),
    enabled: boolean('enabled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.notificationType] })],
)
