import './wiring.ts'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { endBookings, releaseTime, sendBookingCode } from '../care/self-booking/jobs.ts'
import { readCalendar, readCalendars } from '../care/subscribed-calendars/jobs.ts'
import { offerOpenings } from '../care/waiting-list/jobs.ts'
import { followClock, purgeAppointmentLinks, renameRoom } from '../care/appointments/jobs.ts'
import { remindPatients, notifyPatient } from '../care/appointments/emails/notify.ts'
import { createAttempts } from '../kernel/attempts.ts'
import { purgeAttempts, mailPasswordReset, mailVerification } from '../platform/auth/jobs.ts'
import { createAuth, createSetupLink } from '../platform/auth/service.ts'
import { sealLog } from '../platform/audit/jobs.ts'
import { viewRecorder } from '../platform/audit/service.ts'
import { changeInBulk, eraseDeleted } from '../crm/bulk-changes/jobs.ts'
import { foldContactCounts } from '../crm/contacts/jobs.ts'
import { purgeIdempotencyKeys } from '../platform/idempotency/jobs.ts'
import { startBackups } from '../admin/backups/follow.ts'
import { connect } from '../admin/backups/connection.ts'
import { dropChains } from '../admin/backups/wal.ts'
import { restoreAfterImports, purgeImports, processImportJob } from '../admin/imports/jobs.ts'
import { purgeLeadClaims, processLead } from '../crm/leads/jobs.ts'
import { sendMail } from '../platform/mail/jobs.ts'
import { passSelfTest } from '../admin/self-test/jobs.ts'
import { runningVersion, runSelfTest } from '../admin/self-test/service.ts'
import { recordDamage, reencryptFiles } from '../documents/service.ts'
import { sweepFiles } from '../admin/retention/sweep.ts'
import { scanDocument, rescanPending } from '../documents/scan.ts'
import { findDuplicates } from '../crm/duplicates/jobs.ts'
import { purgeMerges } from '../admin/merges/jobs.ts'
import { purgeNotifications, createTaskReminders } from '../crm/notifications/jobs.ts'
import { beginCampaign, sendCampaign } from '../outreach/campaigns/service.ts'
import { sendAnswerNotice } from '../messages/inbox/answer-notice.ts'
import { sendMessage } from '../messages/inbox/send.ts'
import { fetchMedia } from '../messages/inbox/sms/media.ts'
import { sendText } from '../messages/inbox/sms/send.ts'
import { sendScheduled } from '../messages/inbox/scheduled.ts'
import { purgePictures } from '../messages/inbox/pictures.ts'
import { endSnooze } from '../messages/inbox/service.ts'
import { purgeTextLinks } from '../messages/inbox/links/open.ts'
import { sendWelcomes } from '../messages/inbox/welcome.ts'
import { logLinked } from '../messages/mailbox/links.ts'
import { sendDraft } from '../messages/mailbox/send.ts'
import { bookPayment } from '../billing/cards/book.ts'
import { followDispute } from '../billing/cards/disputes.ts'
import { chargeInstalment, chargeInstalments } from '../billing/cards/automatic.ts'
import { remindFinancing } from '../billing/quotes/financing.ts'
import { warnOfExpiry } from '../billing/cards/expiry.ts'
import { followPayment, watchPayments } from '../billing/cards/follow.ts'
import { refundPayment } from '../billing/cards/give-back.ts'
import { sendRefund } from '../billing/cards/refund.ts'
import { endPaidFee, settleFee } from '../billing/visit-fees/settle.ts'
import { completePaid } from '../care/self-booking/deposit.ts'
import { sendEvidence } from '../billing/disputes/submit.ts'
import { settleDepositJob } from '../billing/payouts/post.ts'
import { readPayout, watchPayouts } from '../billing/payouts/read.ts'
import { settleReceipt } from '../billing/pos/settle.ts'
import { logReceipt } from '../billing/pos/payment.ts'
import { advanceSequences } from '../outreach/sequences/advance.ts'
import { watchSequences } from '../outreach/sequences/watch.ts'
import { startSequencesByTime, takeSequenceSignals } from '../outreach/sequences/start.ts'
import { prepareRecall, sendRecallEmail } from '../care/recalls/service.ts'
import { catchUpSeals, mailConsent, mailCopy, sealConsent, timestampConsent } from '../chart/consent-forms/service.ts'
import { endExpiredUses } from '../chart/photo-uses/service.ts'
import { watchViewing } from '../chart/photos/watch.ts'
import { warnOfReports } from '../care/adverse-events/jobs.ts'
import { runCheckIns } from '../care/check-ins/jobs.ts'
import { mailForm } from '../chart/forms/service.ts'
import { mailQuote } from '../billing/quotes/send.ts'
import { mailReceipt } from '../billing/pos/receipts/email-receipt.ts'
import { mailReminder } from '../billing/collections/reminders.ts'
import { purgePortal, sendCode } from '../portal/codes.ts'
import { refreshLists, refreshListsHourly } from '../billing/quickbooks/jobs.ts'
import { purgeTaskUndos } from '../crm/tasks/purge.ts'
import { purgeNightly } from '../admin/retention/jobs.ts'
import { mailReport, sendReports } from '../insight/reports/jobs.ts'
import { notifyAssignee } from '../crm/tasks/jobs.ts'
import { deliverWebhooks, purgeDeliveries } from '../platform/webhooks/jobs.ts'
import { openFileStore } from '../integrations/storage/open.ts'
import { lockBundled } from './bundled-lock.ts'
import { createApp } from './app.ts'
import { accessLog } from './observe-answer.ts'
import type { Runtime } from './request-context.ts'
import { openDatabase, openIndexDatabase } from '../kernel/postgres/database.ts'
import { dataFolderOf, startEmbeddedPostgres } from '../kernel/postgres/embedded-postgres.ts'
import type { Env } from '../kernel/env.ts'
import { describeError } from '../kernel/errors.ts'
import { listenForEvents } from '../kernel/events/events.ts'
import { enqueue, type Job, startWorker } from '../kernel/jobs.ts'
import { listen } from '../kernel/http/listen.ts'
import { openLog } from '../kernel/log.ts'
import { urlsOf, watchHosts } from '../kernel/postgres/hosts.ts'
import { rememberFailures } from '../kernel/recent-failures.ts'
import { followVendors } from '../kernel/vendor-states.ts'
import { appRolePassword, migrate } from '../kernel/postgres/migrate.ts'
import { followReplicas } from '../kernel/postgres/reads.ts'
import { assertOwnsNothing, type Named, problemOf } from '../kernel/postgres/problems.ts'
import { guardPortal } from '../portal/guard.ts'
import { followPractice } from '../platform/practice/service.ts'
import type { Scope } from '../kernel/scope.ts'
import { fileKeys } from '../kernel/seal.ts'

