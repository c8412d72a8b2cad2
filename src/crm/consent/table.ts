import { sql } from 'drizzle-orm'
import { index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../contacts/table.ts'
import type { ConsentBasis, ConsentSource, WithdrawalSource } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** On what a patient may be sent commercial email: what was given, when and by whom it was written down, and when it ended. Nothing is overwritten. */
export const consents = pgTable(
  'consents',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    basis: text('basis').$type<ConsentBasis>().notNull(),
    source: text('source').$type<ConsentSource>().notNull(),
    /** What the patient has agreed to, in the words that they were asked in. */
    wording: text('wording'),
    givenAt: instant('given_at').notNull(),
    givenBy: uuid('given_by').references(() => profiles.id),
    expiresAt: instant('expires_at'),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: uuid('withdrawn_by').references(() => profiles.id),
    withdrawalSource: text('withdrawal_source').$type<WithdrawalSource>(),
    /** Of a withdrawal by a merge: which one. Its undo takes the withdrawal back. */
    withdrawnInMerge: uuid('withdrawn_in_merge'),
  },
  (t) => [
    index('consents_contact').on(t.contactId, t.givenAt.desc()),
    index('consents_merge').on(t.withdrawnInMerge).where(sql`${t.withdrawnInMerge} is not null`),
  ],
)
