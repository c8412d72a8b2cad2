import { tracingChannel } from 'node:diagnostics_channel'
import { EventEmitter } from 'node:events'
import { sql } from 'drizzle-orm'
import { type CronItem, parseCronItems, run, type Runner, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker'
import type { z } from 'zod'
import type { Scope } from './scope.ts'
import type { Db } from './postgres/database.ts'
import { describeError } from './errors.ts'
import { type Events, workerLockClass } from './events/events.ts'

/** Background work with a name and a payload. It may run twice, so it must be idempotent. */
export type Job<Payload extends z.ZodType = z.ZodType> = {
  name: string
  payload: Payload
  run: (scope: Scope, payload: z.output<Payload>, attempt: { last: boolean }) => Promise<void>
  /** A crontab line's five fields, in UTC. */
  cron?: string
  maxAttempts?: number
  /** Which other jobs it runs after: those that people wait for, or all. By default it is one that people wait for. */
  after?: 'people' | 'all'
}

/** As graphile_worker sorts jobs: the lowest is first. */
const priorityOf = ({ after }: Pick<Job, 'after'>): number => (after === undefined ? 0 : { people: 5, all: 10 }[after])

export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job

/**
 * Queues a job in the caller's transaction, so that a rollback also removes the job. `key`: at most one job with this key is queued; a
 * later one replaces it. `notBefore`: the earliest time to run it, or milliseconds to wait by the database's clock, which the queue runs by.
 */
export async function enqueue<Payload extends z.ZodType>(
  tx: Db,
  job: Job<Payload>,
  payload: z.input<Payload>,
  key?: string,
  notBefore?: Date | number,
): Promise<void> {
  const runAt =
    typeof notBefore === 'number'
      ? sql`now() + ${notBefore}::float8 * interval '1 millisecond'`
      : sql`${notBefore?.toISOString() ?? null}::timestamptz`
  await tx.execute(
    sql`select graphile_worker.add_job(${job.name}, ${JSON.stringify(payload)}::json, max_attempts => ${job.maxAttempts ?? 8}::int, priority => ${priorityOf(job)}::int, job_key => ${key ?? null}::text, run_at => ${runAt})`,
  )
}

/** Queues a job for each of these payloads in one statement, as `enqueue` does each. */
export async function enqueueEach<Payload extends z.ZodType>(
  tx: Db,
  job: Job<Payload>,
  wanted: readonly { payload: z.input<Payload>; key: string }[],
): Promise<void> {
  if (wanted.length === 0) return
  await tx.execute(sql`
    select graphile_worker.add_job(${job.name}, payload::json, max_attempts => ${job.maxAttempts ?? 8}::int, priority => ${priorityOf(job)}::int, job_key => key)
    from unnest(${sql.param(wanted.map(({ payload }) => JSON.stringify(payload)))}::text[], ${sql.param(wanted.map(({ key }) => key))}::text[]) as wanted(payload, key)`)
}

/** A run of a job; `error` once it failed. */
export type JobRun = { job: string; requestId: string; startedAt: number; error?: unknown }

/** Publishes each run, for metrics and traces. */
export const jobRuns = tracingChannel<unknown, JobRun>('refyne:job')

const sweepEvery = 5_000
/** Delay before a new worker starts after one stopped because it could not report a job's result. */
const restartAfter = 1_000

/** Runs queued jobs in this process, and takes over jobs of killed processes. */
export async function startWorker(scope: Scope, jobs: Job[], events: Events, concurrency: number): Promise<{ stop: () => Promise<void> }> {
  const tasks: TaskList = {}
  const crons: CronItem[] = []
  for (const job of jobs) {
    tasks[job.name] = async (payload, helpers) => {
      const last = helpers.job.attempts >= helpers.job.max_attempts
      const input = job.cron ? {} : payload
      const requestId = `job-${helpers.job.id}`
      const run = async () => job.run({ ...scope, origin: { requestId, address: null } }, job.payload.parse(input), { last })
      try {
        await jobRuns.tracePromise(run, { job: job.name, requestId, startedAt: performance.now() })
      } catch (error) {
        scope.log.error({ job: job.name, requestId, attempt: helpers.job.attempts, error: describeError(error) }, 'A job failed')
        throw new Error(error instanceof Error ? error.name : 'failed', { cause: error }) // graphile_worker stores the message: keep patients' data out of it
      }
    }
    if (job.cron) crons.push({ task: job.name, match: job.cron, identifier: job.name })
  }

  let running: RunningWorker | null = null
  let stopped = false
  let retry: NodeJS.Timeout | null = null
  let runner: Runner | null = null

  const begin = async () => {
    const own: RunningWorker = { names: new Set(), ids: new Set(), suspects: new Set(), isSuspect: false, restart: () => {} }
    running = own
    const workerEvents: WorkerEvents = new EventEmitter()
    workerEvents.on('pool:create', ({ workerPool }) => {
      own.names.add(workerPool.id)
      events.lockName(workerPool.id)
    })
    let hasEnded = false
    const ended = (error?: unknown) => {
      if (hasEnded) return
      hasEnded = true
      if (running === own) running = null
      for (const name of own.names) events.unlockName(name) // releases its unfinished jobs for other workers
      if (stopped) return
      scope.log.warn({ error: describeError(error) }, 'The worker stopped; starting another')
      scheduleRestart()
    }
    // After results could not be reported, its promise may never settle (graphile-worker 0.18.0).
    for (const over of ['pool:gracefulShutdown:complete', 'pool:forcefulShutdown:complete', 'pool:forcefulShutdown:error'] as const)
      workerEvents.on(over, () => {
        if (!stopped) ended()
      })
    workerEvents.on('localQueue:getJobs:complete', ({ jobs: fetched }) => {
      for (const { id } of fetched) own.ids.add(id)
    })
    workerEvents.on('localQueue:returnJobs', ({ jobs: returned }) => {
      for (const { id } of returned) own.ids.delete(id)
    })
    workerEvents.on('job:complete', ({ job }) => own.ids.delete(job.id))
    workerEvents.on('localQueue:init', ({ localQueue }) => catchInBackground(localQueue as unknown as LocalQueue))
    const mine = await run({
      pgPool: scope.db.$client,
      taskList: tasks,
      parsedCronItems: parseCronItems(crons),
      concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      // Jobs are fetched and completed by the handful: a burst of leads would otherwise spend its time on the queue's own statements.
      // Without a batch, what cannot be reported because the database is away ends the process (graphile-worker 0.18.0 does not await it).
      preset: { worker: { localQueue: { size: 5 * concurrency }, completeJobBatchDelay: 20, failJobBatchDelay: 20 } },
      logger: new WorkerLogger(() => () => {}),
      events: workerEvents,
    })
    runner = mine
    if (stopped) return mine.stop()
    own.restart = () => {
      ended(new Error('It takes no jobs'))
      mine.stop().catch(() => {})
    }
    mine.promise.then(() => ended(), ended)
  }

  // Before the first fetch, which takes them along; otherwise they would wait for the next poll.
  await releaseDeadWorkers(scope.db)
  let beginning = begin()
  function scheduleRestart() {
    if (!stopped) retry = setTimeout(() => void (beginning = begin()).catch(scheduleRestart), restartAfter)
  }

  await beginning
  const sweep = setInterval(
    () =>
      void releaseDeadWorkers(scope.db)
        .then(() => running && releaseLostJobs(scope.db, running))
        .then(() => running && restartStuckWorker(scope.db, running, Object.keys(tasks)))
        .catch(() => {}),
    sweepEvery,
  )
  return {
    async stop() {
      stopped = true
      clearInterval(sweep)
      if (retry) clearTimeout(retry)
      await beginning.catch(() => {})
      await runner?.stop().catch(() => {})
    },
  }
}

type LocalQueue = { background: (work: Promise<void>) => void }

/**
 * A queue that is released while the database is away refuses the work that returns its jobs, whose failure then nobody awaits, and the process
 * would end (graphile-worker 0.18.0).
 */
function catchInBackground(queue: LocalQueue): void {
  const background = queue.background.bind(queue)
  queue.background = (work) => {
    work.catch(() => {})
    background(work)
  }
}

/** The worker of this process, with the jobs that it has fetched. */
type RunningWorker = {
  /** By which the queue knows it. */
  names: Set<string>
  /** Fetched and not finished. */
  ids: Set<string>
  /** Ours by the queue but not held, at the last sweep. */
  suspects: ReadonlySet<string>
  /** Whether it took no jobs though some were due, at the last sweep. */
  isSuspect: boolean
  restart: () => void
}

/**
 * Releases jobs that the queue has given to a worker of this process while their connection was lost: the worker does not know about them, and they
 * would stay locked as long as it lives. A job has to be found twice, since one that was just fetched or finished is not held either.
 */
async function releaseLostJobs(db: Db, worker: RunningWorker): Promise<void> {
  const isOurs = sql`locked_by = any(${sql.param([...worker.names])}::text[])`
  const { rows } = await db.execute<{ id: string }>(sql`select id::text as id from graphile_worker._private_jobs where ${isOurs}`)
  const unheld = rows.map(({ id }) => id).filter((id) => !worker.ids.has(id))
  const lost = unheld.filter((id) => worker.suspects.has(id))
  worker.suspects = new Set(unheld)
  if (lost.length > 0)
    await db.execute(sql`
      update graphile_worker._private_jobs set locked_by = null, locked_at = null
      where id = any(${sql.param(lost)}::bigint[]) and ${isOurs}`)
}

/**
 * Restarts a worker that has nothing to do while jobs have been due for a while: its fetching may have stopped permanently when the database went away
 * during a fetch (graphile-worker 0.18.0).
 */
async function restartStuckWorker(db: Db, worker: RunningWorker, names: readonly string[]): Promise<void> {
  const { rows } = await db.execute(sql`
    select 1 from graphile_worker._private_jobs where is_available and run_at < now() - interval '10 seconds'
      and task_id in (select id from graphile_worker._private_tasks where identifier = any(${sql.param([...names])}::text[])) limit 1`)
  const isStuck = rows.length > 0 && worker.ids.size === 0
  if (isStuck && worker.isSuspect) return worker.restart()
  worker.isSuspect = isStuck
}

/** Releases jobs of workers whose process is gone, which its free advisory lock shows. They would otherwise stay locked for hours. */
async function releaseDeadWorkers(db: Db): Promise<void> {
  await db.execute(sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
    from graphile_worker._private_jobs as job
    where locked_by is not null and not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and classid = ${workerLockClass}::oid and objid = (hashtext(job.locked_by)::bigint & 4294967295)::oid
        and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
    )
    having count(*) > 0`)
}
