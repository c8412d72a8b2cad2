import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../auth/table.ts'
import type { PostFailure } from '../../integrations/webhooks/client.ts'
import type { HookEvent } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const id = () => uuid('id').primaryKey().default(sql`uuidv7()`)

/** Addresses of other systems that are told what happens here. */
export const webhooks = pgTable('webhooks', {
  id: id(),
  url: text('url').notNull(),
  events: text('events').array().$type<HookEvent[]>().notNull(),
  /** What signs the messages, sealed (kernel/sealed.ts). */
  sealedSecret: text('sealed_secret').notNull(),
  createdBy: uuid('created_by')
    .notNull()
    .references(() => profiles.id),
  createdAt: instant('created_at').notNull(),
  disabledAt: instant('disabled_at'),
  /** When it was switched off for having taken nothing for days; null when someone did it. */
  gaveUpAt: instant('gave_up_at'),
  failingSince: instant('failing_since'),
  deliveredAt: instant('delivered_at'),
  /** Until then one process sends to it and the others leave it alone: it is not met by several at once. */
  busyUntil: instant('busy_until'),
})

/** Messages to an address: written by triggers in the transaction of the change (see the migration), sent by a job. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    event: text('event').notNull(),
    subjectId: uuid('subject_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    state: text('state').$type<'waiting' | 'delivered' | 'failed'>().notNull().default('waiting'),
    /** Counted before each try. */
    attempts: integer('attempts').notNull().default(0),
    /** Of one that waits; null: now. */
    nextAttemptAt: instant('next_attempt_at'),
    triedAt: instant('tried_at'),
    status: integer('status'),
    failure: text('failure').$type<PostFailure>(),
  },
  (t) => [
    check('webhook_deliveries_state', sql`${t.state} in ('waiting', 'delivered', 'failed')`),
    index('webhook_deliveries_webhook').on(t.webhookId, t.id),
    index('webhook_deliveries_waiting').on(t.webhookId, t.nextAttemptAt).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_created').on(t.createdAt),
    // What has not been tried yet says all that a second one would: anyone who hears it asks what is so now.
    uniqueIndex('webhook_deliveries_untold').on(t.webhookId, t.event, t.subjectId).where(sql`${t.state} = 'waiting' and ${t.attempts} = 0`),
  ],
)
