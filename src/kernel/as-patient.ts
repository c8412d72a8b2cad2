import { sql } from 'drizzle-orm'
import type { Db } from './postgres/database.ts'
import type { Env } from './env.ts'
import type { VerifiedContactId } from './scope.ts'

/** The database role of the portal (see portal/guard.ts). */
export const portalRole = (appRole: string): string => `${appRole}_portal`

/**
 * Runs `work` under the portal's database role, so that the database only reads and writes rows of this patient, whatever the statements
 * ask for. Must run in a transaction, which continues under the application's role afterwards.
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
