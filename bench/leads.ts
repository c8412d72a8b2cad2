import { setTimeout as wait } from 'node:timers/promises'
import { demoWebhookKey } from '../demo/sources.ts'
import { createBareLeads } from './baseline/leads.ts'
import { type Clinic, openClinic } from './clinic/clinic.ts'
import type { LoadRequest, LoadResult } from './load/protocol.ts'
import type { Options } from './options.ts'
import { newPeople } from './clinic/people.ts'
import { type Process, startBare, startLoad, startServer } from './load/processes.ts'
import { lead } from './mixed/day.ts'
import { sendMix } from './mixed/open-loop.ts'
import { type Aim, median, progress, quantile, ratio, type Row, toRow } from './report.ts'

const contacts = 2_500
const connections = 16
const rounds = 3
/** Leads a second that arrive evenly, as on a busy day of a campaign. */
const arriving = 100
/** Raises the intake's rate limits, which are not what is measured. */
const unlimited = { LEADS_PER_MINUTE_PER_KEY: '10000000', LEADS_PER_MINUTE_PER_ADDRESS: '10000000' }

type Processed = { perSecond: number; p50: number; p99: number }

/**
 * Measures leads answered and processed per second against single rows committed by a plain HTTP handler, then how long each takes from
 * arrival to completion while a hundred arrive every second.
 */
export async function benchLeads({ seconds }: Options): Promise<Row[]> {
  const clinic = await openClinic(contacts)
  const server = await startServer(clinic.ownerUrl, unlimited)
  await clinic.query(createBareLeads)
  await clinic.query('grant all on bare_leads to refyne_app')
  const bare = await startBare(clinic.appUrl)
  const load = startLoad()
  const [answered, committed]: [LoadResult[], LoadResult[]] = [[], []]
  const processed: Processed[] = []
  const welcomed: number[] = []
  let evenly: Processed
  try {
    const ask = (url: string, requests: LoadRequest[], long: number) => load.ask({ url, connections, seconds: long, headers: {}, requests })
    const [ours, theirs] = [leadsTo(demoWebhookKey), leadsTo(await sourceId(clinic))]
    await ask(server.url, ours, Math.min(1, seconds))
    await ask(bare.url, theirs, Math.min(1, seconds))
    await untilProcessed(clinic)
    for (let round = 1; round <= rounds; round++) {
      const since = new Date()
      answered.push(await ask(server.url, ours, seconds))
      await untilProcessed(clinic)
      processed.push(await processedSince(clinic, since))
      welcomed.push(await welcomedSince(clinic, since))
      committed.push(await ask(bare.url, theirs, seconds))
      progress(
        `  round ${round}: ${answered.at(-1)!.perSecond.toFixed(0)} answered, ${processed.at(-1)!.perSecond.toFixed(0)} processed, ${welcomed.at(-1)!.toFixed(0)} welcomed, ${committed.at(-1)!.perSecond.toFixed(0)} bare rows a second`,
      )
    }
    evenly = await arriveEvenly(clinic, server, 10 * seconds)
  } catch (error) {
    process.stderr.write(server.output() + bare.output())
    throw error
  } finally {
    await Promise.all([load.stop(), server.stop(), bare.stop()])
    await clinic.close()
  }
  const baseline = rated(committed)
  return [
    rowOf('lead answered (202)', rated(answered), baseline, { of: 'ratio', atLeast: 0.5 }),
    rowOf('lead processed (entry completed)', medians(processed), baseline, { of: 'ours', atLeast: 400 }),
    toRow({
      case: `${arriving} leads a second arriving: arrival to entry completed`,
      unit: 'leads/s',
      ours: evenly.perSecond,
      oursP50: evenly.p50,
      oursP99: evenly.p99,
      aims: [{ of: 'oursP99', atMost: 2_000 }],
    }),
  ]
}

