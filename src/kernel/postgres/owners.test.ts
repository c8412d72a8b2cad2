import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { testSecret } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { type RunningServer, startServer } from '../../app/serve.ts'
import { readEnv } from '../env.ts'
import { openLog } from '../log.ts'

const server = inject('postgres')
const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

const asSuperuser = async <Row extends object>(text: string, database = 'postgres'): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: server.replace('{database}', database) })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** A role that is no superuser, a database of its own, and the name of an application's role that does not exist yet. */
async function ordinaryOwner(attributes = '') {
  const name = `owner_${randomBytes(6).toString('hex')}`
  const app = `${name}_app`
  await asSuperuser(`create role ${name} login ${attributes} password 'of-the-owner'`)
  await asSuperuser(`create database ${name} owner ${name} encoding 'UTF8' template template0`)
  cleanUps.push(async () => {
    await asSuperuser(`drop database ${name} with (force)`)
    for (const role of [app, `${app}_portal`, name]) await asSuperuser(`drop role if exists ${role}`)
  })
  const url = new URL(server.replace('{database}', name))
  url.username = name
  return { name, app, url: url.toString() }
}

/** The application's roles, as OPERATIONS.md has a superuser make them. */
async function makeRoles(app: string): Promise<void> {
  await asSuperuser(`create role ${app} login password 'of-the-app'`)
  await asSuperuser(`create role ${app}_portal`)
  await asSuperuser(`grant ${app}_portal to ${app} with inherit false, set true`)
}

/** Starts the server as an operator would, with these settings. */
async function start(settings: Record<string, string>): Promise<{ running: RunningServer; log: () => string }> {
  let lines = ''
  const log = openLog('info', { write: (line) => void (lines += line) })
  const running = await startServer(
    readEnv({ PORT: '0', APP_SECRET: testSecret, DATABASE_POOL: '2', WORKER_CONCURRENCY: '1', ...settings }),
    { log },
  )
  cleanUps.push(() => running.stop())
  return { running, log: () => lines }
}

const status = async ({ url }: RunningServer, path: string) => (await fetch(url + path)).status

describe('an owner of the database that is no superuser', () => {
  it('may create roles: the first start, a restart and two processes at once work', async () => {
    const { app, url } = await ordinaryOwner('createrole')
    const settings = { DATABASE_URL: url, DATABASE_APP_ROLE: app }
    const first = await Promise.all([start(settings), start(settings)])
    for (const { running } of first) {
      await running.prepared
      expect(await status(running, '/health/ready')).toBe(200)
      await running.stop()
    }
    expect(await asSuperuser(`select rolcanlogin, rolsuper, rolcreaterole from pg_roles where rolname = '${app}'`)).toEqual([
      { rolcanlogin: true, rolsuper: false, rolcreaterole: false },
    ])
    const { running } = await start(settings)
    await running.prepared
    expect(await status(running, '/health/ready')).toBe(200)
  })

  it('a restart waits for no one who reads tables, such as a dump, and says so when it has to', async () => {
    const { app, url } = await ordinaryOwner('createrole')
    const settings = { DATABASE_URL: url, DATABASE_APP_ROLE: app }
    const { running } = await start(settings)
    await running.prepared
    await running.stop()
    const dump = new pg.Client({ connectionString: url })
    await dump.connect()
    const lockAll = `do $$ declare r record; begin
      for r in select schemaname, tablename from pg_tables where schemaname in ('public', 'graphile_worker', 'drizzle') loop
        execute format('lock table %I.%I in access share mode', r.schemaname, r.tablename);
      end loop; end $$`
    await dump.query('begin')
    await dump.query(lockAll)
    const { running: restarted } = await start(settings)
    await restarted.prepared
    expect(await status(restarted, '/health/ready')).toBe(200)
    await restarted.stop()
    await dump.query('rollback')

    await dump.query('comment on policy portal_reads on quotes is null')
    await dump.query('begin')
    await dump.query(lockAll)
    const { running: upgraded, log } = await start(settings)
    await until(() => log().includes('A session locks a table of'))
    await dump.query('rollback')
    await dump.end()
    await upgraded.prepared
  })

  it('may not create roles: works with the roles that its operator made from OPERATIONS.md', async () => {
    const { app, url } = await ordinaryOwner()
    await makeRoles(app)
    const appUrl = new URL(url)
    appUrl.username = app
    const settings = { DATABASE_URL: url, DATABASE_APP_URL: appUrl.toString(), DATABASE_APP_ROLE: app }
    for (const { running } of [await start(settings), await start(settings)]) {
      await running.prepared
      expect(await status(running, '/health/ready')).toBe(200)
    }
  })
})

