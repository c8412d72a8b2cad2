import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../contacts/table.ts'

/**
 * Who referred whom, where both are patients: a row for each of the two with the same `referral_id`, so that merging, deleting and restoring
 * either patient concerns their own row only.
 */
export const referrals = pgTable(
  'referrals',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    referralId: uuid('referral_id').notNull(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    side: text('side').$type<'referred' | 'referrer'>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull(),
    createdBy: uuid('created_by').references(() => profiles.id),
  },
  (t) => [unique('referrals_side').on(t.referralId, t.side), index('referrals_contact').on(t.contactId, t.side)],
)
