import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse, type Refusal } from '../../kernel/refusal.ts'
import { hashPayload } from './hash-payload.ts'

/** Columns for the key a row was created under. `payloadHash`: of the request body. */
export type KeyColumns = { idempotencyKey: string; payloadHash: string }

/** `idempotencyKey` has a unique index. */
type KeyedTable = PgTable & Record<keyof KeyColumns, PgColumn>

/** `key`: null or undefined if the caller sent none, so each call counts. */
type Asked<Table> = { table: Table; key: string | null | undefined; payload: unknown }

/**
 * Creates a row once per key in the payload: the same key and payload return the existing row, another payload is refused with KEY_REUSED.
 * `make` inserts the row with these columns and `onConflictDoNothing`, and returns it, or undefined if another transaction took the key in
 * the meantime. Any other result (a refusal, null for NOT_FOUND) is passed on and leaves the key free.
 */
export async function recordOnce<Table extends KeyedTable, Made>(
  tx: Db,
  { table, key, payload }: Asked<Table>,
  make: (columns: KeyColumns) => Promise<Made>,
): Promise<Exclude<Made, undefined> | Table['$inferSelect'] | Refusal<'KEY_REUSED'>> {
  const columns: KeyColumns = { idempotencyKey: key ?? randomUUID(), payloadHash: hashPayload(payload) }
  const find = async () => {
    const keyed: KeyedTable = table
    const [row] = await tx.select().from(keyed).where(eq(table.idempotencyKey, columns.idempotencyKey))
    return row as (Table['$inferSelect'] & Partial<KeyColumns>) | undefined
  }
  let known = key ? await find() : undefined
  if (!known) {
    const made = await make(columns)
    if (made !== undefined) return made as Exclude<Made, undefined>
    known = (await find())!
  }
  return known.payloadHash === columns.payloadHash ? known : refuse('KEY_REUSED')
}
