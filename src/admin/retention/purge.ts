import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { contactTables, deletionsOf, tablesUnder } from '../../kernel/patient-tables/registry.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { deleteContacts } from '../../crm/contacts/service.ts'
import { sendMail } from '../../platform/mail/service.ts'
import type { RetentionKind } from './rules.ts'

/** Leads created by a form that no one has moved, emailed, called, noted or asked for consent: the form came in and nothing followed. */
const untouchedLeads = (before: SQL): SQL => {
  const hasOnlyFormRows = contactTables().map(
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
    and ${sql.join(hasOnlyFormRows, sql` and `)}`
}

type RecordKind = {
  /** The FROM clause that selects the records older than `before`. */
  rows: (before: SQL) => SQL
  /** How many to delete in one transaction. */
  batchSize: number
  /** Deletes at most `limit` records in the caller's transaction and returns how many it deleted. */
  purge: (tx: Db, scope: Scope, before: SQL, limit: number) => Promise<number>
}
const defaultBatchSize = 500

const selectIds = async (tx: Db, statement: SQL): Promise<string[]> =>
  (await tx.execute<{ id: string }>(statement)).rows.map(({ id }) => id)
const countRows = async (tx: Db, statement: SQL): Promise<number> => (await tx.execute(statement)).rowCount ?? 0
/** A kind whose rows are simply deleted from a table by id. */
const deleteById = (table: string, rows: (before: SQL) => SQL, batchSize = defaultBatchSize): RecordKind => ({
  rows,
  batchSize,
  purge: (tx, _scope, before, limit) =>
    countRows(tx, sql`delete from ${sql.identifier(table)} where id in (select id ${rows(before)} limit ${limit})`),
})

export const kinds: Record<RetentionKind, RecordKind> = {
  untouchedLeads: {
    rows: untouchedLeads,
    batchSize: defaultBatchSize,
    async purge(tx, scope, before, limit) {
      const found = await selectIds(
        tx,
        sql`select contacts.id ${untouchedLeads(before)} order by contacts.id limit ${limit} for update of contacts`,
      )
      // Check again once they are locked: a note or another form may have come in while another transaction held the lock.
      const stillUntouched = await selectIds(
        tx,
        sql`select contacts.id ${untouchedLeads(before)} and contacts.id = any(${sql.param(found)}::uuid[])`,
      )
      return (await deleteContacts(tx, scope, stillUntouched, null)).length
    },
  },
  // A failed submission is still needed until staff complete or discard it. The patient created from a submission is not affected.
  leadBodies: {
    rows: (before) =>
      sql`from lead_entries where (status = 'completed' or dismissed_at is not null) and raw_body <> '' and received_at < ${before}`,
    batchSize: defaultBatchSize,
    purge: (tx, _scope, before, limit) =>
      countRows(
        tx,
        sql`update lead_entries set raw_body = '', raw_data = '{}' where id in (select id ${kinds.leadBodies.rows(before)} limit ${limit})`,
      ),
  },
  unlinkedMails: {
    rows: (before) => sql`from conversations where contact_id is null and last_message_at < ${before}`,
    batchSize: 100,
    async purge(tx, _scope, before, limit) {
      // Lock them, so that a conversation being linked to a patient right now is kept.
      const found = await selectIds(
        tx,
        sql`select id ${kinds.unlinkedMails.rows(before)} order by last_message_at limit ${limit} for update`,
      )
      const ids = sql`${sql.param(found)}::uuid[]`
      for (const declared of tablesUnder('conversations').toReversed())
        for (const deletion of deletionsOf(declared, { table: 'conversations', ids })) await tx.execute(deletion)
      return countRows(tx, sql`delete from conversations where id = any(${ids})`)
    },
  },
  // Emails that the mail service refused, or did not accept after all retries, are still in the job queue.
  unsentMails: {
    rows: (before) => sql`from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null and updated_at < ${before}
      and task_id in (select id from graphile_worker._private_tasks where identifier = ${sendMail.name})`,
    batchSize: defaultBatchSize,
    purge: (tx, _scope, before, limit) =>
      countRows(tx, sql`select id from graphile_worker.complete_jobs(array(select id ${kinds.unsentMails.rows(before)} limit ${limit}))`),
  },
  // The sweep of the file store then erases the bytes of deleted documents.
  refusedUploads: {
    rows: (before) =>
      sql`from documents where upload_source = 'patient' and review_state = 'rejected' and deleted_at is null and created_at < ${before}`,
    batchSize: defaultBatchSize,
    async purge(tx, scope, before, limit) {
      const { rows } = await tx.execute<{ id: string; contact_id: string }>(sql`
        update documents set deleted_at = ${scope.now().toISOString()}::timestamptz
        where id in (select id ${kinds.refusedUploads.rows(before)} limit ${limit}) returning id, contact_id`)
      const contactIds = [...new Set(rows.map((row) => row.contact_id))]
      if (rows.length > 0)
        await recordChange(tx, scope, { action: 'deleted', kind: 'document', contactIds, after: { ids: rows.map(({ id }) => id) } })
      return rows.length
    },
  },
  // The sweep of the file store deletes them after 32 days in any case.
  deletedDocuments: deleteById('documents', (before) => sql`from documents where deleted_at < ${before}`),
  // Rows kept to undo the deletion of a patient, erased patient by patient; they are erased after 24 hours in any case.
  deletedPatients: {
    rows: (before) => sql`from (
      select distinct deletion_id, contact_id from deleted_contact_rows where deleted_at < ${before}
        and not exists (select 1 from bulk_changes where id = deletion_id and status = 'undoing')) as gone`,
    batchSize: defaultBatchSize,
    async purge(tx, _scope, before, limit) {
      const { rows } = await tx.execute<{ count: number }>(sql`
        with gone as (select deletion_id, contact_id ${kinds.deletedPatients.rows(before)} limit ${limit}),
          erased as (delete from deleted_contact_rows as kept using gone where kept.deletion_id = gone.deletion_id and kept.contact_id = gone.contact_id)
        select count(*)::int as count from gone`)
      return rows[0]!.count
    },
  },
  // Includes the rows read from the file. Imports are deleted after 30 days in any case; a running one is left alone.
  importFiles: deleteById(
    'imports',
    (before) => sql`from imports where status not in ('checking', 'running', 'undoing') and created_at < ${before}`,
    5,
  ),
  readNotifications: deleteById('notifications', (before) => sql`from notifications where read_at is not null and created_at < ${before}`),
  endedSessions: deleteById('sessions', (before) => sql`from sessions where expires_at < ${before}`),
}
