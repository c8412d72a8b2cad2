import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const template = 'refyne_template'
export const testSecret = 'kR7vQ2mX9bT4nW8cZ5pL1sD6fG3hJ0yA'

type TestDatabase = { url: string; drop: () => Promise<void> }

/**
 * Copies the migrated template file by file, which without fsync takes half as long as through the log. `server`: the owner's URL with the
 * placeholder {database}.
 */
export const copyTemplate = (server: string): Promise<TestDatabase> => create(server, `template ${template} strategy file_copy`)

/** Creates an empty database. */
export const createEmpty = (server: string): Promise<TestDatabase> => create(server, '')

async function create(server: string, options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asOwner(server, (client) => client.query(`create database ${name} ${options}`))
  return {
    url: server.replace('{database}', name),
    drop: () => asOwner(server, (client) => client.query(`drop database ${name} with (force)`)),
  }
}

async function asOwner(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server.replace('{database}', 'postgres') })
  await client.connect()
  try {
    // Serialize copies of a template; PostgreSQL refuses concurrent ones.
    await client.query('select pg_advisory_lock(1)')
    await work(client)
  } finally {
    await client.end()
  }
}
