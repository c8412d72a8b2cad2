import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Database, openDatabase } from '../../kernel/postgres/database.ts'
import { startEmbeddedPostgres } from '../../kernel/postgres/embedded-postgres.ts'
import { type Env, readEnv, SettingsError } from '../../kernel/env.ts'
import { appRolePassword } from '../../kernel/postgres/migrate.ts'
import { withRole } from '../serve.ts'

/** Opens the configured clinic's database, running or not, as the application's role. Exits with a message if a setting is invalid. */
export async function openClinic(): Promise<{ db: Database; env: Env; close: () => Promise<void> }> {
  const env = settingsOrExit()
  const data = path.join(env.DATA_DIR, 'postgres')
  const isRunning = existsSync(path.join(data, 'data/postmaster.pid'))
  const embedded = env.DATABASE_URL ? null : await startEmbeddedPostgres(data)
  const ownerUrl = env.DATABASE_URL ?? embedded!.url('postgres')
  const db = openDatabase(env.DATABASE_APP_URL ?? withRole(ownerUrl, env.DATABASE_APP_ROLE, appRolePassword(env.APP_SECRET)), 4, () => {})
  return {
    db,
    env,
    async close() {
      await db.$client.end()
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
