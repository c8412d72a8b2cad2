import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './postgres/database.ts'

type Named = PgTable & { id: PgColumn; name: PgColumn }

/** Whether a row has this id or name (case-insensitive). */
export const hasIdOrName = (table: Named, input: string): SQL =>
  sql`(${table.id}::text = lower(${input}) or lower(${table.name}) = lower(${input}))`

/** The id of the row with this id or name (case-insensitive), or null. */
export async function findByIdOrName(tx: Db, table: Named, input: string): Promise<string | null> {
  const result = await tx.execute<{ id: string }>(sql`select ${table.id} as id from ${table} where ${hasIdOrName(table, input)} limit 1`)
  return result.rows[0]?.id ?? null
}
