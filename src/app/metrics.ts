import { createHash, timingSafeEqual } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type VendorCall, vendorCalls } from '../integrations/calls.ts'
import { readAges } from '../admin/backups/service.ts'
import { readQueue } from '../kernel/job-queue.ts'
import { type JobRun, jobRuns } from '../kernel/jobs.ts'
import type { Db } from '../kernel/postgres/database.ts'
import { version } from '../kernel/version.ts'
import { getOnly } from '../kernel/http/requests.ts'
import { oldestUnsealedSeconds } from '../platform/audit/service.ts'
import { sequenceProblems } from '../outreach/sequences/rules.ts'
import { troubledSequences } from '../outreach/sequences/watch.ts'
import type { AnswerObserver } from './observe-answer.ts'
import { poolNames, type Runtime } from './request-context.ts'

/** Seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const workBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]
/** Milliseconds that a scrape waits for the database: Prometheus itself gives up after ten seconds. */
const databaseTimeoutMs = 2_000

export type Metrics = {
  onAnswered: AnswerObserver
  /** The answer to a scrape: it has the figures of this process even if the database is away. */
  respond: (request: Request) => Promise<Response>
  stop: () => void
}

/** Measures this process, from now on until it is stopped. */
export function startMetrics(runtime: Runtime): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  // A label "job" would collide with the one that Prometheus adds: the name of a job is the label "name".
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  gauge('refyne_build_info', 'Always 1; the labels say what runs', ['version', 'commit', 'node']).set(
    { version: version.number, commit: version.commit ?? '', node: process.versions.node },
    1,
  )

  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const requests = histogram(
    'refyne_http_request_duration_seconds',
    'From the headers of a request to the last byte of its answer; streams of events are counted as 0 s',
    ['route', 'status'],
    requestBuckets,
  )
  const jobs = histogram('refyne_job_duration_seconds', 'Runs of jobs', ['name', 'outcome'], workBuckets)
  const calls = histogram('refyne_vendor_call_duration_seconds', 'Calls of other systems', ['vendor', 'outcome'], workBuckets)
  const emails = new Counter({
    name: 'refyne_emails_total',
    help: 'Emails handed to a provider: sent, rejected permanently, or failed',
    labelNames: ['vendor', 'outcome'],
    registers,
  })

  const onRun = (run: JobRun) =>
    jobs.observe({ name: run.job, outcome: 'error' in run ? 'failed' : 'completed' }, (performance.now() - run.startedAt) / 1_000)
  const onCall = ({ vendor, outcome, isEmail, startedAt }: VendorCall) => {
    calls.observe({ vendor, outcome }, (performance.now() - startedAt) / 1_000)
    if (isEmail) emails.inc({ vendor, outcome: outcome === 'ok' ? 'sent' : outcome === 'refused' ? 'rejected' : 'failed' })
  }
  jobRuns.asyncEnd.subscribe(onRun as (message: unknown) => void)
  vendorCalls.asyncEnd.subscribe(onCall as (message: unknown) => void)

  const connections = gauge('refyne_database_connections', 'Connections of a pool', ['pool', 'state'])
  const poolSize = gauge('refyne_database_pool_size', 'Connections that a pool may open', ['pool'])
  const waiting = gauge('refyne_database_waiting', 'Statements that wait for a connection', ['pool'])
  const streams = gauge('refyne_event_streams', 'Open streams of events')
  const disk = gauge('refyne_data_dir_bytes', 'Space of the file system that DATA_DIR is on', ['state'])
  const isUp = gauge('refyne_database_up', 'Whether the database responded to this scrape')
  const queued = gauge('refyne_jobs_waiting', 'Jobs in the queue of all processes, including those for later', ['name'])
  const oldest = gauge('refyne_oldest_due_job_seconds', 'Age of the oldest job that is due and that no worker has begun', ['name'])
  const failed = gauge('refyne_jobs_failed', 'Jobs that failed at their last attempt', ['name'])
  const unsealed = gauge('refyne_audit_unsealed_seconds', 'Age of the oldest entry of the audit log without a seal')
  const sequences = gauge(
    'refyne_sequence_problems',
    'Steps of sequences that are late or failed, and sequences that no one has entered for long',
    ['kind'],
  )
  const backup = gauge('refyne_backup_age_seconds', 'Age of the last good backup; +Inf if there is none')
  const archive = gauge('refyne_archive_age_seconds', 'Age of the last change that was archived; +Inf if there is none')
  const hasBackups = runtime.env.BACKUP_TO !== undefined
  /** An external database archives by itself. */
  const hasArchive = hasBackups && runtime.env.DATABASE_URL === undefined

  async function readDatabase(): Promise<void> {
    for (const one of [queued, oldest, failed]) one.reset()
    for (const one of [unsealed, backup, archive]) one.remove()
    const found = await withinTime(runtime.db, async (db) => ({
      queue: await readQueue(db),
      sequences: await troubledSequences(db, runtime.now()),
      seconds: await oldestUnsealedSeconds(db),
      ages: hasBackups ? await readAges(db, runtime.now()) : null,
    }))
    isUp.set(found ? 1 : 0)
    if (!found) return
    unsealed.set(found.seconds ?? 0)
    if (found.ages) backup.set(found.ages.backupAge ?? Infinity)
    if (found.ages && hasArchive) archive.set(found.ages.archiveAge ?? Infinity)
    for (const kind of sequenceProblems) {
      const counts = found.sequences.flatMap(({ problems }) => problems.filter((one) => one.kind === kind).map(({ count }) => count))
      sequences.set({ kind }, kind === 'quiet' ? counts.length : counts.reduce((sum, count) => sum + count, 0))
    }
    for (const one of found.queue) {
      queued.set({ name: one.job }, one.waiting)
      failed.set({ name: one.job }, one.failed)
      oldest.set({ name: one.job }, one.oldestDueSeconds ?? 0)
    }
  }

  function readProcess(): void {
    for (const pool of poolNames) {
      const { totalCount, idleCount, waitingCount, options } = runtime.pools[pool]
      connections.set({ pool, state: 'used' }, totalCount - idleCount)
      connections.set({ pool, state: 'idle' }, idleCount)
      waiting.set({ pool }, waitingCount)
      poolSize.set({ pool }, options.max)
    }
    streams.set(runtime.events.openStreams())
  }

  async function readDisk(): Promise<void> {
    const found = await statfs(runtime.env.DATA_DIR).catch(() => null)
    if (!found) return disk.reset()
    disk.set({ state: 'free' }, found.bavail * found.bsize)
    disk.set({ state: 'total' }, found.blocks * found.bsize)
  }

  /** Scrapes at the same time share one reading. */
  let reading: Promise<unknown> | null = null
  return {
    onAnswered: ({ route, status, milliseconds, isStream }) =>
      requests.observe({ route, status: `${Math.floor(status / 100)}xx` }, isStream ? 0 : milliseconds / 1_000),
    async respond(request) {
      if (!hasToken(runtime.env.METRICS_TOKEN, request.headers.get('authorization')))
        return Response.json(
          { code: 'UNAUTHORIZED', message: 'Send METRICS_TOKEN as a bearer token' },
          { status: 401, headers: { 'www-authenticate': 'Bearer' } },
        )
      reading ??= Promise.all([readDatabase(), readDisk()]).finally(() => (reading = null))
      await reading
      readProcess()
      return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
    },
    stop() {
      jobRuns.asyncEnd.unsubscribe(onRun as (message: unknown) => void)
      vendorCalls.asyncEnd.unsubscribe(onCall as (message: unknown) => void)
      registry.clear()
    },
  }
}

/** Null if the database does not respond in time, or refuses. */
async function withinTime<Result>(db: Runtime['db'], read: (db: Db) => Promise<Result>): Promise<Result | null> {
  const result = db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${databaseTimeoutMs}`))
      return read(tx)
    },
    { accessMode: 'read only' },
  )
  return Promise.race([result.catch(() => null), after(databaseTimeoutMs, null, { ref: false })])
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** True if no token is set: then only the port protects the figures. */
function hasToken(token: string | undefined, authorization: string | null): boolean {
  return token === undefined || timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ''))
}

/** What the port of METRICS_PORT serves. */
export const metricsPort =
  (metrics: Metrics) =>
  (request: Request): Promise<Response> | Response => {
    if (new URL(request.url).pathname !== '/metrics') return Response.json({ code: 'NOT_FOUND', message: 'Use /metrics' }, { status: 404 })
    return request.method === 'GET' ? metrics.respond(request) : Response.json(getOnly, { status: 405, headers: { allow: 'GET' } })
  }
