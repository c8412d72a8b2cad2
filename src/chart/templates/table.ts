import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'

/* What the templates of intake forms and of consent forms have in common (service.ts). */

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** A template that was published is never deleted, only deactivated. */
export const templateColumns = <Starter extends string>() => ({
  id: id(),
  /** The starter that it was made from, such as 'medical_history'. */
  starter: text('starter').$type<Starter>(),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: instant('created_at').notNull().defaultNow(),
  createdBy: uuid('created_by').references(() => profiles.id),
})

/** What a template contains at each time. A trigger keeps a published version unchanged: what was sent refers to it. */
export const versionColumns = <Definition>(templateId: () => AnyPgColumn) => ({
  id: id(),
  templateId: uuid('template_id').notNull().references(templateId),
  number: integer('number').notNull(),
  /** Raised by every change of a draft; a writer names the revision it read. */
  revision: integer('revision').notNull().default(1),
  definition: jsonb('definition').$type<Definition>().notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** Null: a draft, of which a template has at most one. */
  publishedAt: instant('published_at'),
  publishedBy: uuid('published_by').references(() => profiles.id),
})

interface VersionIndexed {
  templateId: AnyPgColumn
  number: AnyPgColumn
  publishedAt: AnyPgColumn
}
export const versionIndexes = (table: string, t: VersionIndexed) => [
  uniqueIndex(`${table}_number`).on(t.templateId, t.number),
  uniqueIndex(`${table}_draft`)
    .on(t.templateId)
    .where(sql`${t.publishedAt} is null`),
]

const templates = pgTable('templates', templateColumns<string>())
const versions = pgTable(
  'versions',
  versionColumns<unknown>(() => templates.id),
)
/** The shapes that service.ts works with. */
export type TemplateTable = typeof templates
export type VersionTable = typeof versions
