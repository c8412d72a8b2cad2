import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Ask } from './request-contract.ts'
import type { SavedReport } from './saved-contract.ts'
import type { When } from './schedule-rules.ts'

/** A saved report: name, period, filters and schedule. */
export const savedReports = pgTable(
  'saved_reports',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => profiles.id),
    name: text('name').notNull(),
    ask: jsonb('ask').$type<Ask>().notNull(),
    isShared: boolean('is_shared').notNull(),
    every: text('every').$type<When['every']>(),
    weekday: integer('weekday'),
    monthDay: integer('month_day'),
    time: text('time'),
    /** Accounts are never deleted. */
    recipientIds: uuid('recipient_ids').array().notNull().default([]),
    /** Next sending; null without a schedule or after it stopped. */
    nextAt: instant('next_at'),
    lastAt: instant('last_at'),
    stopped: text('stopped').$type<NonNullable<SavedReport['stopped']>>(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Kept for a while after deletion so that it can be undone. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    index('saved_reports_owner').on(t.ownerId),
    index('saved_reports_next').on(t.nextAt),
    check('saved_reports_schedule', sql`(${t.every} is null) = (${t.time} is null) and (${t.every} is not null or ${t.nextAt} is null)`),
  ],
)

/** Sent reports by recipient and due time: each once, regardless of restarts. */
export const reportSendings = pgTable(
  'report_sendings',
  {
    savedReportId: uuid('saved_report_id')
      .notNull()
      .references(() => savedReports.id, { onDelete: 'cascade' }),
    dueAt: instant('due_at').notNull(),
    recipientId: uuid('recipient_id')
      .notNull()
      .references(() => profiles.id),
    queuedAt: instant('queued_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.savedReportId, t.dueAt, t.recipientId] })],
)