/** Leads as a form tool sends them, each with a unique email address. `end`: the webhook key, or the source id for the baseline. */
const leadsTo = (end: string): LoadRequest[] =>
  newPeople.map(({ firstName, lastName, phone, procedure }) => ({
    method: 'POST',
    path: `/api/leads/${end}`,
    body: JSON.stringify({
      first_name: firstName,
      last_name: lastName,
      email: 'lead.[<id>]@bench.example',
      phone,
      procedure,
      utm_source: 'Google CPC',
    }),
  }))

async function sourceId(clinic: Clinic): Promise<string> {
  const [row] = await clinic.query<{ id: string }>(`select id from lead_sources where name = 'Website Form'`)
  return row!.id
}

async function untilProcessed(clinic: Clinic): Promise<void> {
  for (;;) {
    const [row] = await clinic.query<{ waiting: boolean }>(
      `select exists (select 1 from lead_entries where status = 'processing') as waiting`,
    )
    if (!row!.waiting) return
    await wait(50)
  }
}

/** Sends leads at an even pace, however long their answers take, and measures the time of each from arrival to completion. */
async function arriveEvenly(clinic: Clinic, server: Process, seconds: number): Promise<Processed> {
  const since = new Date()
  const kind = { name: 'lead', share: 100, calls: (n: number) => [lead(n)] }
  const { errors } = (await sendMix(server.url, [kind], arriving, seconds)).get(kind)!
  if (errors.length > 0) throw new Error(`${errors.length} leads were not accepted, the first: ${errors[0]}`)
  await untilProcessed(clinic)
  return processedSince(clinic, since)
}

/** Waits until each new patient's welcome email is written and was handed over, and returns how many a second that was from the first arrival. */
async function welcomedSince(clinic: Clinic, since: Date): Promise<number> {
  for (;;) {
    const [row] = await clinic.query<{ waiting: boolean }>(
      `select exists (select 1 from graphile_worker.jobs where task_identifier in ('inbox.welcome', 'inbox.send') and attempts < max_attempts) as waiting`,
    )
    if (!row!.waiting) break
    await wait(50)
  }
  const [row] = await clinic.query<{ n: number }>('select count(*)::int as n from messages where created_at >= $1', [since])
  return (1000 * row!.n) / (Date.now() - since.getTime())
}

/** The entries completed per second, from the first arrival to the last completion, and the time each took from arrival to completion. */
async function processedSince(clinic: Clinic, since: Date): Promise<Processed> {
  const [row] = await clinic.query<{ failed: number; perSecond: number; p50: number; p99: number }>(
    `select count(*) filter (where status <> 'completed')::int as failed,
       (count(*) / extract(epoch from max(processed_at) - min(received_at)))::float as "perSecond",
       (1000 * percentile_cont(0.5) within group (order by extract(epoch from processed_at - received_at)))::float as p50,
       (1000 * percentile_cont(0.99) within group (order by extract(epoch from processed_at - received_at)))::float as p99
     from lead_entries where received_at >= $1`,
    [since],
  )
  if (row!.failed > 0) throw new Error(`${row!.failed} leads were not completed`)
  return row!
}

const rated = (results: LoadResult[]): Processed => {
  const latency = (part: number) =>
    median(
      results.map(({ latencies }) =>
        quantile(
          latencies.map(({ ms }) => ms),
          part,
        ),
      ),
    )
  return { perSecond: median(results.map(({ perSecond }) => perSecond)), p50: latency(0.5), p99: latency(0.99) }
}

const medians = (all: Processed[]): Processed => ({
  perSecond: median(all.map(({ perSecond }) => perSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
})

const rowOf = (name: string, ours: Processed, baseline: Processed, aim: Aim): Row => ({
  case: name,
  connections,
  unit: 'leads/s',
  ours: ours.perSecond,
  baseline: baseline.perSecond,
  ratio: ratio(ours.perSecond, baseline.perSecond),
  oursP50: ours.p50,
  oursP99: ours.p99,
  baselineP50: baseline.p50,
  baselineP99: baseline.p99,
  aims: [aim],
})