/** All background jobs. */
export const jobs: Job[] = [
  processLead,
  purgeLeadClaims,
  purgeIdempotencyKeys,
  foldContactCounts,
  changeInBulk,
  eraseDeleted,
  purgeMerges,
  findDuplicates,
  processImportJob,
  purgeImports,
  restoreAfterImports,
  createTaskReminders,
  purgeNotifications,
  notifyAssignee,
  purgeTaskUndos,
  followClock,
  renameRoom,
  notifyPatient,
  remindPatients,
  purgeAppointmentLinks,
  sendBookingCode,
  releaseTime,
  endBookings,
  offerOpenings,
  readCalendar,
  readCalendars,
  purgeTextLinks,
  mailForm,
  warnOfReports,
  watchViewing,
  endExpiredUses,
  runCheckIns,
  mailConsent,
  mailCopy,
  sealConsent,
  timestampConsent,
  catchUpSeals,
  sendCode,
  purgePortal,
  sweepFiles,
  advanceSequences,
  startSequencesByTime,
  takeSequenceSignals,
  watchSequences,
  prepareRecall,
  sendRecallEmail,
  reencryptFiles,
  recordDamage,
  scanDocument,
  rescanPending,
  refreshLists,
  refreshListsHourly,
  sendMessage,
  sendText,
  endSnooze,
  purgePictures,
  sendScheduled,
  fetchMedia,
  sendAnswerNotice,
  beginCampaign,
  sendCampaign,
  sendWelcomes,
  logLinked,
  sendDraft,
  settleReceipt,
  logReceipt,
  followPayment,
  watchPayments,
  bookPayment,
  sendRefund,
  refundPayment,
  settleFee,
  endPaidFee,
  completePaid,
  followDispute,
  warnOfExpiry,
  remindFinancing,
  chargeInstalments,
  chargeInstalment,
  readPayout,
  watchPayouts,
  settleDepositJob,
  sendEvidence,
  mailReceipt,
  mailQuote,
  mailReminder,
  sendReports,
  mailReport,
  mailPasswordReset,
  mailVerification,
  purgeAttempts,
  sendMail,
  sealLog,
  deliverWebhooks,
  purgeDeliveries,
  purgeNightly,
  passSelfTest,
] as Job[]

