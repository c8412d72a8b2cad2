import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { dataFolderOf, type EmbeddedPostgres, startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'

export type Pair = {
  primary: EmbeddedPostgres
  standby: EmbeddedPostgres
  /** Runs a statement on one of them. `database`: `postgres` by default. */
  query: <Row extends object>(server: EmbeddedPostgres, text: string, database?: string) => Promise<Row[]>
  /** Kills the primary as a crash does. */
  killPrimary: () => void
  stop: () => Promise<void>
}

type Options = {
  /** The folder of a stopped server whose data both begin with; without it they are empty. */
  from?: string
  settings?: Record<string, string>
}

/** Two PostgreSQL servers: a primary, and a standby that streams its changes and confirms each commit. */
export async function startPair({
  from,
  settings = { shared_buffers: '32MB', fsync: 'off', max_wal_size: '256MB' },
}: Options = {}): Promise<Pair> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-pair-'))
  fs.chmodSync(root, 0o755)
  const [first, second] = [path.join(root, 'primary'), path.join(root, 'standby')] as const
  const common = { ...settings, wal_level: 'replica', max_wal_senders: '4', wal_keep_size: '256MB' }
  if (from) copyFolder(from, first)
  else await (await startEmbeddedPostgres(first, common)).stop()
  copyFolder(first, second)
  fs.writeFileSync(path.join(dataFolderOf(second), 'standby.signal'), '')
  const primary = await startEmbeddedPostgres(first, common)
  const socket = new URL(primary.url('postgres')).searchParams.get('host')!
  const standby = await startEmbeddedPostgres(second, {
    ...common,
    hot_standby_feedback: 'on',
    primary_conninfo: `host=${socket} user=postgres application_name=standby`,
  })
  const query = async <Row extends object>({ url }: EmbeddedPostgres, text: string, database = 'postgres'): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }
  await query(primary, `alter system set synchronous_standby_names = 'standby'`)
  await query(primary, `alter system set synchronous_commit = 'remote_apply'`)
  await query(primary, 'select pg_reload_conf()')

  return {
    primary,
    standby,
    query,
    killPrimary() {
      const [pid] = fs.readFileSync(path.join(dataFolderOf(first), 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async stop() {
      await Promise.all([standby.stop(), primary.stop()])
      fs.rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Keeps owners and links, and shares blocks where the file system can. */
const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
