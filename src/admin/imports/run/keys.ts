import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { ReadRow } from '../reading/rows.ts'
import { importKeys } from '../table.ts'

const text = (row: ReadRow, field: string): string | null => (row.values[field] as string | undefined) ?? null

/** The values by which a row is matched to patients. */
export const toMatchInput = (row: ReadRow) => ({
  email: text(row, 'email'),
  phone: text(row, 'phone'),
  firstName: text(row, 'firstName') ?? '',
})

/** The normalized email and phone number of each row, for comparison. */
export async function findKeys(tx: Db, rows: readonly ReadRow[]): Promise<Map<ReadRow, string[]>> {
  const column = (field: string) => sql`${sql.param(rows.map((row) => text(row, field)))}::text[]`
  const { rows: found } = await tx.execute<{ place: string; email: string | null; phone: string | null }>(sql`
    select place, 'e' || lower(email) as email, 'p' || phone_e164(phone) as phone
    from unnest(${column('email')}, ${column('phone')}) with ordinality as given(email, phone, place)`)
  return new Map(found.map(({ place, email, phone }) => [rows[Number(place) - 1]!, [email, phone].filter((key) => key !== null)]))
}

/** The first row of earlier batches with each of these keys. */
export async function findRowsByKey(tx: Db, importId: string, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ key: importKeys.key, row: importKeys.row })
    .from(importKeys)
    .where(and(eq(importKeys.importId, importId), sql`${importKeys.key} = any(${sql.param(keys)}::text[])`))
  return new Map(rows.map(({ key, row }) => [key, row]))
}

export async function saveKeys(tx: Db, importId: string, keys: ReadonlyMap<string, number>): Promise<void> {
  await tx.execute(sql`
    insert into import_keys (import_id, key, row)
    select ${importId}::uuid, key, row from unnest(${sql.param([...keys.keys()])}::text[], ${sql.param([...keys.values()])}::int[]) as own(key, row)`)
}

/** Called after the check, or before it starts again. */
export async function purgeKeys(tx: Db, importId: string): Promise<void> {
  await tx.delete(importKeys).where(eq(importKeys.importId, importId))
}
