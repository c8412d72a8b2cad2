import path from 'node:path'
import { type Database, type IndexDatabase, openDatabase, openIndexDatabase } from '../../kernel/postgres/database.ts'
import {
  dataFolderOf,
  type EmbeddedPostgres,
  hasData,
  startEmbeddedPostgres,
  UnreachableDataError,
} from '../../kernel/postgres/embedded-postgres.ts'
import { type Env, readEnv, SettingsError } from '../../kernel/env.ts'
import { connectClient } from '../../kernel/postgres/hosts.ts'
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

/**
 * Opens the configured clinic's database, running or not, as the application's role. Exits with a message if a setting is invalid, there is no
 * clinic, or it is another user's.
 */
export async function openClinic(): Promise<OpenClinic> {
  const env = await orExit(() => readEnv(process.env))
  const data = path.join(env.DATA_DIR, 'postgres')
  const embedded = env.DATABASE_URL ? null : await orExit(() => openEmbedded(env.DATA_DIR, data))
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
      if (embedded && !embedded.isReused && !(await isUsed(ownerUrl))) await embedded.stop()
    },
  }
}

/** A command must not make a new clinic: its backup would take the place of the real one's. */
async function openEmbedded(dataDir: string, root: string): Promise<EmbeddedPostgres> {
  if (!hasData(root)) throw new UnreachableDataError(`No clinic in DATA_DIR (${dataDir}). Set DATA_DIR to the folder of the clinic.`)
  return startEmbeddedPostgres(root)
}

/** Whether a process such as the server has started to use the database since. */
async function isUsed(ownerUrl: string): Promise<boolean> {
  const client = await connectClient(ownerUrl)
  try {
    const { rows } = await client.query<{ isUsed: boolean }>(
      `select exists (select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as "isUsed"`,
    )
    return rows[0]!.isUsed
  } finally {
    await client.end()
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
