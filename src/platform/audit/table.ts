import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { AuditAction } from '../../kernel/audit/rules.ts'

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
    // Who was merged into whom, from the side of those who went: see whose.ts.
    index('audit_log_merges').on(sql`(${t.contactIds}[2])`, t.id).where(sql`${t.action} in ('merged', 'unmerged')`),
    // What is not viewed is rare; views are found in the primary key at once.
    index('audit_log_action').on(t.action, t.id).where(sql`${t.action} <> 'viewed'`),
    index('audit_log_kind').on(t.kind, t.id),
    // Inserts only add to its list of what is pending, which a job puts into its place (audit_tidy): see decisions/audit-chain.md. In kB.
    index('audit_log_patients').using('gin', t.contactIds).with({ fastupdate: true, gin_pending_list_limit: 65536 }),
  ],
)

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * Seals over ranges of the log, each over the one before: see decisions/audit-chain.md. Only ever added. The ranges touch, so that no two seals
 * begin at one entry.
 */
export const auditSeals = pgTable('audit_seals', {
  fromId: bigint('from_id', { mode: 'number' }).primaryKey(),
  toId: bigint('to_id', { mode: 'number' }).notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  /** Numbers of the range that belong to no entry, because what took them was rolled back. */
  gaps: bigint('gaps', { mode: 'number' }).array().notNull(),
  /** A digest of each entry of the range, one after the other, in the order of their numbers. */
  digests: bytes('digests').notNull(),
  /** The seal before this one; empty in the first. */
  previous: text('previous').notNull(),
  seal: text('seal').notNull(),
})
