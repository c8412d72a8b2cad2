import { spawn } from 'node:child_process'
import { once as happens } from 'node:events'
import type pg from 'pg'
import { inChunks } from '../../shared/chunks.ts'
import { urlsOf } from '../../kernel/postgres/hosts.ts'
import { systemVariables } from '../../kernel/workers/worker-pool.ts'
import type { Group, Progress } from './data-folder.ts'
import { BackupError, once, type Vault } from './vault.ts'

const blockBytes = 4 * 1024 * 1024
/** The name of the dump in a backup, and in the folder that it is restored to. */
const dumpName = 'clinic.dump'

/** The version of pg_dump, checked before anything is written. @throws a BackupError if there is none, or it is older than the server. */
export async function checkPgDump(program: string, serverMajor: number): Promise<void> {
  const setIt = `Install PostgreSQL ${serverMajor}'s client programs, or set PG_DUMP to its pg_dump.`
  const output = await outputOf(program, ['--version']).catch(() => null)
  if (output === null) throw new BackupError(`An external database is backed up with pg_dump, and there is no ${program} here. ${setIt}`)
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1] ?? 0)
  if (major < serverMajor)
    throw new BackupError(`${program} is version ${major}, older than the database, which is ${serverMajor}. ${setIt}`)
}

/** Dumps an external database, as one consistent moment. Adds the blocks that it stores. */
export async function dumpDatabase(
  program: string,
  owner: pg.Client,
  url: string,
  vault: Vault,
  stored: Set<string>,
  onProgress: (progress: Progress) => void,
): Promise<Group[]> {
  const { child, finished } = start(program, ['--format=custom', '--compress=none', '--no-password'], connectionOf(owner, url))
  const blocks: string[] = []
  let size = 0
  for await (const { bytes } of inChunks(child.stdout as AsyncIterable<Buffer>, blockBytes)) {
    const name = vault.nameOf(bytes)
    if (!stored.has(name)) {
      stored.add(name)
      await vault.put(`blocks/${name}`, once(bytes))
    }
    blocks.push(name)
    size += bytes.byteLength
    onProgress({ done: size, total: size, fresh: size })
  }
  await finished
  return [{ files: [[dumpName, size]], blocks }]
}

/** The connection of a client that is open, for PostgreSQL's own programs. In the environment: arguments are seen by everyone on the machine. */
function connectionOf(owner: pg.Client, url: string): Record<string, string> {
  const { searchParams } = new URL(urlsOf(url)[0]!)
  const [mode, rootCertificate] = [searchParams.get('sslmode'), searchParams.get('sslrootcert')]
  return {
    PGHOST: owner.host,
    PGPORT: String(owner.port),
    PGUSER: owner.user ?? '',
    PGPASSWORD: owner.password ?? '',
    PGDATABASE: owner.database ?? '',
    ...(mode && { PGSSLMODE: mode }),
    ...(rootCertificate && { PGSSLROOTCERT: rootCertificate }),
  }
}

function start(program: string, args: string[], connection: Record<string, string>) {
  const child = spawn(program, args, { env: { ...systemVariables(), ...connection }, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => (complaint = (complaint + part).slice(-2000)))
  const finished = happens(child, 'close').then(([code]) => {
    if (code !== 0)
      throw Object.assign(new BackupError(`${program} failed. The command ./refyne backup prints its message.`), {
        output: complaint.trim(),
      })
  })
  finished.catch(() => {})
  return { child, finished }
}

async function outputOf(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const parts = await Promise.all([Array.fromAsync(child.stdout as AsyncIterable<Buffer>), happens(child, 'close')])
  return Buffer.concat(parts[0]).toString('utf8')
}
