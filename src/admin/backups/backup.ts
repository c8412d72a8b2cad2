import { randomBytes } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type pg from 'pg'
import type { FileStore, StoredFile } from '../../integrations/storage/store.ts'
import { DamagedError } from '../../kernel/age.ts'
import type { Env } from '../../kernel/env.ts'
import { connect, tryLock, valueOf } from './connection.ts'
import { findDamaged, replacing } from './damaged.ts'
import { copyDataFolder, type Progress } from './data-folder.ts'
import { copyDocuments, describeUnreadable } from './documents.ts'
import { checkPgDump, dumpDatabase } from './dump.ts'
import { backupIds, keptBy, type Manifest, readManifest, readManifests, sizeOf, writeManifest } from './manifest.ts'
import { assertOwnPlace } from './place.ts'
import { namesIn, namesOf, segmentBytes, toPosition, unneeded } from './rules.ts'
import { BackupError, forEach, type Vault } from './vault.ts'
import { archiveLog, currentChain, skipTo, startChain } from './wal.ts'

/** The clinic that is backed up. */
export type Clinic = {
  env: Pick<Env, 'APP_SECRET' | 'OLD_APP_SECRETS' | 'PG_DUMP'>
  /** Connects as the owner of the tables. */
  ownerUrl: string
  /** Of the bundled PostgreSQL; null for an external one. */
  dataFolder: string | null
  files: FileStore
}

type Options = {
  keep: number
  /** Whether the log is archived from now on, which a running server does for BACKUP_TO. */
  isContinuous: boolean
  /** Objects that were found damaged: what the clinic still has of them is stored again. */
  damaged?: readonly string[]
  onProgress?: (step: string, progress?: Progress) => void
}

export type BackupSummary = {
  id: string
  at: Date
  seconds: number
  databaseBytes: number
  fileBytes: number
  files: number
  /** Bytes that were copied, because the place did not have them. */
  copiedBytes: number
  removed: number
  /** Objects that were missing or did not read back, and those of them that were stored again. */
  damaged: number
  replaced: number
  /** What is wrong although there is a backup. */
  problem: string | null
}

/** Arbitrary advisory lock: one backup at a time. */
const backupLock = 7_310_284_664

/**
 * Makes a backup: the database, the files that are new, the log, then reads back what was stored, writes the manifest, which makes it valid, and
 * only then removes what the kept backups do not need. A run that is killed leaves no backup, and what it stored is used by the next.
 */
export async function makeBackup(
  clinic: Clinic,
  opened: Vault,
  { keep, isContinuous, damaged: suspects = [], onProgress = () => {} }: Options,
): Promise<BackupSummary> {
  const begin = performance.now()
  const owner = await connect(clinic.ownerUrl)
  try {
    if (!(await tryLock(owner, backupLock))) throw new BackupError('Another backup is running. It holds the lock until it is complete.')
    const startedAt = new Date()
    const objects: StoredFile[] = await Array.fromAsync(opened.store.list())
    const { manifests, damaged } = await readManifests(opened, backupIds(objects))
    const { system } = await assertOwnPlace(owner, objects, manifests.at(-1))
    onProgress('Reading back older objects')
    const lost = await findDamaged(opened, objects, manifests, suspects, startedAt)
    const found = lost.size
    const vault = replacing(opened, lost)
    const stored = namesOf(objects, 'blocks').difference(namesIn(lost, 'blocks'))
    const storedFiles = namesOf(objects, 'files').difference(namesIn(lost, 'files'))
    const verified = new Set(manifests.flatMap((one) => [...keptBy(one).blocks])).difference(namesIn(lost, 'blocks'))
    let copiedBytes = 0

    onProgress('Copying the database')
    const database = await copyDatabase(clinic, owner, vault, stored, isContinuous, (progress) =>
      onProgress('Copying the database', progress),
    )
    onProgress('Copying files')
    const known = new Map(manifests.flatMap(({ files }) => files.map((file) => [file.key, file] as const)))
    const { documents: files, unreadable } = await copyDocuments(clinic.files, vault, storedFiles, known, (size) => (copiedBytes += size))

    onProgress('Reading back')
    const unread = [...new Set(database.content.groups.flatMap(({ blocks }) => blocks))].filter((name) => !verified.has(name))
    await forEach(unread, 4, (name) => verifyBlock(vault, name))
    const id = `${startedAt.toISOString().replaceAll(/[-:.]/g, '').toLowerCase()}-${randomBytes(2).toString('hex')}`
    const { APP_SECRET, OLD_APP_SECRETS } = clinic.env
    const written: Manifest = {
      version: 1,
      id,
      system,
      startedAt,
      at: database.at,
      database: database.content,
      files,
      secrets: { APP_SECRET, OLD_APP_SECRETS },
    }
    await writeManifest(vault, written)
    await readManifest(vault, id)

    const removed = await prune(vault, objects, [...manifests, written], damaged, keep)
    return {
      id,
      at: database.at,
      seconds: (performance.now() - begin) / 1000,
      ...sizeOf(written),
      copiedBytes: copiedBytes + database.copiedBytes,
      removed,
      damaged: found + damaged.length,
      replaced: found - lost.size,
      problem: describeProblems(unreadable, lost.size, damaged),
    }
  } finally {
    await owner.end()
  }
}

