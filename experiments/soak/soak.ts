import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clinic } from '../../bench/clinic/clinic.ts'
import type { Process } from '../../bench/load/processes.ts'
import { sendMix } from '../../bench/mixed/open-loop.ts'
import { startPostmarkSimulator } from '../../simulators/postmark/server.ts'
import { confirmIdentity, kindsOf, signInStaff } from './day.ts'
import { readFigures, startProcesses } from './processes.ts'
import type { Sample } from './rules.ts'
import { openPage } from './streams.ts'

type Plan = {
  clinic: Clinic
  contacts: number
  minutes: number
  /** Shorter in tests. */
  minuteMs?: number
  /** Requests to each process. */
  perSecond: number
  streams: number
  settings?: Record<string, string>
  onSample?: (sample: Sample) => void
}

const processes = 2
/** For the jobs of the last requests. */
const emptyWithin = 120_000

/**
 * Runs a clinic on two processes with staff work, leads and emails. Each minute all event streams are cut, and everything is measured; the last
 * sample is taken when the load has ended and the queue had time to empty. `errors` are the different ones, with how often each occurred.
 */
export async function soak(plan: Plan): Promise<{ samples: Sample[]; errors: Map<string, number> }> {
  const { clinic, contacts, minutes, minuteMs = 60_000, perSecond } = plan
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-soak-'))
  const postmark = await startPostmarkSimulator()
  const settings = { POSTMARK_TOKEN: 'soak-token', POSTMARK_URL: postmark.url, ...plan.settings }
  const servers = await startProcesses(processes, clinic.ownerUrl, folder, settings)
  const pages: Awaited<ReturnType<typeof openPage>>[] = []
  const samples: Sample[] = []
  const errors = new Map<string, number>()
  let [reconnects, missed] = [0, 0]
  const noteError = (error: string) => {
    const kind = error.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}').replace(/search=\S*?:/, 'search=…:')
    errors.set(kind, (errors.get(kind) ?? 0) + 1)
  }

  async function takeSample(minute: number, database = readDatabase(clinic)): Promise<void> {
    const figures = await Promise.all(servers.map(readFigures))
    const failedRuns = figures.reduce((sum, one) => sum + one.failedRuns, 0)
    const sample: Sample = {
      minute,
      processes: figures.map((one) => one.process),
      ...(await database),
      streams: figures.reduce((sum, one) => sum + one.streams, 0),
      reconnects,
      missed,
      errors: [...errors.values()].reduce((sum, count) => sum + count, failedRuns),
    }
    samples.push(sample)
    plan.onSample?.(sample)
  }

  async function cutStreams(server: Process, cookie: string): Promise<void> {
    const reopened = await Promise.allSettled(pages.map((page) => page.reconnect()))
    reconnects += reopened.filter(({ status }) => status === 'fulfilled').length
    const added = addPatient(server.url, cookie)
    const received = await Promise.all(pages.map(async (page) => page.receives(await added)))
    missed += received.filter((isReceived) => !isReceived).length
  }

  try {
    const cookies = await signInStaff(clinic, servers[0]!.url)
    await confirmIdentity(servers[0]!.url, cookies)
    const kinds = await kindsOf(clinic, contacts, servers[0]!.url, cookies)
    for (let at = 0; at < plan.streams; at++) {
      const cookie = cookies[Math.floor(at / servers.length) % cookies.length]!
      pages.push(await openPage(servers[at % servers.length]!.url, cookie))
    }

    const begin = performance.now()
    const seconds = Math.round((minutes * minuteMs) / 1000)
    const load = Promise.all(servers.map(({ url }) => sendMix(url, kinds, perSecond, seconds, noteError)))
    for (let minute = 1; minute <= minutes; minute++) {
      await wait(begin + minute * minuteMs - performance.now())
      const dead = servers.find((server) => !server.isRunning())
      if (dead) throw new Error(`A process has ended: ${dead.output()}`)
      await confirmIdentity(servers[0]!.url, cookies)
      await cutStreams(servers[minute % servers.length]!, cookies[0]!)
      await takeSample(minute)
    }
    await load
    await takeSample((performance.now() - begin) / 60_000, untilEmpty(clinic))
    return { samples, errors }
  } catch (error) {
    for (const server of servers) process.stderr.write(server.output())
    throw error
  } finally {
    for (const page of pages) page.close()
    await Promise.all(servers.map((server) => server.stop()))
    await postmark.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns the patient's id. */
async function addPatient(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ana', lastName: 'Silva', email: `${crypto.randomUUID()}@soak.example` }),
  })
  if (!response.ok) throw new Error(`A new patient was answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

async function readDatabase(clinic: Clinic): Promise<Pick<Sample, 'connections' | 'jobsDue' | 'jobsFailed'>> {
  const [row] = await clinic.query<{ connections: number; jobsDue: number; jobsFailed: number }>(
    `select (select count(*)::int from pg_stat_activity
             where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) as connections,
       (count(*) filter (where attempts < max_attempts and run_at <= now()))::int as "jobsDue",
       (count(*) filter (where attempts >= max_attempts and locked_at is null))::int as "jobsFailed"
     from graphile_worker._private_jobs`,
  )
  return row!
}

/** Reads the database when no job is due, or when the time for that is over. Reading it later would find the jobs that each minute brings. */
async function untilEmpty(clinic: Clinic): ReturnType<typeof readDatabase> {
  const deadline = performance.now() + emptyWithin
  for (;;) {
    const read = await readDatabase(clinic)
    if (read.jobsDue === 0 || performance.now() >= deadline) return read
    await wait(250)
  }
}
