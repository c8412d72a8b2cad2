import { sql } from 'drizzle-orm'
import type { Db } from './postgres/database.ts'

export type QueuedJobs = {
  job: string
  /** Including those for later. */
  waiting: number
  /** Seconds since the oldest one that no worker has begun was due; null if none is due. */
  oldestDueSeconds: number | null
  /** After their last attempt; each is kept until someone deletes it. */
  failed: number
  /** The kind of the newest failure. */
  lastErrorKind: string | null
}

/** The queue of all processes, by the name of the job. */
export async function readQueue(db: Db): Promise<QueuedJobs[]> {
  const { rows } = await db.execute<QueuedJobs>(sql`
    select task_identifier as job,
      (count(*) filter (where attempts < max_attempts))::int as waiting,
      extract(epoch from now() - min(run_at) filter (where attempts < max_attempts and run_at <= now() and locked_at is null))::float8
        as "oldestDueSeconds",
      (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as failed,
      (array_agg(left(split_part(last_error, E'\n', 1), 60) order by updated_at desc) filter (where last_error is not null))[1]
        as "lastErrorKind"
    from graphile_worker.jobs group by task_identifier order by task_identifier`)
  return rows
}
