import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Database, type IndexDatabase, openDatabase, openIndexDatabase } from '../../kernel/postgres/database.ts'
import { startEmbeddedPostgres } from '../../kernel/postgres/embedded-postgres.ts'
import { type Env, readEnv, SettingsError } from '../../kernel/env.ts'
import { addressesOf } from '../serve.ts'

/**
 * Opens the configured clinic's database, running or not, as the application's role; `ownerUrl` connects as the owner of the tables. Exits with
 * a message if a setting is invalid.
 */
export async function openClinic(): Promise<{
  db: Database
  indexDb: IndexDatabase
  env: Env
  ownerUrl: string
  close: () => Promise<void>
}> {
  const env = settingsOrExit()
  const data = path.join(env.DATA_DIR, 'postgres')
  const isRunning = existsSync(path.join(data, 'data/postmaster.pid'))
  const embedded = env.DATABASE_URL ? null : await startEmbeddedPostgres(data)
  const ownerUrl = env.DATABASE_URL ?? embedded!.url('postgres')
  const { directApp, directOwner } = addressesOf(env, ownerUrl)
  const db = openDatabase(directApp, 4, () => {})
  const indexDb = openIndexDatabase(directApp, 1, () => {})
  return {
    db,
    indexDb,
    env,
    ownerUrl: directOwner,
    async close() {
      await Promise.all([db.$client.end(), indexDb.$client.end()])
      if (!isRunning) await embedded?.stop()
    },
  }
}

function settingsOrExit(): Env {
  try {
    return readEnv(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
