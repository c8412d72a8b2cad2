import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { dataFolderOf, startEmbeddedPostgres, stopLeftServer } from '../src/kernel/postgres/embedded-postgres.ts'
import { fillClinic } from './clinic/clinic.ts'
import { buildAll } from './load/build.ts'
import { benchSecret, type Process, startServer } from './load/processes.ts'
import { progress, type Row, toRow } from './report.ts'

const root = path.join(import.meta.dirname, '..')
const passphrase = 'seven unlikely words in a row'
const kills = 10
/** Larger clinics take too long for them. */
const maxKilled = 200_000
/** In seconds: how long rows are written before everything is killed. */
const writeFor = 150

/**
 * Measures backups of a clinic with the built server and commands: the first backup and a later one, backups that are killed at any moment, and the
 * loss of the machine (server and database killed, data folder gone) while rows are written: what is lost, and when a restored server answers.
 */
export async function benchBackups({ sizes }: { sizes: number[] }): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    const folder = fs.mkdtempSync(path.join(process.env.BENCH_DIR ?? os.tmpdir(), 'refyne-bench-backups-'))
    fs.chmodSync(folder, 0o755)
    try {
      rows.push(...(await measure(size, folder)))
    } finally {
      await stopLeftServer(path.join(folder, 'clinic/postgres'))
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}

async function measure(size: number, folder: string): Promise<Row[]> {
  const name = `${size.toLocaleString('en-CA')} contacts`
  const dataDir = path.join(folder, 'clinic')
  const place = path.join(folder, 'backups')
  await copyClinic(size, path.join(dataDir, 'postgres'))
  buildAll()
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase, APP_SECRET: benchSecret }

  const first = await run('backup', ['--to', place], settings)
  if (first.code !== 0) throw new Error(`The backup ended with ${first.code}: ${first.output}`)
  progress(`  first: ${first.seconds.toFixed(1)} s, ${first.output.split('\n').at(-2)}`)
  const failures = size > maxKilled ? [] : [await killBackups(path.join(folder, 'killed'), first.seconds / 2, settings)]
  const later = await run('backup', ['--to', place], settings)
  progress(`  later: ${later.seconds.toFixed(1)} s, ${later.output.split('\n').at(-2)}`)

  const server = await startServer('', { ...settings, BACKUP_TO: place })
  await untilArchived(server)
  const lastWritten = await writeUntilKilled(server, dataDir)
  fs.rmSync(dataDir, { recursive: true })

  const begin = performance.now()
  const restored = await run('restore', ['--from', place, '--data-dir', dataDir], settings)
  if (restored.code !== 0) throw new Error(`The restore ended with ${restored.code}: ${restored.output}`)
  const again = await startServer('', settings)
  const answers = (performance.now() - begin) / 1000
  const client = await connect(dataDir)
  const { rows: found } = await client.query<{ at: Date; contacts: number }>(
    'select max(at) as at, (select count(*)::int from contacts) as contacts from bench_writes',
  )
  await client.end()
  await again.stop()
  progress(`  restored: ${found[0]!.contacts.toLocaleString('en-CA')} contacts`)
  const lost = (lastWritten.getTime() - found[0]!.at.getTime()) / 1000
  return [
    toRow({ case: `${name}: the first backup, read back`, unit: 's', ours: first.seconds }),
    toRow({ case: `${name}: a backup when little has changed`, unit: 's', ours: later.seconds }),
    ...failures.map((ours) =>
      toRow({ case: `${name}: damaged after ${kills} kills at any moment`, unit: 'errors', ours, aims: [{ of: 'ours', atMost: 0 }] }),
    ),
    toRow({ case: `${name}: changes lost with the machine (RPO)`, unit: 's', ours: lost, aims: [{ of: 'ours', atMost: 300 }] }),
    toRow({ case: `${name}: until the restored server answers (RTO)`, unit: 's', ours: answers, aims: [{ of: 'ours', atMost: 900 }] }),
  ]
}

