import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../auth/table.ts'
import type { PostFailure } from '../../integrations/webhooks/client.ts'
import type { HookEvent } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Webhooks: addresses of other systems that receive events. */
export const webhooks = pgTable('webhooks', {
  id: id(),
  url: text('url').notNull(),
  events: text('events').array().$type<HookEvent[]>().notNull(),
  /** Signing secret, encrypted (kernel/seal.ts). */
  sealedSecret: text('sealed_secret').notNull(),
  createdBy: uuid('created_by')
    .notNull()
    .references(() => profiles.id),
  createdAt: instant('created_at').notNull(),
  disabledAt: instant('disabled_at'),
  /** When it was turned off automatically after days of failures; null if a user did it. */
  gaveUpAt: instant('gave_up_at'),
  failingSince: instant('failing_since'),
  deliveredAt: instant('delivered_at'),
  /** Lock: until then one process sends to it and the others skip it. */
  busyUntil: instant('busy_until'),
})

/** Deliveries: written by triggers in the transaction of the change (see the migration), sent by a job. */
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
    /** Incremented before each try. */
    attempts: integer('attempts').notNull().default(0),
    /** For a pending delivery; null: now. */
    nextAttemptAt: instant('next_attempt_at'),
    triedAt: instant('tried_at'),
    status: integer('status'),
    failure: text('failure').$type<PostFailure>(),
  },
  (t) => [
    check('webhook_deliveries_state', sql`${t.state} in ('waiting', 'delivered', 'failed')`),
    index('webhook_deliveries_webhook').on(t.webhookId, t.id),
    index('webhook_deliveries_waiting')
      .on(t.webhookId, t.nextAttemptAt)
      .where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_created').on(t.createdAt),
    // An untried delivery covers later changes too: its receiver asks for the current state.
    uniqueIndex('webhook_deliveries_untried')
      .on(t.webhookId, t.event, t.subjectId)
      .where(sql`${t.state} = 'waiting' and ${t.attempts} = 0`),
  ],
)