describe('a refusal of the database while starting is a sentence that says what to run', () => {
  it.each<[string, (owner: Awaited<ReturnType<typeof ordinaryOwner>>) => Promise<Record<string, string>>, RegExp]>([
    [
      'the owner may not create roles',
      async ({ url }) => ({ DATABASE_URL: url }),
      /may not create roles. Set DATABASE_APP_URL, and run as a superuser: create role \w+ login password '…'; create role \w+_portal; grant/,
    ],
    [
      'the database is missing',
      async ({ url }) => ({ DATABASE_URL: Object.assign(new URL(url), { pathname: '/nowhere' }).toString() }),
      /There is no database nowhere\. Run: create database nowhere owner/,
    ],
    [
      'the role is missing',
      async ({ url, name }) => ({ DATABASE_URL: url.replace(name, 'nobody_here') }),
      /does not let nobody_here connect.*create role nobody_here login/,
    ],
    [
      'nothing answers',
      async () => ({ DATABASE_URL: 'postgresql://clinic:a@b,c@127.0.0.1:1/clinic' }),
      /Nothing answers at 127\.0\.0\.1:1\. Start PostgreSQL, or correct the host in DATABASE_URL/,
    ],
    [
      'the application’s role is missing',
      async ({ url }) => ({ DATABASE_URL: url, DATABASE_APP_URL: url }),
      /There is no role .*_app\. Set DATABASE_APP_ROLE/,
    ],
    [
      'the application would own the tables',
      async ({ url, app }) => {
        await makeRoles(app)
        return { DATABASE_URL: url, DATABASE_APP_URL: url }
      },
      /DATABASE_APP_URL lets the application connect as \w+, which may act as \w+, the owner of the tables/,
    ],
    [
      'the owner may not create tables',
      async ({ url, name }) => {
        await asSuperuser(`alter database ${name} owner to current_user`)
        return { DATABASE_URL: url }
      },
      /may not create tables in \w+\. Run: alter database \w+ owner to/,
    ],
    [
      'the tables belong to another role',
      async ({ url, name }) => {
        await asSuperuser('create table contacts ()', name)
        return { DATABASE_URL: url }
      },
      /The tables belong to postgres\. Connect as postgres, or run as a superuser in \w+: reassign owned by postgres to/,
    ],
    [
      'the encoding cannot write names',
      async ({ url, name }) => {
        await asSuperuser(`drop database ${name}`)
        await asSuperuser(`create database ${name} owner ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
        return { DATABASE_URL: url }
      },
      /The encoding of \w+ is SQL_ASCII/,
    ],
  ])('%s', async (_, settingsOf, sentence) => {
    const owner = await ordinaryOwner()
    const { running, log } = await start({ DATABASE_APP_ROLE: owner.app, ...(await settingsOf(owner)) })
    await until(() => log().includes('The database is not ready'))
    expect(log()).toMatch(sentence)
    expect(await status(running, '/health/ready')).toBe(503)
    await running.stop()
  })
})

it.each(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_APP_URL', 'DATABASE_REPLICA_URL'])(
  '%s needs a host, because a URL without one cannot name the application’s role',
  (setting) => {
    const read = (url: string) => () => readEnv({ APP_SECRET: testSecret, [setting]: url })
    expect(read('postgresql:///refyne?host=/run/postgresql')).toThrow(new RegExp(`${setting}.* has no host.*postgresql://user@localhost/`))
    expect(read('postgresql://refyne@localhost/refyne?host=/run/postgresql')).not.toThrow()
  },
)

describe('a process that has not migrated the database', () => {
  it('answers 503 to every call, says that it waits for another process, and serves when that is done', async () => {
    const { app, url } = await ordinaryOwner('createrole')
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('select pg_advisory_lock(7310284662)')
    const { running, log } = await start({ DATABASE_URL: url, DATABASE_APP_ROLE: app })
    await until(() => log().includes('Another process is migrating the database'))
    const calls: [string, string][] = [
      ['GET', '/api/auth/session'],
      ['GET', '/api/contacts'],
      ['POST', '/api/auth/sign-in'],
      ['POST', '/api/leads/a-key'],
      ['GET', '/api/contacts/export.csv'],
      ['GET', '/health/ready'],
    ]
    for (const [method, path] of calls) expect([path, (await fetch(running.url + path, { method })).status]).toEqual([path, 503])
    const answer = await fetch(`${running.url}/api/contacts`)
    expect([answer.headers.get('retry-after'), await answer.json()]).toEqual([
      '2',
      { code: 'SERVICE_UNAVAILABLE', message: 'Refyne is starting. Please try again in a moment.' },
    ])
    await other.end()
    await running.prepared
    expect(await status(running, '/api/auth/session')).toBe(200)
  })
})
