import fs from 'node:fs/promises'
import path from 'node:path'
import { openLocalStore } from '../../integrations/storage/local.ts'
import { openS3Store } from '../../integrations/storage/s3.ts'
import type { FileStore } from '../../integrations/storage/store.ts'
import type { BackupSettings } from '../../kernel/env.ts'
import { BackupError, openVault, type Vault } from './vault.ts'

/** Opens the place of backups, a folder or s3://bucket/prefix, with the passphrase from the settings. */
export async function openTarget(settings: BackupSettings, place: string, options: { create: boolean }): Promise<Vault> {
  return openVault(openStore(settings, place), await readPassphrase(settings), options)
}

function openStore(settings: BackupSettings, place: string): FileStore {
  if (!/^[a-z0-9]+:\/\//i.test(place)) return openLocalStore(path.resolve(place))
  const [, bucket = '', prefix = ''] = /^s3:\/\/([\w.-]{3,63})(?:\/(.*))?$/.exec(place) ?? []
  if (!bucket) throw new BackupError(`${place} is no place for backups. Name a folder, or s3://bucket/prefix.`)
  const accessKeyId = settings.BACKUP_S3_ACCESS_KEY_ID ?? settings.S3_ACCESS_KEY_ID
  const secretAccessKey = settings.BACKUP_S3_SECRET_ACCESS_KEY ?? settings.S3_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey)
    throw new BackupError('Set BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY to a key that may read and write the bucket.')
  return openS3Store({
    bucket,
    prefix: prefix && `${prefix.replace(/\/+$/, '')}/`,
    endpoint: settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT,
    region: settings.BACKUP_S3_REGION ?? settings.S3_REGION,
    accessKeyId,
    secretAccessKey,
  })
}

async function readPassphrase({ BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE: file }: BackupSettings): Promise<string> {
  if (BACKUP_PASSPHRASE || !file) return BACKUP_PASSPHRASE ?? ''
  const text = await fs.readFile(file, 'utf8').catch(() => {
    throw new BackupError(`${file} cannot be read. BACKUP_PASSPHRASE_FILE names the file that holds the passphrase.`)
  })
  return text.trim()
}
