import path from 'node:path'
import { type EncryptedStore, encryptedStore } from './encrypted.ts'
import type { FileKey } from './envelope.ts'
import { openLocalStore } from './local.ts'
import { openS3Store } from './s3.ts'
import type { FileStore } from './store.ts'

/** By the names that they have in the environment (docs/OPERATIONS.md), where they are checked. */
export type FileStoreSettings = {
  FILES: 'local' | 's3'
  DATA_DIR: string
  /** Empty, as the two keys, unless FILES is s3. */
  S3_BUCKET: string
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID: string
  S3_SECRET_ACCESS_KEY: string
}

type Options = { keys: readonly [FileKey, ...FileKey[]]; onDamaged?: (key: string, problem: string) => void }

/** The clinic's files, encrypted. Asks nothing of the folder or the service yet. */
export const openFileStore = (settings: FileStoreSettings, options: Options): EncryptedStore => encryptedStore(placeOf(settings), options)

function placeOf(settings: FileStoreSettings): FileStore {
  if (settings.FILES === 'local') return openLocalStore(path.join(settings.DATA_DIR, 'files'))
  return openS3Store({
    bucket: settings.S3_BUCKET,
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
  })
}
