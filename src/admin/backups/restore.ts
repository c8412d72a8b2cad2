import fs from 'node:fs/promises'
import path from 'node:path'
import { encryptedStore } from '../../integrations/storage/encrypted.ts'
import { openLocalStore } from '../../integrations/storage/local.ts'
import type { FileStore } from '../../integrations/storage/store.ts'
import { dataFolderOf, type EmbeddedPostgres, startEmbeddedPostgres, stopLeftServer } from '../../kernel/postgres/embedded-postgres.ts'
import { fileKeys } from '../../kernel/seal.ts'
import { connect } from './connection.ts'
import { makeFolder, type Progress, restoreDataFolder, writeFile } from './data-folder.ts'
import { restoreDocuments } from './documents.ts'
import { backupIds, type Manifest, readManifests } from './manifest.ts'
import { continuous, namesOf, segmentBytes, segmentName, toPiece, toPosition, type WalPiece } from './rules.ts'
import { assertWritable } from './target.ts'
import { BackupError, once, type Vault } from './vault.ts'

type Options = {
  /** A moment to return to; by default the newest that was archived. */
  at?: Date | null
  onProgress?: (step: string, progress?: Progress) => void
  /** Further settings of the server that recovers the database. */
  settings?: Record<string, string>
  /** Where the files go; by default to `files` in the folder. */
  files?: FileStore
}

export type RestoreSummary = {
  id: string
  kind: Manifest['database']['kind']
  /** When the backup itself was made; the log goes further. */
  backupAt: Date
  /** The last moment that was archived, by the clock of the place. */
  archivedAt: Date
  files: number
  /** Why others could not be restored, by their keys; missing-files.txt has the same. */
  missing: Map<string, string>
  /** When the last change was made that is in it, if the log could not be replayed as far as it was archived. */
  endsEarlyAt: Date | null
}

/**
 * Restores a clinic into a new data folder. It is put together under another name, recovered by a PostgreSQL of its own, and gets its name at the
 * end: a restore that was killed leaves nothing that could be taken for a clinic, and the next one begins again.
 */
