import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../contacts/table.ts'
import type { Province } from './rules.ts'

/** Health cards, at most one per patient. Only a request for the whole number opens the sealed one. */
export const healthCards = pgTable('health_cards', {
  id: uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`),
  version: integer('version').notNull().default(1),
  contactId: uuid('contact_id')
    .notNull()
    .unique()
    .references(() => contacts.id),
  province: text('province').$type<Province>().notNull(),
  /** The number, sealed (kernel/seal.ts). */
  sealedNumber: text('sealed_number').notNull(),
  /** Its last four characters, to show without opening it. */
  lastDigits: text('last_digits').notNull(),
  versionCode: text('version_code'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
