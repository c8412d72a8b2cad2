import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { MergedTable } from '../../kernel/patient-tables/registry.ts'
import type { ContactTable } from '../../kernel/patient-tables/rules.ts'

/** SQL condition: the target already has an equal row, so this one (`mine`) is dropped instead of moved. */
const isDuplicate = ({ table, unique }: MergedTable, targetId: string): SQL =>
  unique
    ? sql`exists (
        select 1 from ${sql.identifier(table)} as theirs
        where theirs.contact_id = ${targetId}
          ${unique === 'contact_id' ? sql`` : sql`and theirs.${sql.identifier(unique)} = mine.${sql.identifier(unique)}`}
      )`
    : sql`false`

/** How many rows of the source a merge would move to the target, and how many it would drop. */
export async function countChildren(db: Db, child: MergedTable, targetId: string, sourceId: string) {
  const { rows } = await db.execute<{ moved: number; dropped: number }>(sql`
    select count(*) filter (where not ${isDuplicate(child, targetId)})::int as moved, count(*) filter (where ${isDuplicate(child, targetId)})::int as dropped
    from ${sql.identifier(child.table)} as mine where contact_id = ${sourceId}`)
  return { kind: child.table, ...rows[0]! }
}

/** Moves the rows of one table to the target and drops its duplicates. Both kinds are saved for the undo. */
export async function moveChildren(tx: Db, mergeId: string, child: MergedTable, targetId: string, sourceId: string): Promise<void> {
  const name = sql.identifier(child.table)
  const saveRows = (kind: 'moved' | 'dropped') =>
    sql`insert into contact_merge_rows (merge_id, place, kind, row) select ${mergeId}, ${child.table}, ${kind}, row from gone`
  if (child.unique) {
    await tx.execute(sql`
      with gone as (delete from ${name} as mine where contact_id = ${sourceId} and ${isDuplicate(child, targetId)} returning to_jsonb(mine) as row)
      ${saveRows('dropped')}`)
  }
  await tx.execute(sql`
    with gone as (update ${name} as mine set contact_id = ${targetId} where contact_id = ${sourceId} returning to_jsonb(mine) as row)
    ${saveRows('moved')}`)
}

/** Records a row that the merge itself created, so that the undo can delete it. */
export const recordWrittenRow = (tx: Db, mergeId: string, place: ContactTable, id: string) =>
  tx.execute(sql`
    insert into contact_merge_rows (merge_id, place, kind, row) values (${mergeId}, ${place}, 'written', jsonb_build_object('id', ${id}::uuid))`)
