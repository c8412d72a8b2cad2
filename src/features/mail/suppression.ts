import { eq } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { addressKey } from '../inbox/rules.ts'
import { suppressedAddresses } from '../inbox/table.ts'
import type { Suppression } from './rules.ts'

/** Why no mail may go to an address any more. Null: it may, though perhaps none that is commercial. */
export async function suppressionOf(db: Db, address: string): Promise<Suppression | null> {
  const [row] = await db
    .select({ reason: suppressedAddresses.reason })
    .from(suppressedAddresses)
    .where(eq(suppressedAddresses.address, addressKey(address)))
  return row?.reason ?? null
}
