import { setTimeout as after } from 'node:timers/promises'
import { connect, tryLock } from '../admin/backups/connection.ts'
import { UnreachableDataError } from '../kernel/postgres/embedded-postgres.ts'

/** Arbitrary advisory lock: one server uses the bundled PostgreSQL. */
const serverLock = 7_310_284_668
/** In milliseconds: PostgreSQL ends the session of a killed process within moments. */
const waitFor = 10_000

/**
 * Holds the bundled PostgreSQL for this process until `release`. The one that started PostgreSQL stops it, so a second process would stay behind
 * without a database.
 *
 * @throws an UnreachableDataError if another server holds it.
 */
export async function lockBundled(ownerUrl: string, dataDir: string): Promise<{ release: () => Promise<void> }> {
  const session = await connect(ownerUrl)
  session.on('error', () => {}) // PostgreSQL has ended, and is started again
  for (const begin = performance.now(); !(await tryLock(session, serverLock)); await after(100)) {
    if (performance.now() - begin < waitFor) continue
    await session.end()
    throw new UnreachableDataError(
      `Another process serves the clinic in DATA_DIR (${dataDir}). The bundled PostgreSQL serves one. Stop the other, or set DATABASE_URL to use your own for several.`,
    )
  }
  return { release: () => session.end().catch(() => {}) }
}