export type RunningServer = {
  url: string
  /** Of the port of METRICS_PORT. */
  metricsUrl: string | null
  /** Sends the spans that have ended to the collector. */
  flushTraces: () => Promise<void>
  runtime: Runtime
  /** Resolves when the server follows the changes of other processes and runs jobs, or when it could not become ready. */
  prepared: Promise<void>
  stop: () => Promise<void>
}

type Options = {
  log?: Logger
  /** The database URL of the owner of its tables; default: DATABASE_URL, or the embedded server. */
  databaseUrl?: string
  /** Skips migrations and the set-up link; for tests, whose database is a copy of a migrated one. */
  isMigrated?: boolean
  now?: () => Date
  /** Milliseconds within which a request has to arrive, unless it uploads a file; for tests. */
  requestTime?: number
  /** Receives the one-time link for the first administrator. */
  onSetupLink?: (link: string) => void
  /** Runs once the database is ready, before the first job; receives the owner's URL. */
  onReady?: (ownerUrl: string) => Promise<void>
}

/**
 * Starts one process: listens at once, and retries until the database and its migrations are ready. Calls wait for the first attempt and then
 * get 503, so that a process that restarts behind a proxy refuses nothing. It never exits because of a database outage.
 */
export async function startServer(given: Env, options: Options = {}): Promise<RunningServer> {
  const { log, recent } = rememberFailures(options.log ?? openLog(given.LOG_LEVEL))
  const vendorStates = followVendors()
  const embedded = options.databaseUrl || given.DATABASE_URL ? null : await startEmbeddedPostgres(path.join(given.DATA_DIR, 'postgres'))
  const ownerUrl = options.databaseUrl ?? given.DATABASE_URL ?? embedded!.url('postgres')
  const bundled = embedded && (await lockBundled(ownerUrl, given.DATA_DIR))
  const addresses = addressesOf(given, ownerUrl)

  const onError = (error: Error) => log.warn({ error: describeError(error) }, 'A database connection was lost')
  embedded?.keepRunning(() => log.error({}, 'PostgreSQL has ended; starting it again'))
  const db = openDatabase(addresses.app, given.DATABASE_POOL, onError)
  const indexDb = openIndexDatabase(addresses.app, Math.max(2, Math.ceil(given.DATABASE_POOL / 2)), onError)
  const workerDb = openDatabase(addresses.directApp, given.WORKER_CONCURRENCY + 2, onError)
  const events = listenForEvents(addresses.directApp, onError)

  const reads = followReplicas({
    primary: db,
    url: addresses.replicas,
    lagSeconds: given.REPLICA_LAG_SECONDS,
    size: given.DATABASE_POOL,
    events,
    onError,
  })

  const practice = followPractice(given, db, events, onError)
  const { env } = practice

  const stopping = new AbortController()
  let migrated = options.isMigrated ?? false
  const firstAttempt = Promise.withResolvers<void>()
  const runtime: Runtime = {
    env,
    practice,
    log,
    db,
    indexDb,
    reads,
    events,
    auth: createAuth(db, env),
    countAttempts: createAttempts(db, env),
    files: openFileStore(env, {
      keys: fileKeys(env),
      onDamaged(key, problem) {
        log.error({ file: key, problem }, 'A file is damaged and was not given out')
        enqueue(db, recordDamage, { key, problem }, `files.record-damage ${key}`).catch((error: unknown) =>
          log.error({ error: describeError(error) }, 'A damaged file could not be recorded'),
        )
      },
    }),
    now: options.now ?? (() => new Date()),
    async isMigrated() {
      if (!migrated) await Promise.race([firstAttempt.promise, after(startWithinMs, undefined, { ref: false })])
      return migrated
    },
    isReady: async () => migrated && (await answers(db)),
    recentFailures: recent,
    vendorStates,
    pools: { requests: db.$client, search: indexDb.$client, jobs: workerDb.$client },
    respondToScrape: null,
    onAnswered: [],
  }
  const metrics = await openMetrics(runtime)
  const traces = await openTraces(env)
  if (env.ACCESS_LOG) runtime.onAnswered.push(accessLog(log))

  const { server, close } = await listen(createApp(runtime).fetch, env.HOST, env.PORT, options.requestTime)
  const url = urlOf(env.HOST, server)
  let worker: { stop: () => Promise<void> } | null = null
  let tested: Promise<unknown> | null = null
  let backups: { stop: () => Promise<void> } | null = null
  let watches: { stop: () => void }[] = []

  const prepare = async () => {
    const untilDone = retryWith(log, stopping.signal, firstAttempt.resolve)
    const appPassword = env.DATABASE_APP_URL ? null : appRolePassword(env.APP_SECRET)
    const onWait = () => {
      firstAttempt.resolve()
      log.info('Another process is migrating the database; waiting for it')
    }
    const owner: Named = { setting: given.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', url: addresses.directOwner }
    if (!migrated) await untilDone(() => migrate(owner.url, { appRole: env.DATABASE_APP_ROLE, appPassword }, guardPortal, onWait), owner)
    const app: Named = { setting: given.DATABASE_APP_URL ? 'DATABASE_APP_URL' : 'DATABASE_URL', url: addresses.app }
    await untilDone(() => assertOwnsNothing(db.$client, app), app)
    await untilDone(practice.read, app)
    migrated = true
    firstAttempt.resolve()
    const onLost = () => log.warn({}, 'The host of the database no longer answers; connecting to another one')
    watches = [...new Set([addresses.app, addresses.directApp])].map((each) => watchHosts(each, onLost))
    const listening = events.start()
    if (!options.isMigrated) {
      const link = await untilDone(() => createSetupLink(db, env), app)
      if (link) options.onSetupLink?.(link)
    }
    await options.onReady?.(ownerUrl)
    worker = await untilDone(() => startWorker(systemScope({ ...runtime, db: workerDb }), jobs, events, env.WORKER_CONCURRENCY), app)
    const dataFolder = embedded && dataFolderOf(path.join(given.DATA_DIR, 'postgres'))
    if (given.BACKUP_TO) backups = startBackups({ env: given, ownerUrl: owner.url, dataFolder }, log)
    else if (dataFolder) await stopArchiving(owner.url)
    await listening
    if (!options.isMigrated) tested = runSelfTest(systemScope(runtime), runningVersion(), stopping.signal).catch(selfTestFailed)
  }
  const selfTestFailed = (error: unknown) => {
    if (!stopping.signal.aborted) log.error({ error: describeError(error) }, 'The self-test could not run')
  }
  const prepared = prepare().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.error({ error: describeError(error) }, 'The server could not become ready')
  })

  return {
    url,
    metricsUrl: metrics?.url ?? null,
    flushTraces: async () => traces?.flush(),
    runtime,
    prepared,
    async stop() {
      stopping.abort()
      const closed = close()
      await events.stop() // ends the open streams, which would otherwise keep the server from closing
      await prepared
      await tested
      for (const watch of watches) watch.stop()
      await Promise.all([closed, worker?.stop(), reads.stop()])
      await backups?.stop() // last, so that it archives what the others wrote
      // No connection is in use by now; one that was lost in an outage may never have been returned to its pool.
      await Promise.race([Promise.allSettled([db, indexDb, workerDb].map(({ $client }) => $client.end())), after(endWithin)])
      vendorStates.stop()
      await metrics?.stop()
      await traces?.stop()
      await bundled?.release()
      await embedded?.stop()
    },
  }
}

