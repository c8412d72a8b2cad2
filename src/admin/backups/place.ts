import type pg from 'pg'
import type { StoredFile } from '../../integrations/storage/store.ts'
import { valueOf } from './connection.ts'
import { backupIds, type Manifest, readManifests } from './manifest.ts'
import { BackupError, identityKey, lostIdentity, type Vault } from './vault.ts'

/** The clinic's database: the identifier that PostgreSQL gives a new data folder, which a restored one keeps. Null where it may not be read. */
export async function readSystem(owner: pg.Client): Promise<string | null> {
  if (!(await valueOf<boolean>(owner, `select to_regclass('drizzle.__drizzle_migrations') is not null as value`)))
    throw new BackupError('The database is empty: there is no clinic to back up. Check DATA_DIR, or DATABASE_URL.')
  if (!(await valueOf<boolean>(owner, `select has_function_privilege('pg_control_system()', 'execute') as value`))) return null
  return valueOf<string>(
    owner,
    `select system_identifier || '/' || oid as value from pg_control_system(), pg_database where datname = current_database()`,
  )
}

/** Another clinic's backup would take the place of the older ones. */
export function assertOwnPlace(system: string | null, objects: readonly StoredFile[], newest: Manifest | undefined): void {
  if (!objects.some(({ key }) => key === identityKey)) throw new BackupError(lostIdentity)
  if (system === null || !newest?.system || newest.system === system) return
  throw new BackupError(
    'The place of the backups has those of another clinic, and nothing was written to it. Check DATA_DIR, or DATABASE_URL. ' +
      'If this is a new clinic, or was moved to another database, set BACKUP_TO to an empty folder or a new prefix.',
  )
}

/** @throws a BackupError unless the place is empty or has backups of this clinic. */
export async function checkPlace(owner: pg.Client, vault: Vault): Promise<void> {
  const objects = await Array.fromAsync(vault.store.list())
  const { manifests } = await readManifests(vault, backupIds(objects).slice(-1))
  assertOwnPlace(await readSystem(owner), objects, manifests[0])
}
