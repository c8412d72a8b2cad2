import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { AuditAction } from '../../kernel/audit/rules.ts'

/** Who viewed or changed which patient's data. Append-only: the application's database role cannot update or delete rows. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
    /** Null for the system and for visitors. No foreign key: the log outlives the account. */
    actorId: uuid('actor_id'),
    actorRole: text('actor_role').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    /** The kind of information, such as 'contact' or 'interaction'. */
    kind: text('kind').notNull(),
    /** Every patient with data in the response. */
    contactIds: uuid('contact_ids').array().notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id').notNull(),
    address: text('address'),
  },
  (t) => [
    index('audit_log_at').using('brin', t.at),
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_changes')
      .on(sql`(${t.contactIds}[1])`, t.id)
      .where(sql`${t.action} <> 'viewed'`),
    // Who was merged into whom, from the merged contact's side: see by-patient.ts.
    index('audit_log_merges')
      .on(sql`(${t.contactIds}[2])`, t.id)
      .where(sql`${t.action} in ('merged', 'unmerged')`),
    // Non-view entries are rare; views are found through the primary key.
    index('audit_log_action')
      .on(t.action, t.id)
      .where(sql`${t.action} <> 'viewed'`),
    index('audit_log_kind').on(t.kind, t.id),
    // Inserts only append to the index's pending list, which a job merges (audit_tidy): see decisions/audit-chain.md. In kB.
    index('audit_log_patients').using('gin', t.contactIds).with({ fastupdate: true, gin_pending_list_limit: 65536 }),
  ],
)

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * Seals over ranges of the log, each covering the previous seal: see decisions/audit-chain.md. Append-only. Ranges are contiguous, so no
 * two seals start at the same entry.
 */
export const auditSeals = pgTable('audit_seals', {
  fromId: bigint('from_id', { mode: 'number' }).primaryKey(),
  toId: bigint('to_id', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  /** Numbers in the range without an entry, because their transaction was rolled back. */
  gaps: bigint('gaps', { mode: 'number' }).array().notNull(),
  /** Concatenated digests of the range's entries, by number. */
  digests: bytes('digests').notNull(),
  /** The previous seal; empty for the first. */
  previous: text('previous').notNull(),
  seal: text('seal').notNull(),
})
