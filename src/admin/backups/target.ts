import fs from 'node:fs/promises'
import path from 'node:path'
import { openLocalStore } from '../../integrations/storage/local.ts'
import { openS3Store } from '../../integrations/storage/s3.ts'
import type { FileStore } from '../../integrations/storage/store.ts'
import type { BackupSettings } from '../../kernel/env.ts'
import { errorCode } from '../../kernel/errors.ts'
import { BackupError, openVault, type Vault } from './vault.ts'

/** Opens the place of backups, a folder or s3://bucket/prefix, with the passphrase from the settings. */
export async function openTarget(settings: BackupSettings, place: string, options: { create: boolean }): Promise<Vault> {
  if (isFolder(place) && options.create) await assertWritable(path.resolve(place))
  return openVault(openStore(settings, place), await readPassphrase(settings), options)
}

const isFolder = (place: string): boolean => !/^[a-z0-9]+:\/\//i.test(place)

/** A sentence instead of a code for what an operator can put right. */
export async function assertWritable(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true })
    await fs.access(folder, fs.constants.W_OK)
  } catch (error) {
    throw new BackupError(
      `${folder} cannot be written (${errorCode(error)}). It must exist and belong to the user that runs Refyne, and a service needs ReadWritePaths for it.`,
      { cause: error },
    )
  }
}

function openStore(settings: BackupSettings, place: string): FileStore {
  if (isFolder(place)) return openLocalStore(path.resolve(place))
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
