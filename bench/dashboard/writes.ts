import type { Clinic } from '../clinic/clinic.ts'
import { median, progress, ratio, type Row, toRow } from '../report.ts'

const rounds = 5

/** Removes what the dashboard adds to the cost of a write: triggers that count, and indexes for medians. */
const without = `
  alter table contacts disable trigger count_added;
  alter table contacts disable trigger count_moved;
  drop index contacts_arrived, contact_stage_history_moves, interactions_answers`

const stage = (value: string) => `(select id from funnel_stages where value = '${value}')`
const add = (count: number) => `
  with added as (
    insert into contacts (first_name, last_name, email, funnel_stage, lead_source, procedure_of_interest)
    select 'Ana', 'Bench', 'bench' || n || '@write.example', ${stage('lead')}, (select id from lead_sources limit 1), (select id from procedures limit 1)
    from generate_series(1, ${count}) as n returning id
  )
  insert into contact_stage_history (contact_id, to_stage) select id, ${stage('lead')} from added`
const move = `
  with moved as (
    update contacts set funnel_stage = case when funnel_stage = ${stage('lead')} then ${stage('contacted')} else ${stage('lead')} end
    where seq = (select max(seq) from contacts) returning id, funnel_stage
  ), history as (
    insert into contact_stage_history (contact_id, from_stage, to_stage, from_entered_at) select id, funnel_stage, funnel_stage, now() from moved
  )
  insert into interactions (contact_id, type, description, created_by)
  select id, 'stage_change', 'Moved', (select id from profiles limit 1) from moved`

const cases = [
  { name: 'one patient added', text: add(1), times: 200 },
  { name: 'one patient moved to another stage', text: move, times: 200 },
  { name: '2,000 patients added at once', text: add(2_000), times: 1 },
]

/** Times each statement alone, in milliseconds, with and without the triggers and indexes of the dashboard. Rolls back. */
export async function measureWrites(clinic: Clinic, size: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, text, times } of cases) {
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      ours.push(await timeOf(clinic, '', text, times))
      bare.push(await timeOf(clinic, without, text, times))
    }
    const row = { ours: median(ours), baseline: median(bare) }
    progress(`  ${name}: ${row.ours.toFixed(3)} ms against ${row.baseline.toFixed(3)} ms`)
    const label = `${size.toLocaleString('en-CA')}: ${name}, against without counts`
    rows.push(toRow({ ...row, case: label, unit: 'ms', ratio: ratio(row.ours, row.baseline) }))
  }
  return rows
}

async function timeOf(clinic: Clinic, before: string, text: string, times: number): Promise<number> {
  await clinic.query('begin')
  try {
    if (before) await clinic.query(before)
    await clinic.query(text) // one-time setup is not measured
    const start = performance.now()
    for (let i = 0; i < times; i++) await clinic.query(text)
    return (performance.now() - start) / times
  } finally {
    await clinic.query('rollback')
  }
}
