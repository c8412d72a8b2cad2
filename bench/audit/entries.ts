import type { Clinic } from '../clinic/clinic.ts'
import { progress } from '../report.ts'

/** The number of patients in the clinic. */
export const clinicSize = 20_000
const batchSize = 1_000_000

/**
 * Fills the log with a year of typical entries, up to yesterday: 90% are views, 10% of those are lists of 50 patients, and the newest
 * patients are viewed most.
 */
export async function addEntries(clinic: Clinic, count: number): Promise<void> {
  const indexes = await clinic.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = 'audit_log'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await clinic.query(`drop index ${name}`)
  await clinic.query(`set work_mem = '256MB'; set maintenance_work_mem = '1GB'; set synchronous_commit = off`)
  await clinic.query(
    `create temp table seen as
     select row_number() over (order by seq desc) - 1 as n, id, array_agg(id) over (order by seq desc rows between current row and 49 following) as page
     from contacts`,
  )
  await clinic.query(
    'create temp table person as select row_number() over (order by id) - 1 as n, id, count(*) over () as people from profiles',
  )
  const [last] = await clinic.query<{ id: number }>('select coalesce(max(id), 0)::int as id from audit_log')
  const first = last!.id
  for (let from = 0; from < count; from += batchSize) {
    await clinic.query(entries, [first + from, Math.min(batchSize, count - from), count, first])
    progress(`  entries: ${Math.min(count, from + batchSize).toLocaleString('en-CA')}`)
  }
  for (const { made } of indexes) await clinic.query(made)
  // Sealing this many entries at once would keep a processor busy during the benchmark, and no one relies on these entries.
  await clinic.query(
    `insert into audit_seals (from_id, to_id, gaps, digests, previous, seal)
     select coalesce((select max(to_id) from audit_seals), 0) + 1, max(id), '{}', '', '', 'bench' from audit_log`,
  )
  await clinic.query(`select setval('audit_log_id_seq', (select max(id) from audit_log))`)
  await clinic.query('vacuum (analyze) audit_log')
  progress('  audit log indexes rebuilt')
}

/** $1: the number before the first of them, $2: how many, $3: how many in all, $4: the number before the first of all. */
const entries = `
  insert into audit_log (id, at, actor_id, actor_role, action, kind, contact_ids, before, after, request_id, address)
  overriding system value
  select $1::bigint + i, now() - interval '366 days' + ($1::bigint + i - $4::bigint) * (interval '365 days' / $3::int), person.id, 'sales_rep', action, kind,
    case when kind in ('retention', 'webhook') then '{}' when dice < 0.09 then page else array[seen.id] end,
    case when action = 'changed' then '{"city":"Guelph","version":1}'::jsonb end, case when action = 'changed' then '{"city":"Oakville","version":2}'::jsonb end,
    'request', '10.0.0.1'
  from (
    select i, random() as dice, floor(${clinicSize} * random() ^ 3)::int as place, floor(random() * (select people from person limit 1))::int as who
    from generate_series(1, $2::int) as i
  ) as made
  cross join lateral (
    select case when dice < 0.9 then 'viewed' when dice < 0.97 then 'changed' when dice < 0.99 then 'created' when dice < 0.995 then 'denied'
        when dice < 0.999 then 'printed' when dice < 0.9999 then 'exported' else 'restored' end as action,
      case when dice < 0.5 then 'contact' when dice < 0.7 then 'interaction' when dice < 0.75 and who > 4 then 'conversation' when dice < 0.8 then 'document'
        when dice < 0.9 then 'task' when dice < 0.99 then 'contact' when dice < 0.995 then 'contacts.delete' when dice < 0.999 then 'surgery'
        when dice < 0.9999 then 'contact' when dice < 0.99995 then 'retention' else 'webhook' end as kind
  ) as what
  join seen on seen.n = place
  join person on person.n = who`
