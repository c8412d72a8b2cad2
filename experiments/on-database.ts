import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { startServer } from '../src/app/serve.ts'
import { readEnv } from '../src/kernel/env.ts'
import { startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'
import { testSecret } from '../test/database.ts'

/** What an experiment found, and which lines should hold. */
interface Found {
  figures: object
  holds: readonly (readonly [what: string, isHeld: boolean])[]
}

/** Runs an experiment on a migrated database of its own, prints its figures and lines, and sets the exit code. */
export async function onDatabase(name: string, experiment: (databaseUrl: string) => Promise<Found>): Promise<void> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), `refyne-${name}-`))
  fs.chmodSync(root, 0o755) // PostgreSQL may run as another account
  const postgres = await startEmbeddedPostgres(path.join(root, 'postgres'))
  try {
    const databaseUrl = postgres.url('postgres')
    // The first start migrates the database.
    const env = readEnv({ PORT: '0', DATA_DIR: root, APP_SECRET: testSecret, LOG_LEVEL: 'silent' })
    await (await startServer(env, { databaseUrl, log: pino({ level: 'silent' }) })).stop()
    const { figures, holds } = await experiment(databaseUrl)
    console.log(JSON.stringify(figures, null, 2))
    for (const [what, isHeld] of holds) console.log(`${isHeld ? 'holds ' : 'BROKEN'}  ${what}`)
    process.exitCode = holds.every(([, isHeld]) => isHeld) ? 0 : 1
  } finally {
    await postgres.stop()
    fs.rmSync(root, { recursive: true, force: true })
  }
}
