import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { MergedTable } from '../../kernel/patient-tables/registry.ts'
import type { ContactTable } from '../../kernel/patient-tables/rules.ts'

/** The rows of one contact that another has the same of already: of them nothing is moved. */
const doubled = ({ table, unique }: MergedTable, targetId: string): SQL =>
  unique
    ? sql`exists (
        select 1 from ${sql.identifier(table)} as theirs
        where theirs.contact_id = ${targetId} and theirs.${sql.identifier(unique)} = mine.${sql.identifier(unique)}
      )`
    : sql`false`

/** How many rows of the source a merge would move to the target, and how many it would drop. */
export async function countChildren(db: Db, child: MergedTable, targetId: string, sourceId: string) {
  const { rows } = await db.execute<{ moved: number; dropped: number }>(sql`
    select count(*) filter (where not ${doubled(child, targetId)})::int as moved, count(*) filter (where ${doubled(child, targetId)})::int as dropped
    from ${sql.identifier(child.table)} as mine where contact_id = ${sourceId}`)
  return { kind: child.table, ...rows[0]! }
}

/** Moves the rows of one table to the target; those that the target has already are dropped. Both are kept for the undo. */
export async function moveChildren(tx: Db, mergeId: string, child: MergedTable, targetId: string, sourceId: string): Promise<void> {
  const name = sql.identifier(child.table)
  const keep = (kind: 'moved' | 'dropped') =>
    sql`insert into contact_merge_rows (merge_id, place, kind, row) select ${mergeId}, ${child.table}, ${kind}, row from gone`
  if (child.unique) {
    await tx.execute(sql`
      with gone as (delete from ${name} as mine where contact_id = ${sourceId} and ${doubled(child, targetId)} returning to_jsonb(mine) as row)
      ${keep('dropped')}`)
  }
  await tx.execute(sql`
    with gone as (update ${name} as mine set contact_id = ${targetId} where contact_id = ${sourceId} returning to_jsonb(mine) as row)
    ${keep('moved')}`)
}

/** Remembers rows that the merge wrote itself: its undo takes them away again. */
export const keepWritten = (tx: Db, mergeId: string, place: ContactTable, id: string) =>
  tx.execute(sql`
    insert into contact_merge_rows (merge_id, place, kind, row) values (${mergeId}, ${place}, 'written', jsonb_build_object('id', ${id}::uuid))`)