/** Kills backups to a new place at any moment of so many seconds, until one ends. @returns how many times what was there did not read back. */
async function killBackups(place: string, seconds: number, settings: Record<string, string>): Promise<number> {
  let failures = 0
  for (let n = 0; n <= kills; n++) {
    const made = await run('backup', ['--to', place], settings, n < kills ? Math.random() * seconds * 1000 : undefined)
    const verified = await run('backup', ['--to', place, '--verify'], settings)
    const isEmpty = verified.output.includes('There are no backups')
    if (verified.code !== 0 && !isEmpty) failures++
    progress(
      `  backup ${n + 1}: ${made.code === null ? 'killed' : `ended with ${made.code}`}, then ${verified.output.trim().split('\n').at(-1)}`,
    )
  }
  return failures
}

/** A data folder whose database is the clinic, as the product has it. */
async function copyClinic(size: number, to: string): Promise<void> {
  const from = await fillClinic(size)
  fs.mkdirSync(path.dirname(to), { recursive: true })
  // Of a server that was stopped, only the segment that was written last is needed; the others are for reuse.
  const log = path.join(dataFolderOf(from), 'pg_wal')
  const segments = fs.readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const newest = segments.toSorted((a, b) => fs.statSync(path.join(log, b)).mtimeMs - fs.statSync(path.join(log, a)).mtimeMs)[0]
  const unused = new Set(segments.filter((name) => name !== newest).map((name) => path.join(log, name)))
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (source) => !unused.has(source) })
  for (const name of ['', ...fs.readdirSync(to, { recursive: true, encoding: 'utf8' })]) own(from, to, name)
  const server = await startEmbeddedPostgres(to)
  const client = new pg.Client({ connectionString: server.url('template1') })
  await client.connect()
  await client.query('drop database postgres')
  await client.query('alter database clinic rename to postgres')
  await client.end()
  await server.stop()
}

function own(from: string, to: string, name: string): void {
  const { uid, gid, mode } = fs.lstatSync(path.join(from, name))
  const copy = path.join(to, name)
  if (process.getuid?.() === 0) fs.lchownSync(copy, uid, gid)
  if (!fs.lstatSync(copy).isSymbolicLink()) fs.chmodSync(copy, mode)
}

/** Runs a command of the built server. `killAfter`: milliseconds until it is killed. */
async function run(name: string, args: string[], settings: Record<string, string>, killAfter?: number) {
  const begin = performance.now()
  const child = spawn(process.execPath, [path.join(root, `dist/server/${name}.js`), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const timer = killAfter === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfter)
  const [code] = (await once(child, 'close')) as [number | null]
  if (timer) clearTimeout(timer)
  return { code, output, seconds: (performance.now() - begin) / 1000 }
}

async function untilArchived(server: Process): Promise<void> {
  for (;;) {
    const { backups } = (await (await fetch(`${server.url}/health/ready`)).json()) as { backups: { archiveAge: number | null } }
    if (backups.archiveAge !== null) return
    await wait(500)
  }
}

async function connect(dataDir: string): Promise<pg.Client> {
  const [, , , , socket] = fs.readFileSync(path.join(dataFolderOf(path.join(dataDir, 'postgres')), 'postmaster.pid'), 'utf8').split('\n')
  const client = new pg.Client({ connectionString: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(socket!)}` })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Writes rows one after the other, then kills the server and its database. Returns when the last committed row was written. */
async function writeUntilKilled(server: Process, dataDir: string): Promise<Date> {
  const client = await connect(dataDir)
  await client.query('create table bench_writes (at timestamptz not null, filler text not null)')
  const end = performance.now() + writeFor * 1000
  let last = new Date(0)
  while (performance.now() < end) {
    const { rows } = await client.query<{ at: Date }>(`insert into bench_writes values (clock_timestamp(), repeat('x', 2000)) returning at`)
    last = rows[0]!.at
    await wait(5)
  }
  process.kill(server.pid, 'SIGKILL')
  const postmaster = Number(fs.readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  await client.end().catch(() => {})
  return last
}