async function copyDatabase(
  { env, ownerUrl, dataFolder }: Clinic,
  owner: pg.Client,
  vault: Vault,
  stored: Set<string>,
  isContinuous: boolean,
  onProgress: (progress: Progress) => void,
): Promise<{ at: Date; content: Manifest['database']; copiedBytes: number }> {
  let copiedBytes = 0
  const count = (progress: Progress) => {
    copiedBytes = progress.fresh
    onProgress(progress)
  }
  const postgres = await valueOf<string>(owner, `select current_setting('server_version_num') as value`)
  if (dataFolder === null) {
    await checkPgDump(env.PG_DUMP, Math.floor(Number(postgres) / 10_000))
    const at = await valueOf<Date>(owner, 'select clock_timestamp() as value')
    const groups = await dumpDatabase(env.PG_DUMP, owner, ownerUrl, vault, stored, count)
    return { at, content: { kind: 'dump', postgres, groups }, copiedBytes }
  }

  const chain = (isContinuous ? await currentChain(owner) : null) ?? (await startChain(owner, !isContinuous))
  const { rows: began } = await owner.query<{ lsn: string; timeline: number }>(
    `select pg_backup_start('refyne', true) as lsn, (pg_control_checkpoint()).timeline_id as timeline`,
  )
  const begin = toPosition(began[0]!.lsn)
  // PostgreSQL reads the head of a segment before any position in it.
  const from = begin - (begin % segmentBytes)
  if (chain.isNew) await skipTo(owner, chain, from)
  const folder = await copyDataFolder(dataFolder, vault, stored, count)
  const { rows: ended } = await owner.query<{ lsn: string; label: string }>(
    'select lsn, labelfile as label from pg_backup_stop(wait_for_archive => false)',
  )
  const at = await valueOf<Date>(owner, 'select clock_timestamp() as value')
  const [{ lsn, label }] = ended as [{ lsn: string; label: string }]
  while ((await archiveLog(owner, dataFolder, vault, chain)) < toPosition(lsn)) await after(100) // the log's writer is behind for a moment
  return {
    at,
    content: {
      kind: 'folder',
      postgres,
      timeline: began[0]!.timeline,
      chain: chain.id,
      from: String(from),
      to: String(toPosition(lsn)),
      label,
      ...folder,
    },
    copiedBytes,
  }
}

/** A block that does not read back is removed, so that the next run stores it again. */
async function verifyBlock(vault: Vault, name: string): Promise<void> {
  try {
    await vault.digest(vault.read(`blocks/${name}`, name))
  } catch (error) {
    if (error instanceof DamagedError) await vault.store.delete(`blocks/${name}`)
    throw error
  }
}

function describeProblems(unreadable: readonly string[], lost: number, manifests: readonly string[]): string | null {
  const problems = [
    unreadable.length > 0 && describeUnreadable(unreadable),
    lost > 0 && `${lost} ${lost === 1 ? 'object' : 'objects'} of older backups are damaged, and the clinic no longer has them.`,
    manifests.length > 0 && `These backups cannot be read, and nothing is deleted until they are old enough: ${manifests.join(', ')}.`,
  ]
  return problems.filter(Boolean).join(' ') || null
}

/**
 * Removes the oldest backups, and what only they needed. `objects`: what was there before this backup. What a backup with a damaged manifest needs is
 * unknown, so nothing but manifests is removed until `keep` newer ones are there.
 */
async function prune(
  vault: Vault,
  objects: readonly StoredFile[],
  manifests: readonly Manifest[],
  damaged: readonly string[],
  keep: number,
): Promise<number> {
  const kept = manifests.slice(-keep)
  const isOld = (id: string) => kept.length === keep && id < kept[0]!.id
  const dropped = [...manifests.slice(0, -keep).map(({ id }) => id), ...damaged.filter(isOld)]
  const keys = [...dropped.map((id) => `backups/${id}`), ...(damaged.every(isOld) ? unneeded(objects, kept.map(keptBy)) : [])]
  for (const id of dropped) await vault.store.delete(`backups/${id}`)
  await forEach(keys.slice(dropped.length), 4, (key) => vault.store.delete(key))
  return keys.length
}
