import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { RecordPart } from './rules.ts'

/** Whose record it is. */
export type Whose = {
  contactId: string
  /** With those of patients who were merged into them, for as long as that is known (30 days). */
  ids: string[]
}

type Part = {
  table: string
  /** Which of its rows, called `mine`. */
  where: (whose: Whose) => SQL
  /** What of a row is told, in JSON; all of it but what no one outside needs, unless told otherwise. */
  row?: SQL
  /** By which its rows stand in order; the id, which rises with time, unless told otherwise. */
  order?: string
  /** Columns that name one of `namedTables` without referring to it. */
  names?: Record<string, NamedTable>
}

/** What ids mean nothing of to a reader: the name stands in their place. */
const namedTables = {
  profiles: 'full_name',
  funnel_stages: 'name',
  lead_sources: 'name',
  procedures: 'name',
  rooms: 'name',
  tags: 'name',
} as const
type NamedTable = keyof typeof namedTables

/** Columns of any table that leave with no record: what opens or proves something, where bytes lie, what the server keeps for itself. */
export const hiddenColumns = [
  'idempotency_key',
  'payload_hash',
  'token_hash',
  'code_hash',
  'sealed_secret',
  'storage_key',
  'thread_id',
  'request_id',
  'realm_id',
  'search_text',
  'sort_name',
  'seq',
] as const

const theirs = ({ contactId }: Whose): SQL => sql`mine.contact_id = ${contactId}`
const anyOfTheirs = ({ ids }: Whose): SQL => sql`mine.contact_id = any(${sql.param(ids)}::uuid[])`
/** Rows that belong to what is theirs. */
const through =
  (column: string, table: string) =>
  ({ contactId }: Whose): SQL =>
    sql`mine.${sql.identifier(column)} in (select id from ${sql.identifier(table)} where contact_id = ${contactId})`
const inMessages = ({ contactId }: Whose): SQL => sql`mine.message_id in (
  select messages.id from messages join conversations on conversations.id = conversation_id where contact_id = ${contactId})`

/** Their addresses, in lower case, each as `address`. */
const addresses = ({ contactId }: Whose): SQL =>
  sql`select unnest(lower_all(array_append(other_emails, email))) as address from contacts where id = ${contactId}`
const isSomebodyElses = ({ contactId }: Whose, address: SQL): SQL => sql`exists (
  select 1 from contacts as other where other.id <> ${contactId}
    and (lower(other.email) = ${address} or (other.other_emails <> '{}' and lower_all(other.other_emails) @> array[${address}])))`

export const parts: Record<RecordPart, Part> = {
  patient: { table: 'contacts', where: ({ contactId }) => sql`mine.id = ${contactId}` },
  merged_patients: {
    table: 'contact_merges',
    where: ({ ids }) => sql`mine.target_id = any(${sql.param(ids)}::uuid[]) and mine.undone_at is null and mine.snapshot is not null`,
    row: sql`(mine.snapshot->'source') || jsonb_build_object('merged_at', mine.merged_at, 'merged_by', mine.merged_by)`,
    names: {
      funnel_stage: 'funnel_stages',
      lead_source: 'lead_sources',
      procedure_of_interest: 'procedures',
      assigned_sales_rep_id: 'profiles',
      assigned_provider_id: 'profiles',
    },
  },
  tags: { table: 'contact_tags', where: theirs, order: 'created_at' },
  stages: { table: 'contact_stage_history', where: theirs },
  timeline: { table: 'interactions', where: theirs },
  lead_forms: {
    table: 'lead_entries',
    // One that no one is known to have sent is theirs by its address, unless that is someone else's as well.
    where: (whose) => {
      const given = sql`lower(raw_data->>'email')`
      return sql`mine.id in (
        select id from lead_entries where contact_id = ${whose.contactId}
        union all
        select id from lead_entries where contact_id is null and status <> 'processing'
          and ${given} = any(array(${addresses(whose)})) and not ${isSomebodyElses(whose, given)})`
    },
  },
  automations: { table: 'automation_state', where: theirs },
  tasks: { table: 'tasks', where: theirs },
  task_assignees: { table: 'task_assignees', where: through('task_id', 'tasks'), order: 'position' },
  appointments: { table: 'appointments', where: theirs },
  appointment_mails: { table: 'appointment_mails', where: through('appointment_id', 'appointments'), names: { provider_id: 'profiles' } },
  appointment_requests: { table: 'appointment_requests', where: through('appointment_id', 'appointments'), order: 'created_at' },
  surgeries: {
    table: 'surgeries',
    where: theirs,
    row: sql`to_jsonb(mine) || jsonb_build_object('assistant_ids',
      (select coalesce(jsonb_agg(full_name order by full_name), '[]') from profiles where id = any(mine.assistant_ids)))`,
  },
  surgery_checklists: {
    table: 'surgery_items',
    where: through('surgery_id', 'surgeries'),
    names: { done_by: 'profiles', procedure_id: 'procedures' },
  },
  quotes: { table: 'quotes', where: theirs },
  account: { table: 'ledger_entries', where: theirs },
  promises_and_holds: { table: 'collection_notes', where: theirs },
  customers: {
    table: 'contact_customers',
    where: theirs,
    row: sql`to_jsonb(mine) || coalesce((select jsonb_build_object('name', name, 'email', email)
      from quickbooks_objects where kind = 'customer' and quickbooks_objects.id = mine.customer_id), '{}')`,
  },
  receipts: {
    table: 'sales_receipts',
    where: ({ contactId }) => sql`mine.customer_id in (select customer_id from contact_customers where contact_id = ${contactId})`,
  },
  conversations: { table: 'conversations', where: theirs },
  // Its words are those of its text once more, for the search.
  messages: { table: 'messages', where: through('conversation_id', 'conversations'), row: sql`to_jsonb(mine) - 'words'` },
  attachments: { table: 'message_attachments', where: inMessages },
  conversation_notes: { table: 'conversation_notes', where: through('conversation_id', 'conversations') },
  linked_mails: { table: 'mailbox_links', where: theirs },
  // One that was deleted may have been someone else's, filed here by mistake.
  documents: { table: 'documents', where: (whose) => sql`${theirs(whose)} and mine.deleted_at is null` },
  consents: { table: 'consents', where: theirs },
  blocked_addresses: { table: 'suppressed_addresses', where: (whose) => sql`mine.address in (${addresses(whose)})`, order: 'since' },
  portal_codes: { table: 'portal_codes', where: anyOfTheirs, row: sql`to_jsonb(mine) - 'id'` },
  portal_visits: { table: 'portal_sessions', where: anyOfTheirs, row: sql`to_jsonb(mine) - 'id'` },
  audit_log: {
    table: 'audit_log',
    where: ({ ids }) => sql`mine.contact_ids && ${sql.param(ids)}::uuid[]`,
    // What an entry says of several patients is not told of any of them.
    row: sql`jsonb_build_object('at', mine.at, 'by', mine.actor_id, 'role', mine.actor_role, 'action', mine.action, 'kind', mine.kind)
      || case when cardinality(mine.contact_ids) = 1 then jsonb_build_object('before', mine.before, 'after', mine.after) else '{}' end`,
    names: { by: 'profiles' },
  },
}

