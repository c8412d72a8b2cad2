import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../contacts/table.ts'
import type { ConsentBasis, ConsentChannel, ConsentSource, WithdrawalSource } from './rules.ts'

/** Consent to commercial messages by email or by text: what was given, when, who recorded it and when it ended. Append-only except for withdrawals. */
export const consents = pgTable(
  'consents',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    channel: text('channel').$type<ConsentChannel>().notNull().default('email'),
    basis: text('basis').$type<ConsentBasis>().notNull(),
    source: text('source').$type<ConsentSource>().notNull(),
    /** What the patient agreed to, in the exact wording shown to them. */
    wording: text('wording'),
    givenAt: instant('given_at').notNull(),
    givenBy: uuid('given_by').references(() => profiles.id),
    expiresAt: instant('expires_at'),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: uuid('withdrawn_by').references(() => profiles.id),
    withdrawalSource: text('withdrawal_source').$type<WithdrawalSource>(),
    /** The merge that ended this entry. Undoing the merge reverts the withdrawal. */
    withdrawnInMerge: uuid('withdrawn_in_merge'),
  },
  (t) => [
    index('consents_contact').on(t.contactId, t.givenAt.desc()),
    index('consents_merge')
      .on(t.withdrawnInMerge)
      .where(sql`${t.withdrawnInMerge} is not null`),
  ],
)
