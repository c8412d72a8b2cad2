import pg from 'pg'
import { startEmbeddedPostgres } from '../src/kernel/postgres/embedded-postgres.ts'

/** Starts a PostgreSQL under `root` without crash safety: its databases are deleted after the run. */
export async function startTestPostgres(root: string): Promise<Awaited<ReturnType<typeof startEmbeddedPostgres>>> {
  const server = await startEmbeddedPostgres(root)
  const client = new pg.Client({ connectionString: server.url('postgres') })
  await client.connect()
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
  return server
}
