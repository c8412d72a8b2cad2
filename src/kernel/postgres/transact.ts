import type { Database, Db } from './database.ts'
import { errorCode } from '../errors.ts'

/** Two transactions that waited for each other, of which PostgreSQL ended one; and one that would have to see what came after it. */
const unlucky: readonly (string | null)[] = ['40P01', '40001']
const maxTries = 6

/**
 * A transaction that is begun again where it was ended for another's sake: `work` may run several times, and must do nothing outside of the
 * database. `isWorthAnother`: what else is to be tried again.
 */
export async function transact<Result>(
  db: Database,
  work: (tx: Db) => Promise<Result>,
  isWorthAnother: (error: unknown) => Promise<boolean> = () => Promise.resolve(false),
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === maxTries) throw error
      if (!unlucky.includes(errorCode(error)) && !(await isWorthAnother(error))) throw error
    }
  }
}
