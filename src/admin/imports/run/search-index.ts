import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { errorCode } from '../../../kernel/errors.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { imports } from '../table.ts'

/** PostgreSQL's lock_not_available: the index is in use, and the import is slower until the next attempt. */
const lockNotAvailable = '55P03'

async function unlessLocked(db: Db, statement: SQL): Promise<void> {
  try {
    await db.execute(statement)
  } catch (error) {
    if (errorCode(error) !== lockNotAvailable) throw error
  }
}

/** Lets the search index add the rows of a batch together while an import runs: see decision "import-speed". */
export async function speedUpSearchIndex({ db }: Scope, id: string): Promise<void> {
  const [job] = await db.select({ status: imports.status }).from(imports).where(eq(imports.id, id))
  if (job?.status === 'running') await unlessLocked(db, sql`select begin_contact_import()`)
}

/** Reverts `speedUpSearchIndex`, unless an import is still running. */
export async function restoreSearchIndex({ db }: Scope): Promise<void> {
  const [running] = await db.select({ id: imports.id }).from(imports).where(eq(imports.status, 'running')).limit(1)
  if (running) return
  await unlessLocked(db, sql`select end_contact_import()`)
  await db.execute(sql`select clean_contact_search()`)
}