/** Starts to measure if metrics are on; also opens the port of METRICS_PORT. */
async function openMetrics(runtime: Runtime): Promise<{ url: string | null; stop: () => Promise<void> } | null> {
  const { HOST, METRICS_PORT, METRICS_TOKEN } = runtime.env
  if (METRICS_PORT === undefined && METRICS_TOKEN === undefined) return null
  // Loaded only where it is used.
  const { startMetrics, metricsPort } = await import('./metrics.ts')
  const metrics = startMetrics(runtime)
  runtime.onAnswered.push(metrics.onAnswered)
  if (METRICS_PORT === undefined) runtime.respondToScrape = metrics.respond
  const port = METRICS_PORT === undefined ? null : await listen(metricsPort(metrics), HOST, METRICS_PORT)
  return {
    url: port && urlOf(HOST, port.server),
    async stop() {
      metrics.stop()
      await port?.close()
    },
  }
}

/** Loaded only where it is used. */
async function openTraces(env: Env) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = env
  if (endpoint === undefined) return null
  const { startTraces } = await import('./traces.ts')
  return startTraces(endpoint, ratio)
}

const urlOf = (host: string, server: Server) => `http://${host}:${(server.address() as AddressInfo).port}`

/** Without backups, PostgreSQL has no reason to keep its log. */
async function stopArchiving(ownerUrl: string): Promise<void> {
  const owner = await connect(ownerUrl)
  await dropChains(owner)
  await owner.end()
}

