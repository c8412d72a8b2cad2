import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { contactTables, deletionsOf, tablesUnder } from '../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { deleteContacts } from '../../crm/contacts/service.ts'
import { sendMail } from '../../platform/mail/service.ts'
import type { RetentionKind } from './rules.ts'

/** Leads whom a form has made and no one has moved, written to, called, noted anything of, or asked consent of: it came in, and nothing followed. */
const untouchedLeads = (before: SQL): SQL => {
  const hasOnlyThat = contactTables().map(
    ({ table, retention }) => sql`not exists (
      select 1 from ${sql.identifier(table)} as child where child.contact_id = contacts.id
        and (${retention === 'keeps-lead' ? sql`false` : retention.cameWithForm(before)}) is not true)`,
  )
  return sql`
  from contacts where contacts.created_at < ${before} and contacts.updated_at < ${before}
    and contacts.import_source like 'Lead form: %' and exists (select 1 from lead_entries where lead_entries.contact_id = contacts.id)
    and contacts.funnel_stage in (select id from funnel_stages where is_initial)
    and num_nonnulls(contacts.surgical_date, contacts.revenue, contacts.appointment_date, contacts.notes, contacts.last_contact_date) = 0
    and not exists (select 1 from contact_merges where contact_merges.target_id = contacts.id)
    and ${sql.join(hasOnlyThat, sql` and `)}`
}

type Kind = {
  /** How many there are from before a moment. */
  rows: (before: SQL) => SQL
  /** As many as a transaction takes. */
  atOnce: number
  /** Forgets at most so many, in the caller's transaction, and says how many it were. */
  forget: (tx: Db, scope: Scope, before: SQL, most: number) => Promise<number>
}
const usually = 500

const idsOf = async (tx: Db, statement: SQL): Promise<string[]> => (await tx.execute<{ id: string }>(statement)).rows.map(({ id }) => id)
const counted = async (tx: Db, statement: SQL): Promise<number> => (await tx.execute(statement)).rowCount ?? 0
/** Deletes rows of a table by their ids, as a `Kind` selects them. */
const deleting = (table: string, rows: (before: SQL) => SQL, atOnce = usually): Kind => ({
  rows,
  atOnce,
  forget: (tx, _scope, before, most) =>
    counted(tx, sql`delete from ${sql.identifier(table)} where id in (select id ${rows(before)} limit ${most})`),
})

export const kinds: Record<RetentionKind, Kind> = {
  untouchedLeads: {
    rows: untouchedLeads,
    atOnce: usually,
    async forget(tx, scope, before, most) {
      const found = await idsOf(
        tx,
        sql`select contacts.id ${untouchedLeads(before)} order by contacts.id limit ${most} for update of contacts`,
      )
      // Asked again of those who are locked: a note or another form may have come in while someone else held them.
      const still = await idsOf(tx, sql`select contacts.id ${untouchedLeads(before)} and contacts.id = any(${sql.param(found)}::uuid[])`)
      return (await deleteContacts(tx, scope, still, null)).length
    },
  },
  // Of one that failed they are still needed, until staff complete or discard it. What was made of a lead is its patient's.
  leadBodies: {
    rows: (before) =>
      sql`from lead_entries where (status = 'completed' or dismissed_at is not null) and raw_body <> '' and received_at < ${before}`,
    atOnce: usually,
    forget: (tx, _scope, before, most) =>
      counted(
        tx,
        sql`update lead_entries set raw_body = '', raw_data = '{}' where id in (select id ${kinds.leadBodies.rows(before)} limit ${most})`,
      ),
  },
  unlinkedMails: {
    rows: (before) => sql`from conversations where contact_id is null and last_message_at < ${before}`,
    atOnce: 100,
    async forget(tx, _scope, before, most) {
      // Anyone who says at this moment whose one is, keeps it.
      const found = await idsOf(tx, sql`select id ${kinds.unlinkedMails.rows(before)} order by last_message_at limit ${most} for update`)
      const ids = sql`${sql.param(found)}::uuid[]`
      for (const declared of tablesUnder('conversations').toReversed())
        for (const deletion of deletionsOf(declared, { table: 'conversations', ids })) await tx.execute(deletion)
      return counted(tx, sql`delete from conversations where id = any(${ids})`)
    },
  },
  // Letters that the mail service has refused, or not taken however often it was tried, are still among the jobs.
  unsentMails: {
    rows: (before) => sql`from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null and updated_at < ${before}
      and task_id in (select id from graphile_worker._private_tasks where identifier = ${sendMail.name})`,
    atOnce: usually,
    forget: (tx, _scope, before, most) =>
      counted(tx, sql`select id from graphile_worker.complete_jobs(array(select id ${kinds.unsentMails.rows(before)} limit ${most}))`),
  },
  // What is deleted goes to the sweep of the file store, which erases the bytes.
  refusedUploads: {
    rows: (before) =>
      sql`from documents where upload_source = 'patient' and review_state = 'rejected' and deleted_at is null and created_at < ${before}`,
    atOnce: usually,
    async forget(tx, scope, before, most) {
      const { rows } = await tx.execute<{ id: string; contact_id: string }>(sql`
        update documents set deleted_at = ${scope.now().toISOString()}::timestamptz
        where id in (select id ${kinds.refusedUploads.rows(before)} limit ${most}) returning id, contact_id`)
      const contactIds = [...new Set(rows.map((row) => row.contact_id))]
      if (rows.length > 0)
        await recordChange(tx, scope, { action: 'deleted', kind: 'document', contactIds, after: { ids: rows.map(({ id }) => id) } })
      return rows.length
    },
  },
  // The sweep of the file store forgets them after 32 days in any case.
  deletedDocuments: deleting('documents', (before) => sql`from documents where deleted_at < ${before}`),
  // What was kept for the undo of a deletion, a patient at a time; it is erased after 24 hours in any case.
  deletedPatients: {
    rows: (before) => sql`from (
      select distinct deletion_id, contact_id from deleted_contact_rows where deleted_at < ${before}
        and not exists (select 1 from bulk_changes where id = deletion_id and status = 'undoing')) as gone`,
    atOnce: usually,
    async forget(tx, _scope, before, most) {
      const { rows } = await tx.execute<{ count: number }>(sql`
        with gone as (select deletion_id, contact_id ${kinds.deletedPatients.rows(before)} limit ${most}),
          erased as (delete from deleted_contact_rows as kept using gone where kept.deletion_id = gone.deletion_id and kept.contact_id = gone.contact_id)
        select count(*)::int as count from gone`)
      return rows[0]!.count
    },
  },
  // With the rows of the file as they were read; after 30 days they are forgotten in any case. One that is at work is left alone.
  importFiles: deleting(
    'imports',
    (before) => sql`from imports where status not in ('checking', 'running', 'undoing') and created_at < ${before}`,
    5,
  ),
  readNotifications: deleting('notifications', (before) => sql`from notifications where read_at is not null and created_at < ${before}`),
  endedSessions: deleting('sessions', (before) => sql`from sessions where expires_at < ${before}`),
}
