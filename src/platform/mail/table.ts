import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Suppression } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Addresses that no mail goes to any more, those that bounced or complained, or none that is commercial. In lower case. */
export const suppressedAddresses = pgTable('suppressed_addresses', {
  address: text('address').primaryKey(),
  /** Why Postmark delivers nothing there. Null: it does. */
  reason: text('reason').$type<Suppression>(),
  detail: text('detail'),
  /** Its owner wants no commercial email, whatever becomes of `reason`; codes, receipts and reminders still go there. */
  unsubscribedAt: instant('unsubscribed_at'),
  since: instant('since').notNull(),
})