/** The scope of work that no request started. */
function systemScope(runtime: Runtime): Scope {
  const who = { actor: null, origin: { requestId: 'system', address: null } }
  const record = viewRecorder(runtime.db)
  const attempts = runtime.countAttempts(() => {})
  return { ...runtime, ...who, attempts, recentDb: runtime.db, latestDb: runtime.db, recordView: (view) => record(who, view) }
}

const endWithin = 2_000
/** How long calls wait for a process that starts. */
const startWithinMs = 10_000

/** Treats a database that does not respond in time as unavailable: a network that drops every packet refuses nothing. */
const responseTimeoutMs = 3_000

async function answers(db: Runtime['db']): Promise<boolean> {
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([answer, after(responseTimeoutMs, false, { ref: false })])
}

/** Retries an attempt with growing delays until it succeeds or the process has to stop. Logs what is wrong and what to do. */
const retryWith =
  (log: Logger, signal: AbortSignal, onFailure: () => void) =>
  async <Result>(attempt: () => Promise<Result>, connection: Named): Promise<Result> => {
    for (let wait = 250; ; wait = Math.min(wait * 2, 10_000)) {
      signal.throwIfAborted()
      try {
        return await attempt()
      } catch (error) {
        onFailure()
        const problem = problemOf(error, connection)
        log.warn(problem ? {} : { error: describeError(error) }, `The database is not ready; retrying. ${problem ?? ''}`.trim())
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait)
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      })
    }
  }

/** `direct`: PostgreSQL itself, for migrations, LISTEN, locks and jobs; calls may go through a pooler. `replicas`: as the application's role. */
export function addressesOf(env: Env, ownerUrl: string) {
  const app = env.DATABASE_APP_URL ?? withRole(ownerUrl, env.DATABASE_APP_ROLE, appRolePassword(env.APP_SECRET))
  const { username, password } = new URL(firstHost(app))
  const asApp = (url: string) => withRole(url, decodeURIComponent(username), decodeURIComponent(password))
  return {
    app,
    directApp: env.DATABASE_DIRECT_URL ? asApp(env.DATABASE_DIRECT_URL) : app,
    directOwner: env.DATABASE_DIRECT_URL ?? ownerUrl,
    replicas: env.DATABASE_REPLICA_URL && asApp(env.DATABASE_REPLICA_URL),
  }
}

const firstHost = (url: string): string => urlsOf(url)[0]!

/** The same database with another role. */
export function withRole(ownerUrl: string, role: string, password: string): string {
  const url = new URL(firstHost(ownerUrl))
  const before = url.host
  url.username = role
  url.password = password
  const all = urlsOf(ownerUrl).map((each) => new URL(each).host)
  return url.toString().replace(`@${before}`, () => `@${all.join(',')}`)
}
