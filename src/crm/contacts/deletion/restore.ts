import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { isOverlap } from '../../../kernel/errors.ts'
import { deletedTables } from '../../../kernel/patient-tables/registry.ts'
import { lockReferencedRows, hasAllReferences, list, writableColumns } from '../../../kernel/postgres/stored-rows.ts'
import { recordChanges } from '../../../platform/audit/service.ts'
import { announceContacts } from '../list/bulk.ts'

/** The cancel reason of a restored appointment or surgery whose time is no longer free. */
const timeTakenReason = 'The time was booked for someone else while the patient was deleted'

/**
 * Restores deleted patients with the same ids from the rows that deleteContacts kept, in the caller's transaction. Rows that refer to
 * something deleted since are not restored. An email that another patient uses by now is restored too: the two are likely duplicates.
 * Returns the ids of the restored patients.
 */
export async function restoreContacts(tx: Db, scope: Scope, deletionId: string, wanted: readonly string[]): Promise<string[]> {
  const theirs = sql`kept.deletion_id = ${deletionId}::uuid and kept.contact_id = any(${sql.param([...wanted])}::uuid[])`
  const { rows } = await tx.execute<{ id: string }>(
    sql`select contact_id as id from deleted_contact_rows as kept where ${theirs} and place = 'contacts' order by 1`,
  )
  const restoredIds = rows.map(({ id }) => id)
  for (const declared of deletedTables())
    await restoreRows(tx, declared.table, theirs, declared.owner === 'contact' && declared.restore === 'cancelled-if-taken')
  await tx.execute(sql`delete from deleted_contact_rows as kept where ${theirs}`)
  await recordChanges(
    tx,
    scope,
    restoredIds.map((id) => ({ action: 'restored' as const, kind: 'contact', contactIds: [id] })),
  )
  await announceContacts(tx, restoredIds)
  return restoredIds
}

async function restoreRows(tx: Db, place: string, theirs: SQL, isCancelledIfTaken: boolean): Promise<void> {
  const kept = sql`deleted_contact_rows as kept where ${theirs} and kept.place = ${place}`
  const { rows } = await tx.execute<{ keys: string[] | null }>(
    sql`select array_agg(distinct key) as keys from (select kept.row from ${kept}) as kept, jsonb_object_keys(kept.row) as key`,
  )
  const keys = rows[0]!.keys
  if (!keys) return
  await lockReferencedRows(tx, place, sql`select kept.row from ${kept}`)
  const columns = list(await writableColumns(tx, place, keys))
  const back =
    place === 'contacts'
      ? sql`select (${revived(sql`kept.row`, nameOf)}).* from ${kept}`
      : sql`select (jsonb_populate_record(null::${sql.identifier(place)}, kept.row)).* from ${kept} and ${await hasAllReferences(tx, place)}`
  const insert = (db: Db, rows: SQL) =>
    db.execute(sql`insert into ${sql.identifier(place)} (${columns}) select ${columns} from (${rows}) as back`)
  if (!isCancelledIfTaken) return void (await insert(tx, back))
  if (await isFree(tx, (inner) => insert(inner, back))) return
  const without = sql`kept.row || jsonb_build_object('status', 'cancelled', 'cancel_reason', ${timeTakenReason}::text)`
  const cancelled = sql`select (jsonb_populate_record(null::${sql.identifier(place)}, ${without})).* from ${kept} and ${await hasAllReferences(tx, place)}`
  const { rows: each } = await tx.execute<{ id: string }>(sql`select kept.row->>'id' as id from ${kept} order by 1`)
  for (const { id } of each) {
    const isIt = sql`and kept.row->>'id' = ${id}`
    if (!(await isFree(tx, (inner) => insert(inner, sql`${back} ${isIt}`)))) await insert(tx, sql`${cancelled} ${isIt}`)
  }
}

/** Whether the times of the inserted rows are still free; if not, the insert is rolled back. */
async function isFree(tx: Db, insertRows: (inner: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await tx.transaction(insertRows)
    return true
  } catch (error) {
    if (isOverlap(error)) return false
    throw error
  }
}

const nameOf = (table: string): SQL => sql`(
  select names.row->>'name' from deleted_contact_rows as names
  where names.deletion_id = kept.deletion_id and names.contact_id = kept.contact_id and names.place = ${table})`

/**
 * Turns a contact stored as JSON into a row. A procedure or source deleted since is replaced with its name, as for all other patients.
 * `nameOf` looks up that name.
 */
export function revived(was: SQL, nameOf: (table: 'procedures' | 'lead_sources') => SQL): SQL {
  const gone = (table: string, column: string) => sql`
    not exists (select 1 from ${sql.identifier(table)} where id = (${was}->>${column})::uuid) and ${was}->>${column} is not null`
  return sql`jsonb_populate_record(null::contacts, ${was}
    || case when ${gone('procedures', 'procedure_of_interest')}
         then jsonb_build_object('procedure_of_interest', null, 'procedure_text', ${nameOf('procedures')})
         else '{}' end
    || case when ${gone('lead_sources', 'lead_source')}
         then jsonb_build_object('lead_source', null, 'lead_source_text', coalesce(${was}->>'lead_source_text', ${nameOf('lead_sources')}))
         else '{}' end)`
}
