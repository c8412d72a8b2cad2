import type { Database, Db } from './database.ts'
import { errorCode } from '../errors.ts'

/** Deadlocks and serialization failures. */
const retryableCodes: readonly (string | null)[] = ['40P01', '40001']
const maxAttempts = 6

/**
 * Runs a transaction and retries it after a deadlock or serialization failure. `work` may run several times, so it must have no effects
 * outside the database. `isRetryable`: other errors to retry.
 */
export async function transact<Result>(
  db: Database,
  work: (tx: Db) => Promise<Result>,
  isRetryable: (error: unknown) => Promise<boolean> = () => Promise.resolve(false),
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === maxAttempts) throw error
      if (!retryableCodes.includes(errorCode(error)) && !(await isRetryable(error))) throw error
    }
  }
}
