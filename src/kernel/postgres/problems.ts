import { errorCode } from '../errors.ts'
import type pg from 'pg'
import { urlsOf } from './hosts.ts'

/** Why the database cannot be used, and what to run or set, in one sentence without patients' data. */
export class DatabaseProblem extends Error {}

/** The connection that was refused: the setting that names it, and its URL. */
export type Named = { setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_APP_URL'; url: string }

const needsVersion = 17
const extensions = ['unaccent', 'pg_trgm', 'btree_gin', 'btree_gist']

/** The sentence for a refusal of the database while the server starts; null for one that is not known. */
export function problemOf(error: unknown, { setting, url }: Named): string | null {
  if (error instanceof DatabaseProblem) return error.message
  const urls = urlsOf(url).map((each) => new URL(each))
  const { username, pathname } = urls[0]!
  const host = urls.map((each) => each.host).join(' or ')
  const [role, database] = [decodeURIComponent(username) || 'the role', decodeURIComponent(pathname.slice(1)) || 'postgres']
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOENT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `Nothing answers at ${host || 'the socket'}. Start PostgreSQL, or correct the host in ${setting}.`
    case '28P01':
      return `PostgreSQL does not accept the password of ${role}. Correct it in ${setting}, or run: alter role ${role} password '…'`
    case '28000':
      return `PostgreSQL does not let ${role} connect from here. Run "create role ${role} login password '…'" if there is no such role, otherwise add a line for it to pg_hba.conf and run: select pg_reload_conf()`
    case '3D000':
      return `There is no database ${database}. Run: create database ${database} owner ${role} encoding 'UTF8' template template0`
    case '42501':
      return `${role} may not do what setting up ${database} needs. Run: alter database ${database} owner to ${role}`
    case '53300':
      return `PostgreSQL has no connection left. Raise max_connections, or lower DATABASE_POOL.`
    case '55P03':
      return `A session locks a table of ${database} that this version changes; it is waited for. See which one: select pid, state, query from pg_stat_activity`
    case '57P01':
    case '57P03':
      return 'PostgreSQL is starting or stopping.'
    case '08P01':
      return `The pooler at ${host} refused the connection; its log says why. Check that it knows ${role} and ${database}.`
    case '25006':
      return `${setting} leads to a standby, which cannot be written. Set it to the primary, or list all hosts: postgresql://${role}@one,two/${database}`
    default:
      return error instanceof Error && error.message.includes('timeout')
        ? `Nothing answers at ${host}. Start PostgreSQL, or correct the host in ${setting}.`
        : null
  }
}

type Facts = {
  version: number
  encoding: string
  role: string
  database: string
  missing: string[]
  mayCreate: boolean
  owner: string | null
  isOwner: boolean
}

/** Throws a problem if the owner's connection cannot set up and migrate the tables. */
export async function assertUsable(client: pg.Client, isPooled: boolean): Promise<void> {
  if (isPooled)
    throw new DatabaseProblem(
      'DATABASE_URL leads to a connection pooler, and migrations, live changes and jobs need PostgreSQL itself. Set DATABASE_DIRECT_URL to its address.',
    )
  const { rows } = await client.query<Facts>(
    `select current_setting('server_version_num')::integer / 10000 as version, pg_encoding_to_char(encoding) as encoding,
       current_user as role, datname as database,
       array(select name from unnest($1::text[]) as name where name not in (select name from pg_available_extensions)) as missing,
       has_database_privilege(datname, 'create') and coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as "mayCreate",
       pg_get_userbyid(relowner) as owner, coalesce(pg_has_role(relowner, 'usage'), true) as "isOwner"
     from pg_database left join pg_class on pg_class.oid = to_regclass('public.contacts')
     where datname = current_database()`,
    [extensions],
  )
  const [{ version, encoding, role, database, missing, mayCreate, owner, isOwner }] = rows as [Facts]
  if (version < needsVersion) throw new DatabaseProblem(`This is PostgreSQL ${version}. Refyne needs ${needsVersion} or later.`)
  if (encoding !== 'UTF8')
    throw new DatabaseProblem(
      `The encoding of ${database} is ${encoding}, and patients' names need UTF8. Run: create database ${database} owner ${role} encoding 'UTF8' template template0`,
    )
  if (missing.length > 0)
    throw new DatabaseProblem(
      `The server does not have the extension ${missing.join(', ')}. Install PostgreSQL's contrib modules (postgresql-contrib).`,
    )
  if (owner && !isOwner)
    throw new DatabaseProblem(
      `The tables belong to ${owner}. Connect as ${owner}, or run as a superuser in ${database}: reassign owned by ${owner} to ${role}`,
    )
  if (!mayCreate)
    throw new DatabaseProblem(`${role} may not create tables in ${database}. Run: alter database ${database} owner to ${role}`)
}

/** Throws a problem if the application's connection may act as the owner of the tables, and so change the audit log. */
export async function assertOwnsNothing(pool: pg.Pool, { setting }: Named): Promise<void> {
  const { rows } = await pool.query<{ role: string; owner: string; isOwner: boolean }>(
    `select current_user as role, pg_get_userbyid(relowner) as owner, pg_has_role(relowner, 'member') as "isOwner"
     from pg_class where oid = to_regclass('public.audit_log')`,
  )
  const owned = rows.find(({ isOwner }) => isOwner)
  if (!owned) return
  throw new DatabaseProblem(
    `${setting} lets the application connect as ${owned.role}, which may act as ${owned.owner}, the owner of the tables, and change the audit log. Set DATABASE_APP_URL to a role that owns nothing, or leave it empty.`,
  )
}
