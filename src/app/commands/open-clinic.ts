import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Database, type IndexDatabase, openDatabase, openIndexDatabase } from '../../kernel/postgres/database.ts'
import { dataFolderOf, startEmbeddedPostgres, UnreachableDataError } from '../../kernel/postgres/embedded-postgres.ts'
import { type Env, readEnv, SettingsError } from '../../kernel/env.ts'
import { addressesOf } from '../serve.ts'

type OpenClinic = {
  db: Database
  indexDb: IndexDatabase
  env: Env
  /** Connects as the owner of the tables. */
  ownerUrl: string
  /** Of the bundled PostgreSQL; null for an external one. */
  dataFolder: string | null
  close: () => Promise<void>
}

/** Opens the configured clinic's database, running or not, as the application's role. Exits with a message if a setting is invalid, or the data is another user's. */
export async function openClinic(): Promise<OpenClinic> {
  const env = await orExit(() => readEnv(process.env))
  const data = path.join(env.DATA_DIR, 'postgres')
  const isRunning = existsSync(path.join(dataFolderOf(data), 'postmaster.pid'))
  const embedded = env.DATABASE_URL ? null : await orExit(() => startEmbeddedPostgres(data))
  const ownerUrl = env.DATABASE_URL ?? embedded!.url('postgres')
  const { directApp, directOwner } = addressesOf(env, ownerUrl)
  const db = openDatabase(directApp, 4, () => {})
  const indexDb = openIndexDatabase(directApp, 1, () => {})
  return {
    db,
    indexDb,
    env,
    ownerUrl: directOwner,
    dataFolder: embedded && dataFolderOf(data),
    async close() {
      await Promise.all([db.$client.end(), indexDb.$client.end()])
      if (!isRunning) await embedded?.stop()
    },
  }
}

async function orExit<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof UnreachableDataError)) throw error
    console.error(error.message)
    process.exit(2)
  }
}
