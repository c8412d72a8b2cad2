import type pg from 'pg'
import type { StoredFile } from '../../integrations/storage/store.ts'
import { valueOf } from './connection.ts'
import { backupIds, type Manifest, readManifests } from './manifest.ts'
import { BackupError, identityKey, lostIdentity, type Vault } from './vault.ts'

/** The clinic's database: the identifier that PostgreSQL gives a new data folder, which a restored one keeps. Null where it may not be read. */
async function readSystem(owner: pg.Client): Promise<string | null> {
  if (!(await valueOf<boolean>(owner, `select to_regclass('drizzle.__drizzle_migrations') is not null as value`)))
    throw new BackupError('The database is empty: there is no clinic to back up. Check DATA_DIR, or DATABASE_URL.')
  if (!(await valueOf<boolean>(owner, `select has_function_privilege('pg_control_system()', 'execute') as value`))) return null
  return valueOf<string>(
    owner,
    `select system_identifier || '/' || oid as value from pg_control_system(), pg_database where datname = current_database()`,
  )
}

/** Which history of the database this is: PostgreSQL begins another with each restore. */
const readTimeline = (owner: pg.Client): Promise<number> =>
  valueOf<number>(owner, `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as value`)

/** In milliseconds. A running clinic archives its changes every minute, so one that has not for this long has stopped. */
const takeOverAfter = 10 * 60_000

/**
 * Another clinic's backup would take the place of the older ones, and so would that of a restored copy which someone only looks at. A copy continues
 * the backups once the clinic that it came from has stopped.
 */
export async function assertOwnPlace(
  owner: pg.Client,
  objects: readonly StoredFile[],
  newest: Manifest | undefined,
): Promise<{ system: string | null }> {
  if (!objects.some(({ key }) => key === identityKey)) throw new BackupError(lostIdentity)
  const system = await readSystem(owner)
  if (system !== null && newest?.system && newest.system !== system)
    throw new BackupError(
      'The place of the backups has those of another clinic, and nothing was written to it. Check DATA_DIR, or DATABASE_URL. ' +
        'If this is a new clinic, or was moved to another database, set BACKUP_TO to an empty folder or a new prefix.',
    )
  if (newest?.database.kind !== 'folder') return { system }
  const timeline = await readTimeline(owner)
  if (timeline < newest.database.timeline)
    throw new BackupError(
      'A restored copy of this clinic makes its backups here now, and nothing was written. If this is the clinic that people use, stop the copy, ' +
        'and set BACKUP_TO to an empty folder or a new prefix.',
    )
  const { timeline: theirs, chain } = newest.database
  const isTheirs = ({ key }: StoredFile) => key.startsWith(`wal/${chain}/`) || key.startsWith('backups/')
  const changedAt = objects.filter(isTheirs).map(({ modifiedAt }) => modifiedAt.getTime())
  if (timeline > theirs && Date.now() - Math.max(...changedAt) < takeOverAfter)
    throw new BackupError(
      'This is a restored copy, and the clinic that it was restored from was still backed up here in the last ten minutes. Nothing was written. ' +
        'If the copy replaces that clinic, stop the other one. To look at the copy only, start it without BACKUP_TO.',
    )
  return { system }
}

/** @throws a BackupError unless the place is empty or has backups of this clinic. */
export async function checkPlace(owner: pg.Client, vault: Vault): Promise<void> {
  const objects = await Array.fromAsync(vault.store.list())
  const { manifests } = await readManifests(vault, backupIds(objects).slice(-1))
  await assertOwnPlace(owner, objects, manifests[0])
}
