import { sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'

/** Serializes actions that depend on the set of accounts: the last administrator, the first one, a taken address. */
export const lockAccounts = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('accounts'))`)
