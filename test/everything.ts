import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** What changes by itself, or with every attempt to get in. */
const ignored = [
  'audit_seals',
  'rate_limits',
  'sessions',
  'contact_counts',
  'contact_day_counts',
  'contact_source_counts',
  'duplicate_checks',
  'duplicate_pairs',
]

const byTheClock = 'select identifier from graphile_worker._private_known_crontabs'
/** What the worker has in hand or takes next: it writes, and is gone then. */
const atWork = `select 1 from graphile_worker.jobs where task_identifier not in (${byTheClock}) and attempts < max_attempts and (run_at <= now() or locked_at is not null)`

/**
 * A fingerprint of everything that is stored, queued jobs included (but those the clock queues): equal before and after when nothing was written.
 * What was queued before and is due is done first.
 */
export async function everything(server: TestServer) {
  await until(async () => (await server.rows(atWork)).length === 0)
  const tables = await server.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
    [ignored],
  )
  const jobs = {
    name: `(select id, task_identifier from graphile_worker.jobs where task_identifier not in (${byTheClock}))`,
  }
  /** Who came in, and who was not let in, goes with `sessions`. */
  const rowsOf = (name: string) => (name === 'audit_log' ? `(select * from audit_log where kind <> 'session')` : name)
  const prints: object[] = []
  // One at a time: a union of as many sorts takes PostgreSQL four times as long.
  for (const { name } of [...tables, jobs])
    prints.push(
      ...(await server.rows(
        `select $$${name}$$ as name, count(*)::int, md5(string_agg(t::text, '' order by t::text)) from ${rowsOf(name)} as t`,
      )),
    )
  return prints
}
