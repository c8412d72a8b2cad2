import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openLocalStore } from '../../src/integrations/storage/local.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres, stopLeftServer } from '../../src/kernel/postgres/embedded-postgres.ts'
import { copyTemplate, testSecret } from '../database.ts'
import { startProcess } from '../processes/process.ts'
import { until } from '../until.ts'

const commands = path.join(import.meta.dirname, '../../dist/server')
const files = 12

let root: string
let dataDir: string
let place: string
const started: ReturnType<typeof startProcess>[] = []
beforeAll(() => {
  root = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'refyne-backup-'))
  fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
  dataDir = path.join(root, 'clinic')
  place = path.join(root, 'backups')
})
afterAll(async () => {
  for (const child of started) child.kill('SIGTERM')
  await Promise.all(started.map((child) => child.exited))
  fs.rmSync(root, { recursive: true, force: true })
})

const settings = (): Record<string, string> => ({
  APP_SECRET: testSecret,
  DATA_DIR: dataDir,
  BACKUP_TO: place,
  BACKUP_PASSPHRASE: 'seven unlikely words in a row',
  LOG_LEVEL: 'warn',
})

function command(name: 'backup' | 'restore', ...args: string[]) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [path.join(commands, `${name}.js`), ...args], {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE, ...settings() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'close').then(([code, signal]) => ({ code: (code ?? signal) as number | string, output }))
  return { child, ended }
}

const stored = () =>
  fs.existsSync(place)
    ? fs
        .readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^[0-9a-f]{2}\/./.test(name))
        .map((name) => path.basename(name))
    : []
const storedAt = (kind: string) =>
  new Map(
    stored()
      .filter((name) => name.startsWith(`${kind}.`))
      .map((name) => [name, timeOf(name)]),
  )
const timeOf = (name: string) =>
  fs.statSync(
    path.join(
      place,
      fs.readdirSync(place, { recursive: true, encoding: 'utf8' }).find((one) => path.basename(one) === name)!,
    ),
  ).mtimeMs

/** The server of PostgreSQL that runs under a folder. */
function runningIn(folder: string): { pid: string; socket: string } | null {
  const file = path.join(folder, 'data/postmaster.pid')
  const [pid, , , , socket] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return pid && socket ? { pid, socket } : null
}

