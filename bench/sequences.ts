import pg from 'pg'
import { pino } from 'pino'
import type { Definition, Step } from '../src/outreach/sequences/definition-contract.ts'
import { advanceDue } from '../src/outreach/sequences/advance.ts'
import { openDatabase } from '../src/kernel/postgres/database.ts'
import { readEnv } from '../src/kernel/env.ts'
import type { Scope } from '../src/kernel/scope.ts'
import { define } from '../test/outreach/sequences.ts'
import { advanceBare, type StepKind, stepKinds } from './baseline/sequences.ts'
import { measureCampaign } from './campaign.ts'
import { type Clinic, openClinic } from './clinic/clinic.ts'
import { benchSecret } from './load/processes.ts'
import type { Options } from './options.ts'
import { median, progress, ratio, type Row, toRow } from './report.ts'

/** Due steps of one kind, each of another patient, that are carried out in a round. A clinic of fewer than 120,000 patients has fewer. */
const steps = 10_000
const rounds = 3
/** Of each patient, from sequences that ended. */
const pastSteps = 5

/**
 * Measures the scan for due steps and 10,000 of them by kind against the same rows in bare SQL, in the clinic of the largest requested size, then a
 * campaign.
 */
export async function benchSequences({ sizes, only }: Options): Promise<Row[]> {
  const patients = Math.max(...sizes)
  const clinic = await openClinic(patients)
  const pool = new pg.Pool({ connectionString: clinic.appUrl, max: 1 })
  const scope = scopeOn(clinic.appUrl)
  try {
    const count = Math.min(steps, Math.floor(patients / (4 * rounds)))
    const ids = await prepare(clinic, count * (2 * rounds + 1))
    const rows: Row[] = []
    for (const kind of stepKinds.filter((one) => one.includes(only))) {
      const [ours, bare]: [number[], number[]] = [[], []]
      const measured = [
        async () => ours.push(await timed(() => advanceDue(scope))),
        async () => bare.push(await timed(() => advanceBare(pool, { kind, tagId: ids.tagId, adminId: ids.adminId }))),
      ]
      for (let round = 0; round < rounds; round++) {
        // Each goes first in turn: what the first one wrote makes the tables of the second one larger.
        const inOrder = round % 2 === 0 ? measured : measured.toReversed()
        for (const [place, measure] of inOrder.entries()) {
          await makeDue(clinic, ids.sequences.get(kind)!, count, 2 * round + place)
          await measure()
        }
        await checkDone(clinic, ids.sequences.get(kind)!, count * (2 * round + 2))
        progress(`  ${kind}, round ${round + 1}: ${ours.at(-1)!.toFixed(1)} s, bare SQL ${bare.at(-1)!.toFixed(1)} s`)
      }
      const [mine, theirs] = [median(ours), median(bare)]
      rows.push(
        toRow({
          case: `${patients.toLocaleString('en-CA')}: ${count.toLocaleString('en-CA')} due steps, ${kind}`,
          unit: 's',
          ours: mine,
          baseline: theirs,
          ratio: ratio(mine, theirs),
          aims: [{ of: 'ratio', atMost: 1.5 }],
        }),
      )
    }
    if ('campaign'.includes(only)) {
      rows.push(...(await measureCampaign(clinic, patients, () => makeDue(clinic, ids.sequences.get('text')!, count, 2 * rounds))))
    }
    return rows
  } finally {
    await Promise.all([scope.db.$client.end(), pool.end()])
    await clinic.close()
  }
}

/** As the server's jobs have it; nothing that is queued is sent, as no worker runs. */
function scopeOn(url: string): Scope {
  const env = readEnv({
    APP_SECRET: benchSecret,
    DATABASE_URL: url,
    PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON L6J 1H5',
    POSTMARK_TOKEN: 'bench',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: '0'.repeat(32),
    TWILIO_NUMBER: '+14165550100',
    TEXTS_PER_DAY: '1000000',
    TEXT_QUIET_FROM: '00:00',
    TEXT_QUIET_TO: '00:00',
  })
  const db = openDatabase(url, 4, (error) => progress(String(error)))
  return {
    db,
    env,
    now: () => new Date(),
    log: pino({ level: 'warn' }),
    actor: null,
    origin: { requestId: 'bench', address: null },
  } as unknown as Scope
}

