import type { TestServer } from './server.ts'

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

/** A fingerprint of everything that is stored, queued jobs included (but those the clock queues): equal before and after when nothing was written. */
export async function everything(server: TestServer) {
  const tables = await server.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
    [ignored],
  )
  const jobs = {
    name: `(select id, task_identifier from graphile_worker.jobs where task_identifier not in (select identifier from graphile_worker._private_known_crontabs))`,
  }
  const print = ({ name }: { name: string }, i: number) =>
    `select ${i} as place, $$${name}$$ as name, count(*)::int, md5(string_agg(t::text, '' order by t::text)) from ${name} as t`
  return server.rows(`${[...tables, jobs].map(print).join(' union all ')} order by place`)
}
