import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { readLastTimes } from '../backups/service.ts'
import { statusOf as quickBooksStatusOf } from '../../billing/quickbooks/service.ts'
import { readFileEncryption } from '../../documents/service.ts'
import { readQueue } from '../../kernel/job-queue.ts'
import { migrationState } from '../../kernel/postgres/migrate.ts'
import type { Scope } from '../../kernel/scope.ts'
import { version } from '../../kernel/version.ts'
import { describeTrouble, troubledSequences } from '../../outreach/sequences/watch.ts'
import type { Context } from '../../platform/context.ts'
import type { SystemStatus } from './contract.ts'
import { type Vendor, vendorFailures, vendors } from './rules.ts'

export async function readStatus(context: Context): Promise<SystemStatus> {
  const { db, env, now } = context
  const [database, processes, migrations, queue, systems, disk, backups, files, troubled] = await Promise.all([
    readDatabase(db),
    countProcesses(db),
    migrationState(db).catch(() => null),
    readQueue(db),
    readSystems(context),
    statfs(env.DATA_DIR).catch(() => null),
    env.BACKUP_TO === undefined ? null : readLastTimes(db),
    readFileEncryption(db),
    troubledSequences(db, now()),
  ])
  const oldestDue = Math.max(...queue.map(({ oldestDueSeconds }) => oldestDueSeconds ?? -1))
  return {
    version: version.number,
    commit: version.commit,
    node: process.versions.node,
    startedAt: new Date(Date.now() - process.uptime() * 1_000),
    processes,
    database: { ...database, migrations },
    disk: disk && { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
    backups,
    files,
    queue: {
      waiting: queue.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestDueAt: oldestDue >= 0 ? new Date(now().getTime() - oldestDue * 1_000) : null,
      failed: queue.flatMap(({ job, failed, lastErrorKind }) => (failed > 0 ? [{ job, count: failed, lastErrorKind }] : [])),
    },
    sequences: troubled.map((one) => ({ id: one.id, name: one.name, problem: describeTrouble(one) })),
    systems,
    failures: context.recentFailures(),
  }
}

async function readDatabase(db: Scope['db']): Promise<{ version: string; bytes: number }> {
  const { rows } = await db.execute<{ version: string; bytes: number }>(
    sql`select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`,
  )
  return rows[0]!
}

/** Each process listens for events on one connection. */
async function countProcesses(db: Scope['db']): Promise<number | null> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from pg_stat_activity where application_name = 'refyne events' and datname = current_database()`,
  )
  return rows[0]?.n || null
}

async function readSystems(context: Context): Promise<SystemStatus['systems']> {
  const quickBooks = await quickBooksStatusOf(context)
  const isSetUp = systemsSetUp(context.env, quickBooks.state === 'connected' || quickBooks.state === 'reconnect')
  return vendors.map((vendor) => {
    if (!isSetUp[vendor]) return { vendor, state: 'off', failure: null, lastResponseAt: null, failingSince: null }
    const { failure: outcome, lastResponseAt, failingSince } = context.vendorStates.of(vendor)
    // Another process may have found out.
    const isRefused = vendor === 'quickbooks' && quickBooks.state === 'reconnect'
    const failure = isRefused ? 'credentials' : (vendorFailures.find((one) => one === outcome) ?? null)
    return { vendor, state: failure ? 'failing' : lastResponseAt ? 'working' : 'unused', failure, lastResponseAt, failingSince }
  })
}

const systemsSetUp = (env: Scope['env'], hasQuickBooks: boolean): Record<Vendor, boolean> => ({
  postmark: env.POSTMARK_TOKEN !== undefined,
  quickbooks: hasQuickBooks,
  nylas: env.NYLAS_CLIENT_ID !== undefined && env.NYLAS_API_KEY !== undefined,
  gmail: env.GMAIL_CLIENT_ID !== undefined,
  s3: env.FILES === 's3',
  clamd: env.CLAMD_URL !== undefined,
  oidc: env.OIDC_ISSUER !== undefined,
  'timestamp-authority': env.TSA_URL !== undefined,
  twilio: env.TWILIO_ACCOUNT_SID !== undefined,
  stripe: env.STRIPE_SECRET_KEY !== undefined,
})
