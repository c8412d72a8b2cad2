import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import type { Scope } from '../../server/scope.ts'
import { recordChange } from '../audit/service.ts'
import { deleteContacts } from '../contacts/service.ts'
import { type ChildTable, childTables } from '../merges/rules.ts'
import type { RetentionKind } from './rules.ts'

/** What belongs to a lead from its beginning, without anybody having done something. */
const untouched: readonly ChildTable[] = ['contact_tags', 'contact_stage_history', 'lead_entries', 'automation_state']
const touched = childTables.filter((table) => table !== 'interactions' && !untouched.includes(table))

/** Leads that nobody has moved, written to, called, noted anything of, or asked consent of: the form came in, and nothing followed. */
const untouchedLeads = (before: SQL): SQL => sql`
  from contacts where contacts.created_at < ${before} and contacts.updated_at < ${before}
    and contacts.funnel_stage in (select id from funnel_stages where is_initial)
    and not exists (select 1 from contact_stage_history as moved where moved.contact_id = contacts.id and moved.from_stage is not null)
    and not exists (select 1 from interactions where interactions.contact_id = contacts.id and (interactions.type <> 'contact_created' or interactions.created_at >= ${before}))
    and not exists (select 1 from lead_entries where lead_entries.contact_id = contacts.id and lead_entries.received_at >= ${before})
    and not exists (select 1 from contact_merges where contact_merges.target_id = contacts.id)
    and ${sql.join(
      touched.map((table) => sql`not exists (select 1 from ${sql.identifier(table)} as child where child.contact_id = contacts.id)`),
      sql` and `,
    )}`

type Kind = {
  /** How many there are from before a moment. */
  rows: (before: SQL) => SQL
  /** Forgets at most so many, in the caller's transaction, and says how many it were. */
  forget: (tx: Db, scope: Scope, before: SQL, most: number) => Promise<number>
}

const counted = async (tx: Db, statement: SQL): Promise<number> => (await tx.execute(statement)).rowCount ?? 0
/** Deletes rows of a table by their ids, as a `Kind` selects them. */
const deleting = (table: string, rows: (before: SQL) => SQL): Kind => ({
  rows,
  forget: (tx, _scope, before, most) =>
    counted(tx, sql`delete from ${sql.identifier(table)} where id in (select id ${rows(before)} limit ${most})`),
})

export const kinds: Record<RetentionKind, Kind> = {
  untouchedLeads: {
    rows: untouchedLeads,
    async forget(tx, scope, before, most) {
      const { rows } = await tx.execute<{ id: string }>(
        sql`select contacts.id ${untouchedLeads(before)} order by contacts.id limit ${most}`,
      )
      const gone = await deleteContacts(
        tx,
        scope,
        rows.map(({ id }) => id),
        null,
      )
      return gone.length
    },
  },
  // What is deleted goes to the sweep of the file store, which erases the bytes.
  refusedUploads: {
    rows: (before) =>
      sql`from documents where upload_source = 'patient' and review_state = 'rejected' and deleted_at is null and created_at < ${before}`,
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
  readNotifications: deleting('notifications', (before) => sql`from notifications where read_at is not null and created_at < ${before}`),
  endedSessions: deleting('sessions', (before) => sql`from sessions where expires_at < ${before}`),
}
