import { boolean, index, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Requests that came with an `Idempotency-Key`, for 24 hours, and their answers (docs/decisions/idempotency.md). */
export const idempotentRequests = pgTable(
  'idempotent_requests',
  {
    /** SHA-256 of the caller, the route and the key. */
    id: text('id').primaryKey(),
    /** SHA-256 of the payload; null while an upload is arriving. */
    payloadHash: text('payload_hash'),
    /** Changes when another request takes over from one that died. */
    attempt: uuid('attempt').notNull(),
    startedAt: instant('started_at').notNull(),
    /** Until then the request may still be running. */
    leaseUntil: instant('lease_until').notNull(),
    /** Set in the transactions of the request itself, so it is true if and only if one of them was committed. */
    hasWritten: boolean('has_written').notNull().default(false),
    /** Status and body, sealed: they may hold a patient's data. Null until the request has succeeded. */
    answer: text('answer'),
  },
  (t) => [index('idempotent_requests_started').on(t.startedAt)],
)
