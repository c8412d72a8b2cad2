import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { MergedTable } from '../../kernel/patient-tables/registry.ts'
import { lockReferencedRows, hasAllReferences, list, writableColumns } from '../../kernel/postgres/stored-rows.ts'
import type { UndoConflict } from './contract.ts'
import type { UndoableMerge } from './table.ts'

/** Compares a saved row with the current one by the columns that both have, because a later version may have added columns. */
const isUnchanged = sql`not exists (
  select 1 from jsonb_each(kept.row) as was where to_jsonb(mine) ? was.key and to_jsonb(mine)->was.key is distinct from was.value)`

const keyOf = ({ table, key }: MergedTable): SQL => sql`(${table} || ':' || (kept.row->>${key}))`

/** The saved rows of one table, each joined with the target's current row if it still exists. */
const savedRows = ({ id, targetId }: UndoableMerge, { table, key }: MergedTable, kind: 'moved' | 'dropped'): SQL => sql`
  contact_merge_rows as kept left join ${sql.identifier(table)} as mine
    on mine.contact_id = ${targetId} and mine.${sql.identifier(key)} = (kept.row->>${key})::uuid
  where kept.merge_id = ${id} and kept.place = ${table} and kept.kind = ${kind}`

/** A row without its own id that differs was not edited: it was removed and another was added. */
const isRemoved = ({ key }: MergedTable): SQL =>
  key === 'id' ? sql`mine.contact_id is null` : sql`(mine.contact_id is null or not ${isUnchanged})`
const isChanged = ({ key }: MergedTable): SQL => (key === 'id' ? sql`(mine.contact_id is not null and not ${isUnchanged})` : sql`false`)

/**
 * The moved rows that someone changed or removed after the merge. Rows that refer to deleted records are left out: they cannot be restored.
 */
export async function findChangedRows(tx: Db, merge: UndoableMerge, child: MergedTable): Promise<UndoConflict[]> {
  if (child.keepsChanges) return []
  const { rows } = await tx.execute<{ key: string; removed: boolean; title: string | null }>(sql`
    select ${keyOf(child)} as key, ${isRemoved(child)} as removed, left(${child.title(sql`kept.row`)}, 200) as title
    from ${savedRows(merge, child, 'moved')} and (${isChanged(child)} or (${isRemoved(child)} and ${await hasAllReferences(tx, child.table)}))
    order by 1`)
  return rows.map(({ key, removed, title }) => ({
    key,
    kind: removed ? 'removed-row' : 'changed-row',
    of: child.table,
    title,
    before: null,
    now: null,
  }))
}

/**
 * Returns the source's rows of one table: moved rows with their later edits, unless their key is in `restored`; rows removed since the
 * merge only if their key is in `restored`; and rows that the merge dropped.
 */
export async function returnRows(tx: Db, merge: UndoableMerge, child: MergedTable, restored: readonly string[]): Promise<void> {
  const columns = await getWritableColumns(tx, merge, child)
  if (!columns) return
  await lockReferencedRows(tx, child.table, sql`select row from contact_merge_rows where merge_id = ${merge.id} and place = ${child.table}`)
  const name = sql.identifier(child.table)
  const isRestored = child.keepsChanges ? sql`false` : sql`${keyOf(child)} = any(${sql.param(restored)}::text[])`
  const rowForSource = sql`jsonb_populate_record(null::${name}, kept.row || jsonb_build_object('contact_id', ${merge.sourceId}::uuid))`
  const hasReferences = await hasAllReferences(tx, child.table)
  const insert = (kind: 'moved' | 'dropped', condition: SQL) =>
    tx.execute(sql`
      insert into ${name} (${list(columns)})
      select ${list(columns)} from (select (${rowForSource}).* from ${savedRows(merge, child, kind)} and ${condition} and ${hasReferences}) as back`)
  const matchesCurrent = sql`
    kept.merge_id = ${merge.id} and kept.place = ${child.table} and kept.kind = 'moved'
    and mine.contact_id = ${merge.targetId} and mine.${sql.identifier(child.key)} = (kept.row->>${child.key})::uuid`

  await insert('moved', sql`${isRemoved(child)} and ${isRestored}`)
  await insert('dropped', sql`true`)
  await tx.execute(sql`
    update ${name} as mine set (${list(columns)}) = (select ${list(columns)} from (select (${rowForSource}).*) as back)
    from contact_merge_rows as kept where ${matchesCurrent} and ${isChanged(child)} and ${isRestored}`)
  await tx.execute(sql`
    update ${name} as mine set contact_id = ${merge.sourceId}
    from contact_merge_rows as kept where ${matchesCurrent} and ${child.key === 'id' ? sql`true` : isUnchanged}`)
  await restoreDroppedForTarget(tx, merge, child, columns)
}

/** The writable columns of the saved rows of one table; null if there are none. */
async function getWritableColumns(tx: Db, { id }: UndoableMerge, child: MergedTable): Promise<string[] | null> {
  const { rows } = await tx.execute<{ keys: string[] | null }>(sql`
    select array_agg(distinct key) as keys from contact_merge_rows, jsonb_object_keys(row) as key
    where merge_id = ${id} and place = ${child.table} and kind <> 'written'`)
  const keys = rows[0]!.keys
  return keys && writableColumns(tx, child.table, keys)
}

/**
 * A row that goes back to the source may be the reason why another merge dropped an equal row. That row now moves to the target, and the
 * other merge's undo returns it.
 */
async function restoreDroppedForTarget(
  tx: Db,
  { id, targetId }: UndoableMerge,
  { table, unique }: MergedTable,
  columns: readonly string[],
) {
  if (!unique) return
  const name = sql.identifier(table)
  const isOnly = unique === 'contact_id'
  // Not a parameter: PostgreSQL must see the same expression everywhere. All rows of a table of which a patient has one at most are equal.
  const valueIn = (saved: SQL) => (isOnly ? sql`${saved}.place` : sql`${saved}.row->>${sql.raw(`'${unique}'`)}`)
  const [others, own] = [valueIn(sql`other`), valueIn(sql`mine`)]
  const current = isOnly ? others : sql`theirs.${sql.identifier(unique)}::text`
  await tx.execute(sql`
    with taken as (
      select distinct on (${others}) other.ctid as place, other.row || jsonb_build_object('contact_id', ${targetId}::uuid) as row
      from contact_merge_rows as other
      join contact_merges as merge on merge.id = other.merge_id and merge.target_id = ${targetId} and merge.undone_at is null and merge.id <> ${id}
      join contact_merge_rows as mine on mine.merge_id = ${id} and mine.place = ${table} and mine.kind = 'moved'
        and ${own} = ${others}
      where other.place = ${table} and other.kind = 'dropped' and not exists (
        select 1 from ${name} as theirs where theirs.contact_id = ${targetId} and ${current} = ${others})
      order by ${others}, other.merge_id
    ), noted as (
      update contact_merge_rows as other set kind = 'moved', row = taken.row from taken where other.ctid = taken.place
    )
    insert into ${name} (${list(columns)}) select ${list(columns)} from (select (jsonb_populate_record(null::${name}, row)).* from taken) as back`)
}

/** Deletes the rows that the merge itself created: the move to the source's stage. */
export async function deleteWrittenRows(tx: Db, { id, targetId }: UndoableMerge): Promise<void> {
  for (const table of ['contact_stage_history', 'interactions']) {
    await tx.execute(sql`
      delete from ${sql.identifier(table)} where contact_id = ${targetId} and id in (
        select (row->>'id')::uuid from contact_merge_rows where merge_id = ${id} and place = ${table} and kind = 'written')`)
  }
}
