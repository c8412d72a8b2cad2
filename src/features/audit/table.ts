import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { AuditAction } from './rules.ts'

/** Who saw or changed what of whom. Rows are only ever added: the application's database role may not update or delete them. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** Null for the system itself and for visitors. No foreign key: the log outlives the account. */
    actorId: uuid('actor_id'),
    actorRole: text('actor_role').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    /** The kind of information, such as 'contact' or 'interaction'. */
    kind: text('kind').notNull(),
    /** Whose: every patient whose data the answer carried. */
    contactIds: uuid('contact_ids').array().notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id').notNull(),
    address: text('address'),
  },
  (t) => [
    index('audit_log_at').using('brin', t.at),
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_changes').on(sql`(${t.contactIds}[1])`, t.id).where(sql`${t.action} <> 'viewed'`),
  ],
)
