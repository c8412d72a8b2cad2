import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { contacts } from '../../crm/contacts/table.ts'

/** Portraits, at most one per patient, to tell patients apart. */
export const portraits = pgTable('portraits', {
  id: uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`),
  contactId: uuid('contact_id')
    .notNull()
    .unique()
    .references(() => contacts.id),
  /** The picture in base64, sealed (kernel/seal.ts). */
  sealedImage: text('sealed_image').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
})
