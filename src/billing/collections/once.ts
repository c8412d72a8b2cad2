import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import type { collectionNotes, ledgerEntries } from './table.ts'

export type Keyed = { idempotencyKey?: string | undefined }
type Key = { idempotencyKey: string; payloadHash: string }

/** A key with what was sent under it, as a row keeps them. Null: without a key, each sending counts. */
export function keyOf(kind: string, { idempotencyKey, ...sent }: Keyed): Key | null {
  if (idempotencyKey === undefined) return null
  return {
    idempotencyKey,
    payloadHash: createHash('sha256')
      .update(JSON.stringify({ kind, ...sent }))
      .digest('hex'),
  }
}

/**
 * Writes what was sent under a key once: the same again leaves everything as it is, and something else under the same key is refused. Of two
 * that come at once the unique index lets one in, and the other finds it there: `work` writes with `onConflictDoNothing`.
 */
export async function once<Refused>(
  tx: Db,
  table: typeof ledgerEntries | typeof collectionNotes,
  key: Key | null,
  work: () => Promise<Refused>,
): Promise<Refused | 'key-reused' | undefined> {
  if (!key) return work()
  const keptHash = async () => {
    const [row] = await tx.select({ payloadHash: table.payloadHash }).from(table).where(eq(table.idempotencyKey, key.idempotencyKey))
    return row?.payloadHash
  }
  const known = await keptHash()
  if (known === undefined) {
    const refused = await work()
    if (refused) return refused
  }
  return (known ?? (await keptHash())) === key.payloadHash ? undefined : 'key-reused'
}
