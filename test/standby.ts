import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'

export type Pair = {
  primary: EmbeddedPostgres
  standby: EmbeddedPostgres
  /** Runs a statement on one of them, in the database `postgres`. */
  query: <Row extends object>(server: EmbeddedPostgres, text: string) => Promise<Row[]>
  stop: () => Promise<void>
}

const nobody = 65_534

/** Two PostgreSQL servers: a primary, and a standby that streams its changes and confirms each commit. */
export async function startPair(): Promise<Pair> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-pair-'))
  fs.chmodSync(root, 0o755)
  const [first, second] = [path.join(root, 'primary'), path.join(root, 'standby')] as const
  const common = { shared_buffers: '32MB', fsync: 'off', max_wal_size: '256MB', wal_level: 'replica', max_wal_senders: '4' }
  const primary = await startEmbeddedPostgres(first, { ...common, wal_keep_size: '256MB' })
  const query = async <Row extends object>({ url }: EmbeddedPostgres, text: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url('postgres') })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  const backup = new pg.Client({ connectionString: primary.url('postgres') })
  await backup.connect()
  await backup.query(`select pg_backup_start('standby', true)`)
  fs.cpSync(first, second, { recursive: true, verbatimSymlinks: true })
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await backup.end()
  const data = path.join(second, 'data')
  fs.chmodSync(data, 0o700)
  fs.rmSync(path.join(data, 'postmaster.pid'), { force: true })
  fs.writeFileSync(path.join(data, 'backup_label'), rows[0]!.labelfile)
  fs.writeFileSync(path.join(data, 'standby.signal'), '')
  if (process.getuid?.() === 0)
    for (const name of ['.', ...(fs.readdirSync(data, { recursive: true }) as string[])])
      fs.chownSync(path.join(data, name), nobody, nobody)
  const socket = new URL(primary.url('postgres')).searchParams.get('host')!
  const standby = await startEmbeddedPostgres(second, {
    ...common,
    hot_standby_feedback: 'on',
    primary_conninfo: `host=${socket} user=postgres application_name=standby`,
  })
  await query(primary, `alter system set synchronous_standby_names = 'standby'`)
  await query(primary, `alter system set synchronous_commit = 'remote_apply'`)
  await query(primary, 'select pg_reload_conf()')

  return {
    primary,
    standby,
    query,
    async stop() {
      await Promise.all([standby.stop(), primary.stop()])
      fs.rmSync(root, { recursive: true, force: true })
    },
  }
}