/**
 * Tables that refer to patients, or to what is theirs, and are no part of their record, with the reason. A test fails for a new table that is
 * neither here nor above.
 */
export const leftOut: Record<string, string> = {
  appointment_links: 'Hashes of secrets in links',
  bulk_change_items: 'What a change of many patients needs for its undo; the change itself is in the audit log',
  contact_merge_rows: 'What a merge needs for its undo; the rows themselves are the patient’s now',
  deleted_contact_rows: 'Of patients who are deleted, and so of no one whose record can be asked for',
  duplicate_checks: 'A list of what is to be looked at',
  duplicate_pairs: 'A guess about two patients',
  import_findings: 'A file’s rows as they were read, kept for 30 days; what was taken from them is in the record',
  import_outcomes: 'What an import needs for its undo',
  notifications: 'What staff were told of a task that is in the record',
  time_holds: 'The times of appointments and surgeries that are in the record',
}

const idsOfNames = (names: Record<string, NamedTable>): SQL =>
  sql.join(
    Object.entries(names).map(
      ([column, table]) => sql`
        ${sql.param(column)}::text, coalesce(
          (select to_jsonb(${sql.identifier(namedTables[table])}) from ${sql.identifier(table)} where id = (told.row->>${column}::text)::uuid),
          told.row->${column}::text)`,
    ),
    sql`, `,
  )

/** Which columns of the tables name something: as the database's foreign keys have it. */
export async function namingColumns(db: Db): Promise<Map<string, Record<string, NamedTable>>> {
  const { rows } = await db.execute<{ table: string; column: string; target: NamedTable }>(sql`
    select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as target from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = any(${sql.param(Object.keys(namedTables))}::text[]::regclass[])`)
  const columns = new Map<string, Record<string, NamedTable>>()
  for (const { table, column, target } of rows) columns.set(table, { ...columns.get(table), [column]: target })
  return columns
}

/** The rows of a part, each with its id, and as a line of JSON in `row`, as PostgreSQL writes it: no instant loses its microseconds, no amount a digit. */
export function rowsOf(part: Part, whose: Whose, columns: Map<string, Record<string, NamedTable>>): SQL {
  const { table, row = sql`to_jsonb(mine)`, order = 'id' } = part
  const names = { ...columns.get(table), ...part.names }
  const hidden = sql`${sql.param([...hiddenColumns])}::text[]`
  return sql`
    select (told.row || jsonb_build_object(${idsOfNames(names)}))::text as row, told.row->>'id' as id from (
      select (${row}) - ${hidden} as row, mine.${sql.identifier(order)} as place from ${sql.identifier(table)} as mine where ${part.where(whose)}
    ) as told order by told.place`
}

/** How many rows a part has. */
export const countOf = (part: Part, whose: Whose): SQL =>
  sql`(select count(*)::int from ${sql.identifier(part.table)} as mine where ${part.where(whose)})`

/** Null: no such patient. */
export async function whoseRecord(db: Db, contactId: string): Promise<(Whose & { firstName: string; lastName: string }) | null> {
  const { rows } = await db.execute<{ firstName: string; lastName: string; ids: string[] }>(sql`
    with recursive merged as (
      select ${contactId}::uuid as id
      union
      select source_id from contact_merges join merged on target_id = merged.id where undone_at is null
    )
    select first_name as "firstName", last_name as "lastName", array(select id::text from merged) as ids from contacts where id = ${contactId}`)
  return rows[0] ? { contactId, ...rows[0] } : null
}
