import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** Tables that change without a request, or with every sign-in attempt. */
const ignored = [
  'audit_seals',
  'rate_limits',
  'sessions',
  'contact_counts',
  'contact_day_counts',
  'contact_source_counts',
  'duplicate_checks',
  'duplicate_pairs',
  'file_encryption',
]

const scheduledTasks = 'select identifier from graphile_worker._private_known_crontabs'
/** Jobs that the worker is running or about to run: they write and then disappear. */
const pendingJobs = 'select 1 from graphile_worker.jobs where attempts < max_attempts and (run_at <= now() or locked_at is not null)'

/**
 * A fingerprint of all stored data, including queued jobs (except scheduled ones): equal before and after when nothing was written. Waits
 * for jobs that are due.
 */
export async function databaseFingerprint(server: TestServer) {
  await until(async () => (await server.rows(pendingJobs)).length === 0)
  const tables = await server.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
    [ignored],
  )
  const jobs = {
    name: `(select id, task_identifier from graphile_worker.jobs where task_identifier not in (${scheduledTasks}))`,
  }
  /** Sign-in audit entries are ignored, like `sessions`. */
  const rowsOf = (name: string) => (name === 'audit_log' ? `(select * from audit_log where kind <> 'session')` : name)
  const fingerprints: object[] = []
  // One table at a time: a union of that many sorts takes four times as long.
  for (const { name } of [...tables, jobs])
    fingerprints.push(
      ...(await server.rows(
        `select $$${name}$$ as name, count(*)::int, md5(string_agg(t::text, '' order by t::text)) from ${rowsOf(name)} as t`,
      )),
    )
  return fingerprints
}
