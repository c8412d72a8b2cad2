import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { type NamedTable, ownedRows, type PatientTables, patientTables, type Subject } from '../../kernel/patient-tables/registry.ts'
import { type ExportedTable, exportedTables, patientTableNames, type RecordPart } from '../../kernel/patient-tables/rules.ts'

/** The rows of one table in an export. */
type Part = Pick<PatientTables[ExportedTable]['export'], 'row' | 'order' | 'names' | 'sealed'> & {
  name: RecordPart
  table: ExportedTable
  /** Selects the patient's rows; the table is aliased `mine`. */
  where: (subject: Subject) => SQL
}

/** Ids from these tables mean nothing to a reader, so the export shows this column instead. */
const namedTables: Record<NamedTable, string> = {
  profiles: 'full_name',
  funnel_stages: 'name',
  lead_sources: 'name',
  procedures: 'name',
  rooms: 'name',
  tags: 'name',
}

/** Columns never exported from any table: secrets and proofs, storage keys, and internal values of the server. */
export const hiddenColumns = [
  'evidence_key',
  'attempt_key',
  'refund_key',
  'idempotency_key',
  'payload_hash',
  'token_hash',
  'click_token',
  'code_hash',
  'sealed_code',
  'sealed_secret',
  'sealed_number',
  'sealed_image',
  'storage_key',
  'thread_id',
  'request_id',
  'realm_id',
  'search_text',
  'sort_name',
  'seq',
] as const

/** The parts of an export, in reading order. */
export const getParts = (): Part[] =>
  exportedTables.map((table) => {
    const { owner, export: exported } = patientTables()[table]
    return { where: (subject: Subject) => belongsTo(owner, subject), ...exported, name: patientTableNames[table].part, table }
  })

/** SQL condition: the row (`mine`) belongs to the patient. */
function belongsTo(owner: PatientTables[ExportedTable]['owner'], { contactId }: Subject): SQL {
  if (owner === 'contact' || owner === null) return sql`mine.contact_id = ${contactId}`
  const root = { table: 'contacts', ids: sql`${sql.param([contactId])}::uuid[]` } as const
  return sql`mine.${sql.identifier(owner.column)} in (select id from (${ownedRows(owner.table, root)}) as owners)`
}

const namesForIds = (names: Record<string, NamedTable>): SQL =>
  sql.join(
    Object.entries(names).map(
      ([column, table]) => sql`
        ${sql.param(column)}::text, coalesce(
          (select to_jsonb(${sql.identifier(namedTables[table])}) from ${sql.identifier(table)} where id = (exported.row->>${column}::text)::uuid),
          exported.row->${column}::text)`,
    ),
    sql`, `,
  )

/** The columns of each table whose ids have names, read from the foreign keys in the database. */
export async function getNamedColumns(db: Db): Promise<Map<string, Record<string, NamedTable>>> {
  const { rows } = await db.execute<{ table: string; column: string; target: NamedTable }>(sql`
    select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as target from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = any(${sql.param(Object.keys(namedTables))}::text[]::regclass[])`)
  const columns = new Map<string, Record<string, NamedTable>>()
  for (const { table, column, target } of rows) columns.set(table, { ...columns.get(table), [column]: target })
  return columns
}

/**
 * The rows of a part, with `id`, the JSON as text in `row`, and what the part opens in `sealed`. PostgreSQL writes the JSON, so timestamps
 * keep microseconds and numbers every digit.
 */
export function rowsOf(part: Part, subject: Subject, columns: Map<string, Record<string, NamedTable>>): SQL {
  const { table, row = sql`to_jsonb(mine)`, order = 'id', sealed } = part
  const names = { ...columns.get(table), ...part.names }
  const hidden = sql`${sql.param([...hiddenColumns])}::text[]`
  return sql`
    select (exported.row || jsonb_build_object(${namesForIds(names)}))::text as row, exported.row->>'id' as id, exported.sealed from (
      select (${row}) - ${hidden} as row, mine.${sql.identifier(order)} as place, ${sealed ? sql`mine.${sql.identifier(sealed.column)}` : sql`null`} as sealed
      from ${sql.identifier(table)} as mine where ${part.where(subject)}
    ) as exported order by exported.place`
}

/** SQL expression for the number of rows in a part. */
export const countOf = (part: Part, subject: Subject): SQL =>
  sql`(select count(*)::int from ${sql.identifier(part.table)} as mine where ${part.where(subject)})`

type Named = { firstName: string; lastName: string; dateOfBirth: string | null }

/** The patient with the ids of everyone merged into them; null if there is no such patient. */
export async function findRecordSubject(db: Db, contactId: string): Promise<(Subject & Named) | null> {
  const { rows } = await db.execute<Named & { ids: string[] }>(sql`
    with recursive merged as (
      select ${contactId}::uuid as id
      union
      select source_id from contact_merges join merged on target_id = merged.id where undone_at is null
    )
    select first_name as "firstName", last_name as "lastName", date_of_birth::text as "dateOfBirth", array(select id::text from merged) as ids from contacts where id = ${contactId}`)
  const addresses = sql`select unnest(lower_all(array_append(other_emails, email))) as address from contacts where id = ${contactId}`
  return rows[0] ? { contactId, addresses, ...rows[0] } : null
}
