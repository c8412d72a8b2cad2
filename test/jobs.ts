import type { TestServer } from './server.ts'
import { until } from './until.ts'

/**
 * Makes queued jobs due and wakes the worker, which would otherwise notice them within two seconds. `which`: a condition on their rows.
 * Returns their number.
 */
export async function makeDue({ rows }: Pick<TestServer, 'rows'>, which: string, values: unknown[] = []): Promise<number> {
  const [due] = await rows<{ count: number }>(
    `with due as (update graphile_worker._private_jobs set run_at = now() where locked_at is null and ${which} returning 1)
     select count(*)::int as count, pg_notify('jobs:insert', '{"count": 1}') from due`,
    values,
  )
  return due!.count
}

/** Waits until all jobs with this name have run or failed permanently. */
export const untilNoneLeft = ({ rows }: Pick<TestServer, 'rows'>, job: string): Promise<unknown> =>
  until(
    async () => (await rows('select from graphile_worker.jobs where task_identifier = $1 and attempts < max_attempts', [job])).length === 0,
  )
