import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './database.ts'

/*
 * Rows stored as JSON by PostgreSQL, so that instants keep microseconds and large numbers all digits. They are written back later, possibly
 * after a column was added or a referenced row was deleted.
 */

export const list = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )

/** The columns of a table that can be written from rows with these keys. */
export async function writableColumns(tx: Db, table: string, keys: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`)
  return rows.map(({ name }) => name).filter((name) => keys.includes(name))
}

/** The tables other than contacts that this table refers to, with the column. */
async function referencesOf(tx: Db, table: string): Promise<{ column: string; table: string }[]> {
  const { rows } = await tx.execute<{ column: string; table: string }>(sql`
    select attname as column, confrelid::regclass::text as table from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and conrelid = ${table}::regclass and confrelid <> 'contacts'::regclass`)
  return rows
}

/** SQL for whether everything that `kept.row`, a row of this table, refers to still exists. */
export async function hasAllReferences(tx: Db, table: string): Promise<SQL> {
  const references = await referencesOf(tx, table)
  return sql.join(
    [
      sql`true`,
      ...references.map(
        ({ column, table }) =>
          sql`(kept.row->>${column} is null or exists (select 1 from ${sql.identifier(table)} where id = (kept.row->>${column})::uuid))`,
      ),
    ],
    sql` and `,
  )
}

/**
 * Locks the rows that rows of this table refer to, so that they are not deleted during a restore. `rows` selects the rows, each as `row`.
 */
export async function lockReferencedRows(tx: Db, table: string, rows: SQL): Promise<void> {
  for (const { column, table: other } of await referencesOf(tx, table)) {
    await tx.execute(sql`
      select 1 from ${sql.identifier(other)} where id in (select (row->>${column})::uuid from (${rows}) as kept where row->>${column} is not null)
      order by id for key share`)
  }
}
