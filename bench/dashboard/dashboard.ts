import path from 'node:path'
import { type Clinic, filledAt } from '../clinic/clinic.ts'
import { measureWrites } from './writes.ts'
import { withClinic } from '../load/measure.ts'
import type { Options } from '../options.ts'
import type { Row } from '../report.ts'

/** Measures the dashboard against the same SQL without our server at each size, with 1 and 16 connections, then its cost for writes. */
export async function benchDashboard({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    const writes: Row[] = []
    const reads = await withClinic(
      size,
      seconds,
      only,
      async (clinic, measure) => {
        await addTasks(clinic)
        await clinic.query('vacuum analyze')
        await measure('dashboard', [{ method: 'GET', path: '/api/dashboard' }], { aims: [{ of: 'oursP50', atMost: 150, connections: 1 }] })
        if ('what a write costs'.includes(only)) writes.push(...(await measureWrites(clinic, size)))
      },
      {
        NODE_OPTIONS: `--import=${path.join(import.meta.dirname, '../clock-offset.ts')}`,
        BENCH_CLOCK_AHEAD: String(filledAt.getTime() - Date.now()),
      },
    )
    rows.push(...reads, ...writes)
  }
  return rows
}

/** 5,000 tasks, a tenth of them overdue, each assigned to two people. */
async function addTasks(clinic: Clinic): Promise<void> {
  await clinic.query(
    `
    with person as (select id, row_number() over (order by id) - 1 as n, count(*) over () as people from profiles where email like '%@refyne.example'),
    patient as (select id, row_number() over () as n from (select id from contacts order by seq desc limit 5000) as latest),
    made as (
      insert into tasks (title, type, due_date, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
      select 'Task ' || n, 'Call', due::date, due, due, patient.id, (select id from person where person.n = patient.n % people), due, due
      from patient cross join lateral (select $1::timestamptz + (n - 500) * interval '1 hour' as due) as at
      returning id, assigned_to
    )
    insert into task_assignees (task_id, profile_id, position)
    select made.id, person.id, case when person.id = assigned_to then 0 else 1 end from made, person where person.id = assigned_to or person.n = 0`,
    [filledAt],
  )
}
