import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './postgres/database.ts'

type Named = PgTable & { id: PgColumn; name: PgColumn }

/** The id of the row with this id or name (case-insensitive), or null. */
export async function findByIdOrName(tx: Db, table: Named, input: string, orElse: SQL = sql`false`): Promise<string | null> {
  const result = await tx.execute<{ id: string }>(
    sql`select ${table.id} as id from ${table} where ${table.id}::text = lower(${input}) or lower(${table.name}) = lower(${input}) or ${orElse} limit 1`,
  )
  return result.rows[0]?.id ?? null
}
