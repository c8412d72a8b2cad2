import { sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import type { ReadRow } from './rows.ts'

const text = (row: ReadRow, field: string): string | null => (row.values[field] as string | undefined) ?? null

/** What a row is matched by. */
export const strangerOf = (row: ReadRow) => ({
  email: text(row, 'email'),
  phone: text(row, 'phone'),
  firstName: text(row, 'firstName') ?? '',
})

/** The e-mail and the phone number of each row, in the one form in which equal ones are equal. */
export async function keysOf(tx: Db, rows: readonly ReadRow[]): Promise<Map<ReadRow, string[]>> {
  const column = (field: string) => sql`${sql.param(rows.map((row) => text(row, field)))}::text[]`
  const { rows: found } = await tx.execute<{ place: string; email: string | null; phone: string | null }>(sql`
    select place, 'e' || lower(email) as email, 'p' || phone_e164(phone) as phone
    from unnest(${column('email')}, ${column('phone')}) with ordinality as given(email, phone, place)`)
  return new Map(found.map(({ place, email, phone }) => [rows[Number(place) - 1]!, [email, phone].filter((key) => key !== null)]))
}
