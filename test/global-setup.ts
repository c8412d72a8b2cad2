import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { areBuilt } from '../scripts/built.ts'
import { appRolePassword, migrate } from '../src/kernel/postgres/migrate.ts'
import { guardPortal } from '../src/portal/guard.ts'
import { template, testSecret } from './database.ts'
import { startTestPostgres } from './postgres.ts'

/**
 * Builds the server that some tests start as a process, and starts one PostgreSQL for the whole run, with a migrated template that every test
 * file copies. Cleans up afterwards.
 */
export default async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  if (!areBuilt('server')) buildServer()
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-'))
  fs.chmodSync(root, 0o755)
  const server = await startTestPostgres(root)
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  await client.query(`create database ${template}`)
  await client.end()
  await migrate(server.url(template), { appRole: 'refyne_app', appPassword: appRolePassword(testSecret) }, guardPortal)
  project.provide('postgres', server.url('{database}'))
  return async () => {
    await server.stop()
    fs.rmSync(root, { recursive: true, force: true })
  }
}

/** As `npm run build` does it, whatever this process runs as. */
function buildServer() {
  const vite = path.resolve('node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--config', 'vite.server.config.ts', '--logLevel', 'warn'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Error('The server does not build, see above')
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's URL with the placeholder {database}. */
    postgres: string
  }
}
