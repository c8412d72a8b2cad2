import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { runMigrations as runWorkerMigrations } from 'graphile-worker'
import pg from 'pg'
import { portalRole } from '../as-patient.ts'
import { errorCode } from '../errors.ts'
import { clientOf, connectClient, isPooled } from './hosts.ts'
import { assertUsable, DatabaseProblem } from './problems.ts'
import type { Db } from './database.ts'

export const migrationsFolder = path.join(import.meta.dirname, '../../../drizzle')
/** An arbitrary number, the same in every process: the process holding the lock migrates, and the others wait and find nothing to do. */
const migrationLock = 7_310_284_662

/** The number of migrations that a current database has. */
export function countMigrations(): number {
  const journal = JSON.parse(fs.readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as { entries: unknown[] }
  return journal.entries.length
}

/** Sets up row-level security after the migrations; runs on every start. */
export type Guard = (client: pg.Client, appRole: string) => Promise<void>

type Roles = { appRole: string; appPassword: string | null }

/**
 * Migrates the database and creates the application's role, which owns no tables (product rule). Safe when several processes start
 * together: `onWait` is called if another one is migrating. `appPassword` null: the role already exists and is left alone. Throws a
 * DatabaseProblem for what its operator has to change.
 */
export async function migrate(ownerUrl: string, { appRole, appPassword }: Roles, guard: Guard, onWait = () => {}): Promise<void> {
  const client = await connectClient(ownerUrl)
  try {
    await assertUsable(client, isPooled(client))
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [migrationLock])
    if (!rows[0]!.mine) {
      onWait()
      await client.query('select pg_advisory_lock($1)', [migrationLock])
    }
    await client.query('set client_min_messages to warning')
    // Everyone waits behind a migration that waits for a lock: it gives up, and the start tries again.
    await client.query("set lock_timeout to '5s'")
    await runMigrations(drizzle(client), { migrationsFolder })
    const pool = new pg.Pool({ Client: clientOf(ownerUrl), max: 2 })
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
    await ensureRole(client, appRole, appPassword)
    await grant(client, appRole)
    await guard(client, appRole)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Compares the database with this version. `behind`: it lacks migrations. `ahead`: a later version has migrated it. */
export async function migrationState(db: Db): Promise<'current' | 'behind' | 'ahead'> {
  const journal = JSON.parse(fs.readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as { entries: { when: number }[] }
  const { rows } = await db.execute<{ newest: number }>(sql`select max(created_at)::float8 as newest from drizzle.__drizzle_migrations`)
  const difference = (rows[0]?.newest ?? 0) - journal.entries.at(-1)!.when
  return difference === 0 ? 'current' : difference < 0 ? 'behind' : 'ahead'
}

/** The application role's password, derived from the installation's secret so that it is not stored. */
export const appRolePassword = (secret: string): string => createHmac('sha256', secret).update('database role').digest('base64url')

/** Creates the application's role, or sets its password and nothing else: only superusers may name other attributes. */
async function ensureRole(client: pg.Client, role: string, password: string | null) {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  const name = client.escapeIdentifier(role)
  if (password === null) {
    if (rowCount) return
    throw new DatabaseProblem(
      `There is no role ${role}. Set DATABASE_APP_ROLE to the role of DATABASE_APP_URL, or run: create role ${role} login password '…'`,
    )
  }
  const secret = client.escapeLiteral(password)
  await orProblem(
    client.query(rowCount ? `alter role ${name} password ${secret}` : `create role ${name} login password ${secret}`),
    rowCount
      ? `${client.user} may not set the password of ${role}. Set DATABASE_APP_URL to its connection, or run as a superuser: grant ${role} to ${client.user} with admin option`
      : `${client.user} may not create roles. Set DATABASE_APP_URL, and run as a superuser: ${rolesByHand(role)}`,
  )
}

/** What a superuser runs for an owner who may not create roles. */
const rolesByHand = (role: string): string =>
  `create role ${role} login password '…'; create role ${portalRole(role)}; grant ${portalRole(role)} to ${role} with inherit false, set true`

/** The result of a statement; if it is not permitted, the problem that says what to do. */
export async function orProblem<Result>(statement: Promise<Result>, problem: string): Promise<Result> {
  return statement.catch((error: unknown) => {
    throw errorCode(error) === '42501' ? new DatabaseProblem(problem, { cause: error }) : error
  })
}

async function grant(client: pg.Client, role: string) {
  const app = client.escapeIdentifier(role)
  const statements = [
    `grant usage on schema public, graphile_worker to ${app}`,
    `grant select, insert, update, delete on all tables in schema public, graphile_worker to ${app}`,
    `grant usage, select on all sequences in schema public, graphile_worker to ${app}`,
    `grant execute on all functions in schema public, graphile_worker to ${app}`,
    `grant usage on schema drizzle to ${app}`,
    `grant select on drizzle.__drizzle_migrations to ${app}`,
    `revoke update, delete, truncate on audit_log, audit_seals from ${app}`,
  ]
  for (const statement of statements) await client.query(statement)

  // Changing a policy waits for everyone who uses the table, so those that are right are left alone.
  const guarded = await client.query<{ name: string; has: boolean }>(
    `select c.relname as name, p.oid is not null as has
     from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'application'
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity and p.polroles is distinct from array[$1::regrole::oid]`,
    [app],
  )
  for (const { name, has } of guarded.rows) {
    const table = `graphile_worker.${client.escapeIdentifier(name)}`
    await client.query(`${has ? 'alter' : 'create'} policy application on ${table} to ${app} using (true) with check (true)`)
  }
}
