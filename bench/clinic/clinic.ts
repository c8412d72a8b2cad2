import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { fillDemo } from '../../demo/fill.ts'
import { startEmbeddedPostgres } from '../../src/kernel/postgres/embedded-postgres.ts'
import { migrate } from '../../src/kernel/postgres/migrate.ts'
import { guardPortal } from '../../src/portal/guard.ts'
import { progress } from '../report.ts'

/** A copy of a filled clinic for a single run. */
export type Clinic = {
  /** Connects as the owner of the tables. */
  ownerUrl: string
  /** Connects as the application's role. */
  appUrl: string
  /** Runs a statement as the owner. */
  query: <Result extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Result[]>
  close: () => Promise<void>
}

export const appRole = 'refyne_app'
const seed = 1
/** When the clinic's last patient was added, unless it is a current one. */
export const filledAt = new Date('2026-03-02T15:00:00Z')
const tables = path.join(import.meta.dirname, '../../drizzle')
/** An arbitrary advisory lock key: the holder has exclusive use of the data. */
const benchLock = 20_260_302

/**
 * Opens a clinic with this many contacts. It is filled once and kept under a name derived from schema, size and seed. Each run works on a
 * copy that is dropped afterwards, so every run starts with the same data, even after a run that was killed. `isCurrent`: its last patient was
 * added when it was filled, for servers whose clock is right.
 */
export async function openClinic(contacts: number, { isCurrent = false, root = '' } = {}): Promise<Clinic> {
  root ||= folderOf(contacts) + (isCurrent ? '-current' : '')
  progress(`${contacts.toLocaleString('en-CA')} contacts in ${root}`)
  const postgres = await startEmbeddedPostgres(root)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void postgres.stop().then(() => process.exit(130)))
  const admin = new pg.Client({ connectionString: postgres.url('postgres') })
  await admin.connect()
  const { rows } = await admin.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [benchLock])
  if (!rows[0]!.mine) throw new Error(`Another benchmark is using ${root}`)

  await admin.query('set client_min_messages to warning')
  await admin.query('drop database if exists copy with (force)')
  if (!(await hasDatabase(admin, 'clinic'))) {
    await admin.query('drop database if exists filling with (force)')
    await admin.query('create database filling')
    await fill(postgres.url('filling'), contacts, isCurrent ? new Date() : filledAt)
    await admin.query('alter database filling rename to clinic')
  }
  await admin.query(`create database copy template clinic strategy file_copy`)

  const ownerUrl = postgres.url('copy')
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  // An established clinic has no pending duplicate checks. Checking all contacts at once would keep a processor busy for half an hour.
  await owner.query('truncate duplicate_checks')
  return {
    ownerUrl,
    appUrl: postgres.url('copy', appRole),
    query: async <Result extends pg.QueryResultRow>(text: string, values?: unknown[]) => (await owner.query<Result>(text, values)).rows,
    async close() {
      await owner.end()
      await admin.query('drop database copy with (force)')
      await admin.end()
      await postgres.stop()
    },
  }
}

const folderOf = (contacts: number): string =>
  path.join(process.env.BENCH_DIR ?? os.tmpdir(), `refyne-bench-${schemaHash()}-${contacts}-${seed}`)

/** Fills a clinic unless it is there, and returns the folder of its stopped PostgreSQL, whose database is called "clinic". */
export async function fillClinic(contacts: number, root = folderOf(contacts)): Promise<string> {
  await (await openClinic(contacts, { root })).close()
  return root
}

/** Hashes the migrations, so that data kept for an older schema is not reused. */
function schemaHash(): string {
  const hash = createHash('sha256')
  const files = fs.readdirSync(tables).filter((file) => file.endsWith('.sql'))
  // The journal lists the migrations that a database applies.
  for (const file of [...files.toSorted(), 'meta/_journal.json']) hash.update(fs.readFileSync(path.join(tables, file)))
  return hash.digest('hex').slice(0, 8)
}

async function hasDatabase(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name])
  return rowCount === 1
}

async function fill(url: string, contacts: number, now: Date): Promise<void> {
  // The role has no password yet; a server that starts on a copy sets one.
  await migrate(url, { appRole, appPassword: 'bench' }, guardPortal)
  let lastReportedTenth = -1
  await fillDemo(url, {
    contacts,
    seed,
    now,
    onProgress({ phase, done, total }) {
      const tenth = Math.floor((done / total) * 10)
      if (tenth !== lastReportedTenth) progress(`  filling: ${phase}, ${done.toLocaleString('en-CA')} of ${total.toLocaleString('en-CA')}`)
      lastReportedTenth = tenth
    },
  })
}
