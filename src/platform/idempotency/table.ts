import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'

/** Requests with an `Idempotency-Key` and their answers, for 24 hours (docs/decisions/idempotency.md). */
export const idempotentRequests = pgTable(
  'idempotent_requests',
  {
    /** SHA-256 of the caller, the route and the key. */
    id: text('id').primaryKey(),
    /** SHA-256 of the payload; null while an upload is arriving. */
    payloadHash: text('payload_hash'),
    /** Changes when another request takes over from a dead one. */
    attempt: uuid('attempt').notNull(),
    startedAt: instant('started_at').notNull(),
    /** Until then the request may still be running. */
    leaseUntil: instant('lease_until').notNull(),
    /** Set in the request's own transactions, so it is true if and only if one of them committed. */
    hasWritten: boolean('has_written').notNull().default(false),
    /** Status and body, encrypted because they may contain patient data. Null until the request has succeeded. */
    answer: text('answer'),
  },
  (t) => [index('idempotent_requests_started').on(t.startedAt)],
)
