import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { addressKey, type Suppression } from './rules.ts'
import { suppressedAddresses } from './table.ts'

/** Why an address is suppressed. Null if it can receive email, though possibly no commercial email. */
export async function suppressionOf(db: Db, address: string): Promise<Suppression | null> {
  const [row] = await db
    .select({ reason: suppressedAddresses.reason })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.address, addressKey(address)))
  return row?.reason ?? null
}
