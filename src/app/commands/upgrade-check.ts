/**
 * `npm run upgrade:check`: says what the upgrade to this version does to the configured database, without changing anything. Lists the
 * statements of pending migrations with the locks they take, and what to run before. Exit code 1 if users would wait for longer than a second.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { connectClient } from '../../kernel/postgres/hosts.ts'
import { migrationsFolder } from '../../kernel/postgres/migrate.ts'
import { type MigrationStatement, readMigration } from '../../kernel/postgres/migration-statements.ts'
import { type IndexFacts, type PlannedStatement, planUpgrade, type TableFacts } from '../../kernel/postgres/upgrade-plan.ts'
import { describeError } from '../../kernel/errors.ts'
import { problemOf } from '../../kernel/postgres/problems.ts'
import { openClinic } from './open-clinic.ts'

type Journal = { entries: { when: number; tag: string }[] }

const { ownerUrl, close } = await openClinic()
const client = await connectClient(ownerUrl).catch(async (error: unknown) => {
  sayUnread(error)
  await close()
  process.exit(2)
})
try {
  await client.query('begin transaction isolation level repeatable read read only')
  process.exitCode = report(await pendingMigrations(), await readTables())
  await client.query('rollback')
} catch (error) {
  sayUnread(error)
  process.exitCode = 2
} finally {
  await client.end().catch(() => {})
  await close()
}

function sayUnread(error: unknown): void {
  console.error(
    problemOf(error, { setting: 'DATABASE_URL', url: ownerUrl }) ??
      `The database could not be read: ${JSON.stringify(describeError(error))}`,
  )
}

type PendingMigration = { tag: string; statements: MigrationStatement[] }

/** Those of this version that the database does not have. Null: it has none at all. */
async function pendingMigrations(): Promise<PendingMigration[] | null> {
  const { rows } = await client.query<{ has: boolean }>("select to_regclass('drizzle.__drizzle_migrations') is not null as has")
  if (!rows[0]?.has) return null
  const last = await client.query<{ at: string }>('select coalesce(max(created_at), 0)::text as at from drizzle.__drizzle_migrations')
  const { entries } = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as Journal
  return entries
    .filter(({ when }) => when > Number(last.rows[0]?.at))
    .map(({ tag }) => ({ tag, statements: readMigration(readFileSync(path.join(migrationsFolder, `${tag}.sql`), 'utf8')).statements }))
}

async function readTables(): Promise<Map<string, TableFacts>> {
  const { rows } = await client.query<{ name: string; rows: number; bytes: number; indexes: IndexFacts[] | null }>(`
    select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes,
      (select json_agg(json_build_object('name', index.relname, 'method', amname, 'isValid', indisvalid))
       from pg_index join pg_class as index on index.oid = indexrelid join pg_am on pg_am.oid = index.relam
       where indrelid = "table".oid) as indexes
    from pg_class as "table" where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  const tables = new Map<string, TableFacts>()
  for (const { name, indexes, ...facts } of rows) {
    // Less than 0: the table was never analysed.
    tables.set(name, { ...facts, rows: facts.rows < 0 ? await countRows(name) : facts.rows, indexes: indexes ?? [] })
  }
  return tables
}

async function countRows(table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`select count(*)::float8 as rows from ${client.escapeIdentifier(table)}`)
  return rows[0]?.rows ?? 0
}

/** Prints the plan. Returns the exit code. */
function report(pending: PendingMigration[] | null, tables: ReadonlyMap<string, TableFacts>): number {
  if (pending === null) console.log('This database is new: nothing is upgraded, and all migrations run at the first start.')
  if (pending?.length === 0) console.log('No migration is pending: this version starts without changing the database.')
  if (!pending || pending.length === 0) return 0

  const planned = planUpgrade(
    pending.flatMap(({ statements }) => statements),
    tables,
  )
  let next = 0
  for (const { tag, statements } of pending) {
    console.log(`\n${tag}`)
    for (const one of planned.slice(next, (next += statements.length))) console.log(describe(one))
  }
  console.log(`\nAll ${planned.length} statements run in one transaction, in ${formatSeconds(planned[0]?.heldSeconds ?? 0)}.`)

  const ahead = planned.filter(({ statement, existing, seconds }) => statement.ahead !== null && !existing && seconds > 0)
  if (ahead.length > 0) console.log('\nRun these before, while the current version runs (not in a transaction):')
  for (const { statement } of ahead) console.log(`  ${statement.ahead};`)
  const invalid = planned.flatMap(({ existing }) => (existing && !existing.isValid ? [existing.name] : []))
  if (invalid.length > 0) console.log('\nThese indexes were not completed. Drop them and create them again:')
  for (const index of invalid) console.log(`  DROP INDEX CONCURRENTLY "${index}";`)
  if (planned.some(({ statement }) => statement.rule === 'removal' || statement.rule === 'required-column'))
    console.log('\nThe previous version may not run on the upgraded database: the way back is a backup.')

  const unsafe = planned.filter(({ isUnsafe }) => isUnsafe)
  const locked = [...new Set(unsafe.map(({ table }) => table!.name))].join(', ')
  if (unsafe.length > 0)
    console.log(`\nUnsafe while people work: they would wait for ${locked}. Do the above, or upgrade while the clinic is closed.`)
  else console.log('\nSafe while people work.')
  return unsafe.length + invalid.length > 0 ? 1 : 0
}

function describe({ statement, table, seconds, heldSeconds, isUnsafe, existing }: PlannedStatement): string {
  const text = statement.text.replaceAll(/\s+/g, ' ')
  const lines = [`  ${text.length > 140 ? `${text.slice(0, 139)}…` : text}`]
  if (table && statement.lock) {
    const size = `${Math.round(table.rows).toLocaleString('en-CA')} rows, ${formatBytes(table.bytes)}`
    const work = existing ? `index exists${existing.isValid ? '' : ', not completed'}` : statement.work
    lines.push(
      `    ${isUnsafe ? 'UNSAFE  ' : ''}${table.name} (${size}): ${statement.lock.toUpperCase()}, held ${formatSeconds(heldSeconds)}; ${work}, ${formatSeconds(seconds)}`,
    )
  }
  return lines.join('\n')
}

function formatSeconds(seconds: number): string {
  if (seconds < 0.1) return 'under 0.1 s'
  return seconds < 120 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : `${Math.round(seconds / 60)} min`
}

function formatBytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
