import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ConsentChannel } from '../../crm/consent/rules.ts'
import type { StoredVariables } from './contract.ts'

/** Templates of emails (spec 3) and of text messages. */
export const emailTemplates = pgTable(
  'email_templates',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** Raised by every change; a writer names the version it read, so nothing is overwritten silently. */
    version: integer('version').notNull().default(1),
    /** Also the key by which the system finds a template, such as `welcome_email` (spec 9). */
    name: text('name').notNull(),
    channel: text('channel').$type<ConsentChannel>().notNull().default('email'),
    /** Empty for a text message. */
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    category: text('category').notNull().default('general'),
    variables: jsonb('variables').$type<StoredVariables>().notNull().default({ html_content: null }),
    createdAt: instant('created_at').notNull().defaultNow(),
    createdBy: uuid('created_by').references(() => profiles.id),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedBy: uuid('updated_by').references(() => profiles.id),
  },
  (t) => [uniqueIndex('email_templates_name').on(sql`lower(${t.name})`), index('email_templates_category').on(t.category)],
)
