import { sql } from 'drizzle-orm'
import type { Db } from './postgres/database.ts'
import type { Env } from './env.ts'
import type { VerifiedContactId } from './scope.ts'

/** The database role under which the portal reads and writes (see kernel/postgres/migrate.ts). */
export const portalRole = (appRole: string): string => `${appRole}_portal`

/**
 * The second wall: whatever the statements in `work` ask for, the database itself shows and takes the documents of this patient alone. Within a
 * transaction; afterwards that goes on under the application's own role.
 */
export async function asPatient<Result>(
  tx: Db,
  env: Env,
  contactId: VerifiedContactId,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  await tx.execute(
    sql`select set_config('refyne.patient', ${contactId}, true), set_config('role', ${portalRole(env.DATABASE_APP_ROLE)}, true)`,
  )
  const result = await work(tx)
  await tx.execute(sql`select set_config('role', 'none', true), set_config('refyne.patient', '', true)`)
  return result
}
