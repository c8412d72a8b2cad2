import { createHmac } from 'node:crypto'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations as runWorkerMigrations } from 'graphile-worker'
import pg from 'pg'

const folder = path.join(import.meta.dirname, '../../../drizzle')
/** An arbitrary number, the same in every process: the process holding the lock migrates, and the others wait and find nothing to do. */
const migrationLock = 7_310_284_662

/** Sets up row-level security after the migrations; runs on every start. */
export type Guard = (client: pg.Client, appRole: string) => Promise<void>

type Roles = { appRole: string; appPassword: string | null }

/**
 * Migrates the database and creates the application's role, which owns no tables (product rule). Safe when several processes start
 * together. `appPassword` null: the role already exists and is left alone.
 */
export async function migrate(ownerUrl: string, { appRole, appPassword }: Roles, guard: Guard): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('set client_min_messages to warning')
    await runMigrations(drizzle(client), { migrationsFolder: folder })
    const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 })
    pool.on('error', () => {})
    pool.on('connect', (connection) => {
      connection.on('error', () => {})
    })
    try {
      await runWorkerMigrations({ pgPool: pool })
    } finally {
      await pool.end()
    }
    await client.query('begin')
    if (appPassword !== null) await ensureRole(client, appRole, appPassword)
    await grant(client, appRole)
    await guard(client, appRole)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** The application role's password, derived from the installation's secret so that it is not stored. */
export const appRolePassword = (secret: string): string => createHmac('sha256', secret).update('database role').digest('base64url')

async function ensureRole(client: pg.Client, role: string, password: string) {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  const verb = rowCount ? 'alter' : 'create'
  await client.query(
    `${verb} role ${client.escapeIdentifier(role)} login nosuperuser nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  )
}

async function grant(client: pg.Client, role: string) {
  const app = client.escapeIdentifier(role)
  const statements = [
    `grant usage on schema public, graphile_worker to ${app}`,
    `grant select, insert, update, delete on all tables in schema public, graphile_worker to ${app}`,
    `grant usage, select on all sequences in schema public, graphile_worker to ${app}`,
    `grant execute on all functions in schema public, graphile_worker to ${app}`,
    `revoke update, delete, truncate on audit_log, audit_seals from ${app}`,
  ]
  for (const statement of statements) await client.query(statement)

  const guarded = await client.query<{ name: string; has: boolean }>(
    `select c.relname as name, exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'application') as has
     from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity`,
  )
  for (const { name, has } of guarded.rows) {
    const table = `graphile_worker.${client.escapeIdentifier(name)}`
    await client.query(`${has ? 'alter' : 'create'} policy application on ${table} to ${app} using (true) with check (true)`)
  }
}