export async function restoreClinic(vault: Vault, dataDir: string, options: Options = {}): Promise<RestoreSummary> {
  const { onProgress = () => {} } = options
  await assertWritable(path.dirname(dataDir))
  if (await isTaken(dataDir))
    throw new BackupError(`${dataDir} exists already. Name a new folder: a restore never changes an existing one.`)
  const partial = `${dataDir}.partial`
  await stopLeftServer(path.join(partial, 'postgres'))
  await fs.rm(partial, { recursive: true, force: true })
  await fs.mkdir(partial, { recursive: true, mode: 0o755 })

  const { manifest, pieces, archivedAt, storedKeys } = await chooseBackup(vault, options.at ?? null)
  let endsEarlyAt: Date | null = null
  if (manifest.database.kind === 'folder') {
    const server = await recoverDatabase(vault, manifest, pieces, path.join(partial, 'postgres'), options)
    try {
      if (!options.at) endsEarlyAt = await findEarlyEnd(server.url('postgres'), manifest, pieces)
    } finally {
      await server.stop()
    }
  } else await writeDump(vault, manifest, partial, onProgress)

  onProgress('Copying files')
  const known = new Map(manifest.files.map((file) => [file.key, file]))
  const keys = [...new Set([...storedKeys, ...known.keys()])]
  const missing = await restoreDocuments(
    vault,
    keys,
    known,
    options.files ?? encryptedStore(openLocalStore(path.join(partial, 'files')), { keys: fileKeys(manifest.secrets) }),
  )
  if (missing.size > 0) {
    const list = Array.from(missing, ([key, problem]) => `${key}\t${problem}\n`)
    await fs.writeFile(path.join(partial, missingFile), list.join(''), { mode: 0o600, flush: true })
  }
  const { APP_SECRET, OLD_APP_SECRETS } = manifest.secrets
  const settings = { DATA_DIR: dataDir, APP_SECRET, OLD_APP_SECRETS: OLD_APP_SECRETS.join(',') }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quote(value)}\n`)
  await fs.writeFile(path.join(partial, settingsFile), lines.join(''), { mode: 0o600, flush: true })
  await fs.rename(partial, dataDir)
  return {
    id: manifest.id,
    kind: manifest.database.kind,
    backupAt: manifest.at,
    archivedAt,
    files: keys.length - missing.size,
    missing,
    endsEarlyAt,
  }
}

/** A value in .env, which has no escapes: in quotation marks that it does not contain. */
function quote(value: string): string {
  const mark = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'"
  return mark + value + mark
}

/** In the restored folder: what has to be in .env for it. */
export const settingsFile = 'restored.env'
/** In the restored folder: the files that could not be restored. */
export const missingFile = 'missing-files.txt'
/** In bytes: the archive may end within a record, which is not replayed then. */
const maxRecord = 1024n * 1024n

type Choice = { manifest: Manifest; pieces: WalPiece[]; archivedAt: Date; storedKeys: string[] }

/** The newest backup from which a moment can be reached, with its log. */
export async function chooseBackup(vault: Vault, at: Date | null): Promise<Choice> {
  const objects = await Array.fromAsync(vault.store.list())
  const { manifests, damaged } = await readManifests(vault, backupIds(objects))
  const first = manifests[0]
  if (!first) throw new BackupError(damaged.length > 0 ? 'Every backup at this place is damaged.' : 'There are no backups at this place.')
  const manifest = manifests.findLast((one) => !at || one.at.getTime() <= at.getTime())
  if (!manifest) throw new BackupError(`The earliest time that can be restored is ${first.at.toISOString()}.`)
  const storedKeys = [...namesOf(objects, 'files')]
  const { database } = manifest
  if (database.kind === 'dump') return { manifest, pieces: [], archivedAt: manifest.at, storedKeys }
  const ofChain = objects.map(toPiece).filter((piece) => piece?.chain === database.chain) as WalPiece[]
  const { pieces, end, storedAt } = continuous(ofChain, BigInt(database.from))
  if (end < BigInt(database.to)) throw new BackupError(`The log of the backup ${manifest.id} is incomplete. Restore another with --at.`)
  return { manifest, pieces, archivedAt: storedAt ?? manifest.at, storedKeys }
}

/** Puts a database together and lets PostgreSQL recover it up to the moment. */
export async function recoverDatabase(
  vault: Vault,
  { database }: Manifest,
  pieces: readonly WalPiece[],
  root: string,
  { at = null, onProgress = () => {}, settings = {} }: Options,
): Promise<EmbeddedPostgres> {
  if (database.kind !== 'folder') throw new Error('A dump is not recovered')
  await fs.mkdir(root, { recursive: true, mode: 0o755 })
  const folder = dataFolderOf(root)
  onProgress('Copying the database')
  await restoreDataFolder(folder, database, vault, (progress) => onProgress('Copying the database', progress))
  onProgress('Copying the log')
  await makeFolder(path.join(folder, 'pg_wal'))
  for (const piece of pieces) await writePiece(folder, database.timeline, piece, vault)
  await writeFile(path.join(folder, 'backup_label'), once(Buffer.from(database.label)))
  await writeFile(path.join(folder, 'recovery.signal'), once(Buffer.alloc(0)))
  onProgress('Recovering the database')
  try {
    return await startEmbeddedPostgres(root, {
      ...settings,
      restore_command: 'exit 1', // the log is in pg_wal already
      recovery_target_timeline: 'current',
      ...(at && { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00'), recovery_target_action: 'promote' }),
    })
  } catch (error) {
    if (at && /before configured recovery target was reached/.test(String(error)))
      throw new BackupError(`The archive ends before ${at.toISOString()}. Without --at, everything that was archived is restored.`, {
        cause: error,
      })
    throw error
  }
}

/** When the last replayed change was made, if the log was not replayed to its end: a part of it is not what its name says. Null: it was. */
export async function findEarlyEnd(url: string, { database, at: backupAt }: Manifest, pieces: readonly WalPiece[]): Promise<Date | null> {
  if (database.kind !== 'folder') return null
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ reached: string; at: Date }>(
      'select pg_last_wal_replay_lsn() as reached, coalesce(pg_last_xact_replay_timestamp(), $1) as at',
      [backupAt],
    )
    const [{ reached, at }] = rows as [{ reached: string; at: Date }]
    return toPosition(reached) + maxRecord < continuous(pieces, BigInt(database.from)).end ? at : null
  } finally {
    await client.end()
  }
}

/** Writes a part of the log into the segments that it belongs to, which have their full size from the start. PostgreSQL syncs them when it starts. */
async function writePiece(folder: string, timeline: number, piece: WalPiece, vault: Vault): Promise<void> {
  let at = piece.start
  for await (let bytes of vault.read(piece.key)) {
    while (bytes.byteLength > 0) {
      const offset = at % segmentBytes
      const part = bytes.subarray(0, Number(segmentBytes - offset))
      const name = path.join(folder, 'pg_wal', segmentName(timeline, at))
      if (!(await isTaken(name))) {
        await writeFile(name, once(Buffer.alloc(0)))
        await fs.truncate(name, Number(segmentBytes))
      }
      const file = await fs.open(name, 'r+')
      try {
        await file.write(part, 0, part.byteLength, Number(offset))
      } finally {
        await file.close()
      }
      at += BigInt(part.byteLength)
      bytes = bytes.subarray(part.byteLength)
    }
  }
}

async function writeDump(vault: Vault, { database }: Manifest, folder: string, onProgress: Options['onProgress']): Promise<void> {
  await restoreDataFolder(path.join(folder, 'dump'), { folders: [], groups: database.groups }, vault, (progress) =>
    onProgress?.('Copying the dump', progress),
  )
}

const isTaken = (name: string): Promise<boolean> =>
  fs.stat(name).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