/** A sequence with one step of each kind, and the ended runs of every patient. `texted`: how many patients get a number of their own. */
async function prepare({ query }: Clinic, texted: number): Promise<{ sequences: Map<StepKind, string>; tagId: string; adminId: string }> {
  const id = async (text: string, values: unknown[] = []): Promise<string> => (await query<{ id: string }>(text, values))[0]!.id
  const tagId = await id(`insert into tags (name) values ('Bench') returning id`)
  const adminId = await id(`select id from profiles where role = 'admin' order by id limit 1`)
  const template = (channel: string) =>
    id(
      `insert into email_templates (name, subject, body, category, channel)
       values ('Bench ' || $1, 'Hello', 'Hello {{first_name}}, which day suits you?', 'lead', $1) returning id`,
      [channel],
    )
  const [email, text] = [await template('email'), await template('text')]
  const stepOf: Record<StepKind, Step> = {
    decide: { id: 'step0001', kind: 'branch', on: 'reply', days: 1, yes: [], no: [] },
    tag: { id: 'step0001', kind: 'tag', tagId, on: true },
    task: { id: 'step0001', kind: 'task', title: 'Call', type: 'Call', hours: 4, people: [] },
    email: { id: 'step0001', kind: 'email', templateId: email },
    text: { id: 'step0001', kind: 'text', templateId: text },
  }
  const made: [StepKind, string][] = []
  for (const kind of stepKinds) made.push([kind, await addSequence(query, kind, define({ steps: [stepOf[kind]] }))])
  progress('  filling: past steps')
  const past = await addSequence(query, 'past', define({ steps: [stepOf.tag] }))
  await query(
    `update contacts set phone = '+1416' || (2000000 + seq % 7999999), other_phones = '{}'
     where id in (select id from contacts where email is not null order by seq limit $1)`,
    [texted],
  )
  await query(
    `insert into automation_state (contact_id, automation, state, sequence_id, number, status, occurred_at, started_at, since, ended_at)
     select id, $1::text, '{}', $1::uuid, 1, 'finished', now() - interval '90 days', now() - interval '90 days', now() - interval '90 days', now() - interval '60 days'
     from contacts`,
    [past],
  )
  await query(
    `insert into sequence_steps (state_id, run, number, step, at, outcome)
     select id, 1, 1, 'past000' || n, started_at + n * interval '5 days', case when n % 2 = 0 then 'sent' else 'done' end
     from automation_state cross join generate_series(1, $1::int) as n`,
    [pastSteps],
  )
  await query('vacuum analyze')
  return { sequences: new Map(made), tagId, adminId }
}

const addSequence = async (query: Clinic['query'], name: string, definition: Definition): Promise<string> => {
  const [row] = await query<{ id: string }>(
    `with sequence as (
       insert into sequences (name, draft, published, on_since, scanned_until, created_at, updated_at) values ($1, $2, 1, now(), now(), now(), now()) returning id),
     version as (insert into sequence_versions (sequence_id, number, definition, published_at) select id, 1, $2, now() from sequence)
     select id from sequence`,
    [`Bench ${name}`, JSON.stringify(definition)],
  )
  return row!.id
}

/** Patients who have not been in the sequence, each at its first step, which is due. `part`: which of the disjoint groups. */
async function makeDue({ query }: Clinic, sequenceId: string, count: number, part: number): Promise<void> {
  await query(
    `insert into automation_state (contact_id, automation, state, sequence_id, number, status, occurred_at, started_at, since, step, arrived_at, due_at)
     select id, $1::text, jsonb_build_object('trigger', 'lead', 'subject', null, 'stage', funnel_stage), $1::uuid, 1, 'active', now() - interval '2 days',
       now() - interval '2 days', now() - interval '2 days', 'step0001', now() - interval '2 days', now()
     from (select id, funnel_stage from contacts where email is not null order by seq limit $2 offset $3) as patients`,
    [sequenceId, count, count * part],
  )
  await query('analyze automation_state')
}

async function checkDone({ query }: Clinic, sequenceId: string, expected: number): Promise<void> {
  const [row] = await query<{ done: number }>(
    `select count(*)::int as done from automation_state join sequence_steps on state_id = automation_state.id
     where sequence_id = $1 and status = 'finished' and sequence_steps.step = 'step0001' and outcome in ('no', 'done', 'sent')`,
    [sequenceId],
  )
  if (row!.done !== expected) throw new Error(`${row!.done} of ${expected} steps were carried out`)
}

/** In seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1000
}