async function connectTo(socket: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(socket)}` })
  await client.connect()
  return client
}

async function withPostgres<Result>(folder: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const server: EmbeddedPostgres = await startEmbeddedPostgres(path.join(folder, 'postgres'))
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await server.stop()
  }
}
const addPatient = (client: pg.Client, name: string) =>
  client.query(
    `insert into contacts (first_name, last_name, funnel_stage) select $1, 'Silva', id from funnel_stages where value = 'lead'`,
    [name],
  )
const namesIn = (folder: string) =>
  withPostgres(folder, async (client) =>
    (await client.query<{ name: string }>('select first_name as name from contacts order by 1')).rows.map(({ name }) => name),
  )

describe('backups of a running server', { timeout: 240_000 }, () => {
  it('are made by itself, with each change until it stops, even during a drill, and their age is in /health/ready', async () => {
    const child = startProcess(settings())
    started.push(child)
    const url = await child.ready()
    const ages = async () =>
      ((await (await fetch(`${url}/health/ready`)).json()) as { backups: { backupAge: number | null; archiveAge: number | null } }).backups
    await until(async () => (await ages()).backupAge !== null, 90_000)

    const { socket } = runningIn(path.join(dataDir, 'postgres'))!
    expect(socket).toBe(path.join(dataDir, 'postgres/socket')) // a service has a /tmp of its own, which commands do not see
    const client = await connectTo(socket)
    await addPatient(client, 'Ana')
    await client.end()
    const drill = await until(() => runningIn(path.join(dataDir, 'drill/postgres'))).catch((error: unknown) => {
      // Why it did not begin, or what it found before it was seen.
      throw new Error(child.output(), { cause: error })
    })
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(fs.existsSync(`/proc/${drill.pid}`)).toBe(false)
    expect(fs.existsSync(path.join(dataDir, 'drill'))).toBe(false)

    const { code, output } = await command('restore', '--data-dir', path.join(root, 'first')).ended
    expect([code, output]).toEqual([0, expect.stringContaining('Restored the backup')])
    expect(await namesIn(path.join(root, 'first'))).toEqual(['Ana'])
    fs.rmSync(dataDir, { recursive: true })
    fs.renameSync(path.join(root, 'first'), dataDir)
    // The restored clinic continues the backups once the other has been silent for ten minutes.
    expect(await command('backup').ended).toEqual({ code: 1, output: expect.stringContaining('This is a restored copy') as string })
    const silentSince = new Date(Date.now() - 11 * 60_000)
    for (const name of fs.readdirSync(place, { recursive: true, encoding: 'utf8' }))
      fs.utimesSync(path.join(place, name), silentSince, silentSince)
  })
})

describe('nothing is harmed when the process is killed', { timeout: 240_000 }, () => {
  it('in the middle of a backup, which the next run continues', async () => {
    const store = openLocalStore(path.join(dataDir, 'files'))
    for (let i = 0; i < files; i++) {
      await store.put(
        `documents/${i}`,
        (async function* () {
          yield randomBytes(500_000)
        })(),
      )
    }
    const manifests = [...storedAt('backups').keys()]
    const killed = command('backup')
    await until(() => storedAt('files').size > 0)
    killed.child.kill('SIGKILL')
    expect((await killed.ended).code).toBe('SIGKILL')
    expect([...storedAt('backups').keys()]).toEqual(manifests)
    const before = new Map([...storedAt('files'), ...storedAt('blocks')])

    const { code, output } = await command('backup').ended
    expect([code, output]).toEqual([0, expect.stringMatching(/Backup \S+: database .*, 12 files 6 MB, copied .* verified/)])
    const after = new Map([...storedAt('files'), ...storedAt('blocks')])
    const kept = [...before].filter(([name]) => after.has(name)) // but for blocks of a table that has changed since
    expect(kept.length).toBeGreaterThan(before.size / 2)
    for (const [name, at] of kept) expect([name, after.get(name)]).toEqual([name, at]) // not copied again
    expect((await command('backup', '--verify').ended).code).toBe(0)
  })

  it('in the middle of a restore, which leaves no folder that looks like a clinic, and can be run again', async () => {
    const folder = path.join(root, 'second')
    const killed = command('restore', '--data-dir', folder)
    await until(() => fs.existsSync(path.join(`${folder}.partial`, 'postgres/data/PG_VERSION')))
    killed.child.kill('SIGKILL')
    expect((await killed.ended).code).toBe('SIGKILL')
    expect(fs.existsSync(folder)).toBe(false)
    expect((await command('restore', '--data-dir', folder).ended).code).toBe(0)
    expect(await namesIn(folder)).toEqual(['Ana'])
    expect(fs.existsSync(`${folder}.partial`)).toBe(false)
    expect(await command('restore', '--data-dir', folder).ended).toEqual({ code: 1, output: expect.stringContaining('exists already') })
  })
})

it('are made by one of several processes, and by another when it is killed', { timeout: 120_000 }, async () => {
  const database = await copyTemplate(inject('postgres'))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // Without pg_dump each attempt fails at once, and what is recorded says whose it was.
  const processes = ['/no/pg_dump-1', '/no/pg_dump-2'].map((program) => {
    const own = { DATABASE_URL: database.url, BACKUP_TO: path.join(root, 'own'), PG_DUMP: program, LOG_LEVEL: 'silent' }
    return { program, child: startProcess({ ...settings(), ...own }) }
  })
  started.push(...processes.map(({ child }) => child))
  await Promise.all(processes.map(({ child }) => child.ready()))
  const attempts = async () => {
    const { rows } = await client.query<{ program: string }>(
      `select substring(details->>'problem' from '/no/pg_dump-.') as program from backup_runs where kind = 'backup' order by ended_at`,
    )
    return rows.map(({ program }) => program)
  }
  const refusedLocks = async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'refyne backup' and query ~ 'try_advisory'`,
    )
    return rowCount
  }
  await until(async () => (await attempts()).length > 0 && (await refusedLocks()) === 1)
  const [leader] = await attempts()
  expect(await attempts()).toEqual([leader])

  processes.find(({ program }) => program === leader)!.child.kill('SIGKILL')
  const other = processes.find(({ program }) => program !== leader)!
  await until(async () => (await attempts()).length > 1)
  expect(await attempts()).toEqual([leader, other.program])
  other.child.kill('SIGTERM')
  await Promise.all(processes.map(({ child }) => child.exited))
  await client.end()
  await database.drop()
})

it(
  'passes its drill, leaves nothing behind, and lets PostgreSQL run for others that have begun to use it',
  { timeout: 120_000 },
  async () => {
    const drill = command('backup', '--drill')
    const { socket } = await until(() => runningIn(path.join(dataDir, 'postgres')))
    const client = await until(() => connectTo(socket).catch(() => null))
    const { code, output } = await drill.ended
    expect([code, output]).toEqual([0, expect.stringMatching(/"patients": 1,[^]*"filesRead": 12,\s+"problem": null/)])
    expect(fs.existsSync(path.join(dataDir, 'drill'))).toBe(false)
    expect((await client.query<{ count: string }>('select count(*) from contacts')).rows[0]!.count).toBe('1')
    await client.end()
    await stopLeftServer(path.join(dataDir, 'postgres'))
  },
)
