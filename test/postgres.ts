import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'

/**
 * Starts a PostgreSQL under `root` without crash safety: its databases are deleted after the run. Its data is in memory where there is room:
 * a disk's file system takes several times as long to make and delete the thousand files of each test file's database.
 */
export async function startTestPostgres(root: string): Promise<EmbeddedPostgres> {
  const inMemory = memoryFolder()
  if (inMemory) {
    fs.mkdirSync(root, { recursive: true })
    fs.symlinkSync(inMemory, path.join(root, 'data'))
  }
  const server = await startEmbeddedPostgres(root, { wal_level: 'minimal' }) // nothing backs it up
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
  return {
    ...server,
    async stop() {
      await server.stop()
      if (inMemory) fs.rmSync(inMemory, { recursive: true, force: true })
    },
  }
}

const memory = '/dev/shm'
const folderName = 'refyne-test-'
/** More than the tests' databases and their log take. */
const roomNeeded = 4 * 1024 ** 3

/** A new folder in memory, which Linux offers; null without one or with little room. Removes those of killed runs. */
function memoryFolder(): string | null {
  if (!fs.existsSync(memory)) return null
  for (const name of fs.readdirSync(memory).filter((each) => each.startsWith(folderName))) {
    const folder = path.join(memory, name)
    if (wasKilled(folder)) fs.rmSync(folder, { recursive: true, force: true })
  }
  const { bavail, bsize } = fs.statfsSync(memory)
  return bavail * bsize < roomNeeded ? null : fs.mkdtempSync(path.join(memory, folderName))
}

const anHour = 3_600_000

/** Whether the server that had its data here is gone. A folder that is being set up has the process id of a short-lived server for a moment. */
function wasKilled(folder: string): boolean {
  const file = path.join(folder, 'postmaster.pid')
  if (!fs.existsSync(file) || fs.statSync(file).mtimeMs > Date.now() - anHour) return false
  return !fs.existsSync(`/proc/${fs.readFileSync(file, 'utf8').split('\n')[0]}`)
}
