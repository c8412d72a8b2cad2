import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { ReadRow } from './reading/rows.ts'
import { importKeys } from './table.ts'

const text = (row: ReadRow, field: string): string | null => (row.values[field] as string | undefined) ?? null

/** What a row is matched by. */
export const unmatchedOf = (row: ReadRow) => ({
  email: text(row, 'email'),
  phone: text(row, 'phone'),
  firstName: text(row, 'firstName') ?? '',
})

/** The email and the phone number of each row, in the one form in which equal ones are equal. */
export async function keysOf(tx: Db, rows: readonly ReadRow[]): Promise<Map<ReadRow, string[]>> {
  const column = (field: string) => sql`${sql.param(rows.map((row) => text(row, field)))}::text[]`
  const { rows: found } = await tx.execute<{ place: string; email: string | null; phone: string | null }>(sql`
    select place, 'e' || lower(email) as email, 'p' || phone_e164(phone) as phone
    from unnest(${column('email')}, ${column('phone')}) with ordinality as given(email, phone, place)`)
  return new Map(found.map(({ place, email, phone }) => [rows[Number(place) - 1]!, [email, phone].filter((key) => key !== null)]))
}

/** The first row of earlier batches with each of these keys. */
export async function rowsWithKeys(tx: Db, importId: string, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ key: importKeys.key, row: importKeys.row })
    .from(importKeys)
    .where(and(eq(importKeys.importId, importId), sql`${importKeys.key} = any(${sql.param(keys)}::text[])`))
  return new Map(rows.map(({ key, row }) => [key, row]))
}

export async function rememberKeys(tx: Db, importId: string, keys: ReadonlyMap<string, number>): Promise<void> {
  await tx.execute(sql`
    insert into import_keys (import_id, key, row)
    select ${importId}::uuid, key, row from unnest(${sql.param([...keys.keys()])}::text[], ${sql.param([...keys.values()])}::int[]) as own(key, row)`)
}

/** Once every row was seen, or is to be seen again. */
export async function purgeKeys(tx: Db, importId: string): Promise<void> {
  await tx.delete(importKeys).where(eq(importKeys.importId, importId))
}
