import fs from 'node:fs/promises'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { DamagedError } from '../../kernel/age.ts'
import { stopLeftServer } from '../../kernel/postgres/embedded-postgres.ts'
import { countMigrations } from '../../kernel/postgres/migrate.ts'
import { verifyLog } from '../../platform/audit/service.ts'
import { connect, tryLock } from './connection.ts'
import { type Manifest, sizeOf } from './manifest.ts'
import { chooseBackup, findEarlyEnd, recoverDatabase } from './restore.ts'
import type { WalPiece } from './rules.ts'
import { BackupError, forEach, problemOf, type Vault } from './vault.ts'

export type DrillSummary = {
  /** The backup. */
  id: string | null
  /** Seconds from the start until the restored database answered; null for a dump, which is read but not loaded. */
  restoredSeconds: number | null
  /** Seconds of changes that would be lost now. */
  lostSeconds: number | null
  patients: number | null
  auditEntries: number | null
  filesRead: number | null
  problem: string | null
  /** Whether an object is missing or damaged. */
  isDamaged: boolean
  /** Whether it did not start, because another drill is running. */
  isBusy: boolean
}

/** Arbitrary advisory lock: one drill at a time. */
const drillLock = 7_310_284_667
/** Left to the clinic, and for the new log of the restored database. */
const spareBytes = 512 * 1024 * 1024
/** Files that are read back. */
const sample = 20
/** Entries at the end of the audit log whose seals are verified. */
const auditTail = 20_000

/**
 * Restores the newest backup into a scratch folder with a server of its own, and tests what came out. Leaves nothing. A failure is a result.
 */
export async function runDrill(
  owner: pg.Client,
  vault: Vault,
  dataDir: string,
  { onProgress = () => {}, onFailure }: { onProgress?: (step: string) => void; onFailure: (error: unknown) => void },
): Promise<DrillSummary> {
  const result: DrillSummary = {
    id: null,
    restoredSeconds: null,
    lostSeconds: null,
    patients: null,
    auditEntries: null,
    filesRead: null,
    problem: null,
    isDamaged: false,
    isBusy: false,
  }
  if (!(await tryLock(owner, drillLock))) return { ...result, problem: 'Another drill is running.', isBusy: true }
  const scratch = scratchIn(dataDir)
  const begin = performance.now()
  try {
    await clearDrill(dataDir)
    const { manifest, pieces, archivedAt } = await chooseBackup(vault, null)
    result.id = manifest.id
    result.lostSeconds = Math.max(0, Math.round((Date.now() - archivedAt.getTime()) / 1000))
    if (manifest.database.kind === 'folder') {
      await assertRoom(dataDir, manifest, pieces)
      const server = await recoverDatabase(vault, manifest, pieces, path.join(scratch, 'postgres'), {
        onProgress,
        settings: { shared_buffers: '128MB' },
      })
      try {
        result.restoredSeconds = Math.round((performance.now() - begin) / 100) / 10
        onProgress('Testing the restored clinic')
        const endsEarlyAt = await findEarlyEnd(server.url('postgres'), manifest, pieces)
        if (endsEarlyAt) throw new DamagedError(`The archived changes can only be read up to ${endsEarlyAt.toISOString()}`)
        Object.assign(result, await testDatabase(server.url('postgres'), manifest))
      } finally {
        await server.stop()
      }
    } else await readBlocks(vault, manifest)
    result.filesRead = await readFiles(vault, manifest)
  } catch (error) {
    result.problem = problemOf(error)
    result.isDamaged = error instanceof DamagedError
    onFailure(error)
  }
  try {
    await clearDrill(dataDir)
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [drillLock])
  }
  return result
}

const scratchIn = (dataDir: string): string => path.join(dataDir, 'drill')

/** Removes what a drill has made, also one that still runs. */
export async function clearDrill(dataDir: string): Promise<void> {
  await stopLeftServer(path.join(scratchIn(dataDir), 'postgres'))
  await fs.rm(scratchIn(dataDir), { recursive: true, force: true })
}

/** A drill must not fill the disk of the clinic. */
async function assertRoom(dataDir: string, manifest: Manifest, pieces: readonly WalPiece[]): Promise<void> {
  const log = pieces.reduce((sum, { start, end }) => sum + Number(end - start), 0)
  const needed = sizeOf(manifest).databaseBytes + log + spareBytes
  const { bavail, bsize } = await fs.statfs(dataDir)
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)
  if (bavail * bsize < needed)
    throw new BackupError(`A drill needs ${megabytes(needed)} MB of free space in DATA_DIR, which has ${megabytes(bavail * bsize)} MB.`)
}

/** Counts the rows of every table, which reads each page and compares its checksum; then migrations, the audit log and a few reads. */
async function testDatabase(url: string, { secrets }: Manifest): Promise<Pick<DrillSummary, 'patients' | 'auditEntries'>> {
  const client = await connect(url)
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker', 'drizzle')`,
    )
    const counts = new Map<string, number>()
    for (const { name } of tables) counts.set(name, await countOf(client, name))
    const migrations = counts.get('drizzle.__drizzle_migrations') ?? 0
    // After a way back, the database has those of a later version too.
    if (migrations < countMigrations()) throw new BackupError(`The restored database has ${migrations} of ${countMigrations()} migrations.`)
    const { problems } = await verifyLog(drizzle(client), secrets, [], auditTail)
    if (problems.length > 0) throw new BackupError(`The restored audit log does not match its seals: ${problems[0]}`)
    await client.query(
      `select contacts.id, funnel_stages.name from contacts join funnel_stages on funnel_stages.id = contacts.funnel_stage
       order by contacts.created_at desc limit 50`,
    )
    return { patients: counts.get('public.contacts') ?? 0, auditEntries: counts.get('public.audit_log') ?? 0 }
  } finally {
    await client.end()
  }
}

async function countOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`)
  return Number(rows[0]!.count)
}

async function readBlocks(vault: Vault, { database }: Manifest): Promise<void> {
  await forEach(
    database.groups.flatMap(({ blocks }) => blocks),
    4,
    async (name) => void (await vault.digest(vault.read(`blocks/${name}`, name))),
  )
}

/** Reads files back, evenly spread over all. */
async function readFiles(vault: Vault, { files }: Manifest): Promise<number> {
  const step = Math.max(1, Math.floor(files.length / sample))
  const chosen = files.filter((_, i) => i % step === 0)
  await forEach(chosen, 4, async ({ key, digest }) => void (await vault.digest(vault.read(`files/${key}`, digest))))
  return chosen.length
}
