import type { Clinic } from '../clinic/clinic.ts'
import { median, progress, ratio, type Row, toRow } from '../report.ts'

const rounds = 5
const views = 500
const batches = 20

const indexes = ['actor', 'at', 'changes', 'merges', 'action', 'kind', 'patients'].map((name) => `audit_log_${name}`)
const triggers = ['created', 'changed', 'deleted'].map((name) => `alter table contacts disable trigger contacts_notify_${name}`).join('; ')

/** The entry that the server writes when a list of this many patients is viewed, or a single patient. */
const view = (patients: number) => `
  insert into audit_log (actor_id, actor_role, action, kind, contact_ids, request_id, address)
  select (select id from profiles limit 1), 'sales_rep', 'viewed', 'contact', array(select id from contacts order by seq desc offset floor(random() * 5000)::int limit ${patients}),
    gen_random_uuid()::text, '10.0.0.1'`
const tidy = `select gin_clean_pending_list('audit_log_patients')`
/** A batch of an import. */
const batch = `
  with added as (
    insert into contacts (first_name, last_name, email, phone, city, notes, funnel_stage)
    select 'Ana', 'Bench', gen_random_uuid() || '@write.example', '416' || lpad(n::text, 7, '0'), 'Oakville', 'From the system before', id
    from generate_series(1, 1000) as n, funnel_stages where is_initial returning id, funnel_stage
  )
  insert into contact_stage_history (contact_id, to_stage) select id, funnel_stage from added`
const listens = `
  insert into webhooks (url, events, sealed_secret, created_by, created_at)
  select 'https://hooks.example.com/bench', array['contact.created'], 'nothing', id, now() from profiles limit 1`

interface Case {
  name: string
  text: string
  times: number
  /** Runs before the measurement, one statement per side, and is rolled back afterwards. */
  ours?: string
  bare: string
  /** Runs once after all repetitions and counts toward the time. */
  last?: string
}

const cases: Case[] = [
  {
    name: 'a view of one patient, against without the index by patient',
    text: view(1),
    times: views,
    bare: 'drop index audit_log_patients',
  },
  {
    name: 'a view of 50 patients, against without the index by patient',
    text: view(50),
    times: views,
    bare: 'drop index audit_log_patients',
  },
  {
    name: 'a view of 50 patients and its place in the index, against without it',
    text: view(50),
    times: views,
    bare: 'drop index audit_log_patients',
    last: tidy,
  },
  {
    name: 'a view of one patient, against without any index but the primary key',
    text: view(1),
    times: views,
    bare: `drop index ${indexes.join(', ')}`,
  },
  { name: '1,000 patients of an import, against without the triggers of webhooks', text: batch, times: batches, bare: triggers },
  { name: 'the same while a webhook listens', text: batch, times: batches, ours: listens, bare: triggers },
]

/** Times each statement alone, in milliseconds, with and without the indexes or triggers that it pays for. */
export async function measureAuditWrites(clinic: Clinic, count: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, text, times, ours: before = '', bare: without, last = '' } of cases) {
    const [ours, bare]: [number[], number[]] = [[], []]
    await clinic.query(tidy)
    for (let round = 0; round < rounds; round++) {
      ours.push(await timeOf(clinic, before, text, times, last))
      bare.push(await timeOf(clinic, without, text, times, ''))
    }
    const row = { ours: median(ours), baseline: median(bare) }
    progress(`  ${name}: ${row.ours.toFixed(3)} ms against ${row.baseline.toFixed(3)} ms`)
    rows.push(
      toRow({ ...row, case: `${count.toLocaleString('en-CA')} entries, ${name}`, unit: 'ms', ratio: ratio(row.ours, row.baseline) }),
    )
  }
  return rows
}

async function timeOf(clinic: Clinic, before: string, text: string, times: number, last: string): Promise<number> {
  await clinic.query('begin')
  try {
    if (before) await clinic.query(before)
    await clinic.query(text) // what is set up once is not measured
    const start = performance.now()
    for (let i = 0; i < times; i++) await clinic.query(text)
    if (last) await clinic.query(last)
    return (performance.now() - start) / times
  } finally {
    await clinic.query('rollback')
  }
}
