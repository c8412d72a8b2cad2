import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import type { Suppression } from './rules.ts'

/** Suppressed addresses: bounced, complained, or unsubscribed from commercial email, in lower case. Phone numbers (E.164) that answered STOP: `unsubscribed_at` stays after START. */
export const suppressedAddresses = pgTable('suppressed_addresses', {
  address: text('address').primaryKey(),
  /** Why Postmark or Twilio does not deliver there. Null if it does. */
  reason: text('reason').$type<Suppression>(),
  detail: text('detail'),
  /** The owner unsubscribed from commercial messages, independent of `reason`; codes, receipts and reminders are still sent. */
  unsubscribedAt: instant('unsubscribed_at'),
  since: instant('since').notNull(),
})
