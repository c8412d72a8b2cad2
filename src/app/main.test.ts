import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { copyTemplate, createEmpty, testSecret } from '../../test/database.ts'
import { insertContact } from '../../test/factories.ts'
import { startProcess } from '../../test/processes/process.ts'
import { useServer, webhookKey } from '../../test/server.ts'
import { openStream } from '../../test/network/stream.ts'
import { until } from '../../test/until.ts'
import { readEnv, settingNames, SettingsError } from '../kernel/env.ts'
import { hashToken } from '../kernel/tokens.ts'

type Process = ReturnType<typeof startProcess>
const started: Process[] = []
const cleanUps: (() => Promise<unknown>)[] = []
const start = (settings: Record<string, string>, packageFolder?: string): Process => {
  const child = startProcess(settings, packageFolder)
  started.push(child)
  return child
}
afterAll(async () => {
  await Promise.all(started.splice(0).map((child) => child.stop()))
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

const connect = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanUps.push(() => client.end())
  return client
}
/** A folder like a release: `npm start` runs what is built, and compares it with no sources. */
function packageWithBuild(): string {
  const root = path.join(import.meta.dirname, '../..')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-package-'))
  cleanUps.push(() => fs.promises.rm(folder, { recursive: true }))
  for (const name of ['package.json', 'scripts/start.ts', 'scripts/built.ts', 'scripts/require-node.mjs'])
    fs.cpSync(path.join(root, name), path.join(folder, name))
  fs.mkdirSync(path.join(folder, 'dist'))
  fs.symlinkSync(path.join(root, 'dist/server'), path.join(folder, 'dist/server'))
  return folder
}
const refusesConnections = (url: string) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), resolve(false)))
    socket.once('error', () => resolve(true))
  })
const postLead = async (url: string, key: string, email: string) => {
  const answer = await fetch(`${url}/api/leads/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Ana', last_name: 'Silva', email }),
  })
  expect(answer.status).toBe(202)
  return ((await answer.json()) as { id: string }).id
}

describe('a missing or weak secret stops the start with an explanation (spec 2)', () => {
  it('exits with code 1 and says what to set', async () => {
    const secrets = ['', 'change-me-change-me-change-me-0123456789']
    const children = secrets.map((secret) => start({ APP_SECRET: secret, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }))
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([1, 1])
    const sentence = /Refyne cannot start:\n\s+APP_SECRET is (missing|too weak)\. Set it to at least 32 random characters/
    for (const child of children) expect(child.output()).toMatch(sentence)
    expect(children[1]?.output()).not.toContain(secrets[1])
  })

  it.each([
    ['short', 'kR7vQ2mX9bT4nW8cZ5pL1sD6fG3hJ0'],
    ['of one letter', 'a'.repeat(64)],
    ['a placeholder', 'change-me-change-me-change-me-0123456789'],
    ['an example', 'example-secret-0123456789-abcdefghijkl'],
  ])('%s is weak', (_, secret) => expect(() => readEnv({ APP_SECRET: secret })).toThrow(/^APP_SECRET is too weak/))

  it('names every invalid setting', () => {
    const settings = {
      APP_SECRET: testSecret,
      PORT: 'x',
      DATABASE_URL: 'mysql://x',
      PRACTICE_TIME_ZONE: 'Mars/Olympus',
      TRUST_PROXY: 'yes',
    }
    expect(() => readEnv(settings)).toThrow(SettingsError)
    expect(() => readEnv(settings)).toThrow(/^PORT .*\nDATABASE_URL .*\nPRACTICE_TIME_ZONE .*\nTRUST_PROXY /)
  })
})

it('finds every setting in .env.example, which is what an operator copies', () => {
  const example = fs.readFileSync(path.join(import.meta.dirname, '../../.env.example'), 'utf8')
  expect([...example.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name).toSorted()).toEqual(settingNames.toSorted())
})

it('exits and says which setting to change when its port is in use', async () => {
  const taken = net.createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => new Promise((resolve) => taken.close(resolve)))
  const port = String((taken.address() as net.AddressInfo).port)
  const database = 'postgresql://nobody@127.0.0.1:1/none'
  for (const [settings, name] of [
    [{ PORT: port }, 'PORT'],
    [{ METRICS_PORT: port }, 'METRICS_PORT'],
  ] as const) {
    const child = start({ DATABASE_URL: database, ...settings })
    expect(await child.exited).toBe(1)
    expect(child.output()).toContain(`Refyne cannot start:\n  Port ${port} is in use. Set ${name} to a free one`)
  }
})

describe('storing documents in a folder, or in a bucket with its keys', () => {
  const s3 = { APP_SECRET: testSecret, FILES: 's3', S3_BUCKET: 'documents', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

  it('defaults to a folder, and to Amazon’s first region', () => {
    expect(readEnv({ APP_SECRET: testSecret })).toMatchObject({ FILES: 'local', S3_REGION: 'us-east-1' })
    expect(readEnv(s3)).toMatchObject({ ...s3, S3_REGION: 'us-east-1' })
  })

  it.each(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])('refuses to start with FILES=s3 and no %s', (name) => {
    expect(() => readEnv({ ...s3, [name]: '' })).toThrow(new RegExp(`^${name} is missing\\. Set it to [^\n]+$`))
  })

  it.each([
    [{ S3_ENDPOINT: 'ftp://files.example' }, /^S3_ENDPOINT /],
    [{ S3_BUCKET: 'a/b' }, /^S3_BUCKET must be the name of a bucket$/],
    [{ FILES: 'ftp' }, /^FILES /],
  ])('refuses to start with %j', (wrong, message) => expect(() => readEnv({ ...s3, ...wrong })).toThrow(message))
})

describe('single sign-on', () => {
  const oidc = { APP_SECRET: testSecret, OIDC_ISSUER: 'https://id.clinic.example', OIDC_CLIENT_ID: 'refyne', OIDC_CLIENT_SECRET: 'secret' }

  it('is off without an issuer, and reads domains and groups in order', () => {
    expect(readEnv({ APP_SECRET: testSecret }).OIDC_ISSUER).toBeUndefined()
    const roles = 'cn=admins,x=admin' // the last = separates: Entra and LDAP use it in names
    expect(() => readEnv({ ...oidc, OIDC_ROLES: roles })).toThrow(/^OIDC_ROLES must be pairs/)
    expect(readEnv({ ...oidc, OIDC_DOMAINS: 'Clinic.example', OIDC_ROLES: 'a=b=admin, surgeons = provider' })).toMatchObject({
      OIDC_DOMAINS: ['clinic.example'],
      OIDC_ROLES: [
        { group: 'a=b', role: 'admin' },
        { group: 'surgeons', role: 'provider' },
      ],
      OIDC_ONLY: false,
    })
  })

  it.each([
    [{ OIDC_CLIENT_ID: '' }, /^OIDC_CLIENT_ID is missing/],
    [{ OIDC_CLIENT_SECRET: '' }, /^OIDC_CLIENT_SECRET is missing/],
    [{ OIDC_ISSUER: 'http://id.clinic.example' }, /^OIDC_ISSUER must be an https address/],
    [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, /^OIDC_ISSUER must name your own tenant/],
    [{ OIDC_DOMAINS: 'clinic.example,gmail.com' }, /^OIDC_DOMAINS cannot be used. Anyone can have an address at gmail.com/],
    [{ OIDC_ROLES: 'surgeons=doctor' }, /^OIDC_ROLES must be pairs like/],
    [{ OIDC_ROLES: '=admin' }, /^OIDC_ROLES must be pairs like/],
    [{ OIDC_ISSUER: '', OIDC_ONLY: 'true' }, /^OIDC_ONLY requires OIDC_ISSUER/],
  ])('refuses to start with %j', (wrong, message) => expect(() => readEnv({ ...oidc, ...wrong })).toThrow(message))
})

describe('a process without its database', () => {
  it('listens at once, is live but not ready, answers calls with 503, and does not exit', async () => {
    const child = start({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
    const url = await until(() => /listens on (\S+)/.exec(child.output())?.[1])
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/health/ready`)).status).toBe(503)
    const answer = await fetch(`${url}/api/auth/setup`)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })
})

describe('migrations run once when several processes start together (spec 2)', () => {
  it('two processes on an empty database become ready, run each migration once, and print a working set-up link', async () => {
    const database = await createEmpty(inject('postgres'))
    cleanUps.push(database.drop)
    const processes = [1, 2].map(() => start({ DATABASE_URL: database.url, APP_URL: 'http://refyne.example' }))
    const urls = await Promise.all(processes.map((child) => child.ready()))
    const owner = await connect(database.url)
    const { rows } = await owner.query(
      `select (select count(*) = count(distinct hash) and count(*) > 0 from drizzle.__drizzle_migrations) as once,
        (select count(*)::int from funnel_stages) as stages, (select count(*)::int from tags) as tags,
        (select count(*) = count(distinct id) from graphile_worker.migrations) as worker`,
    )
    expect(rows).toEqual([{ once: true, stages: 7, tags: 1, worker: true }])

    const links = await Promise.all(
      processes.map((child) => until(() => /http:\/\/refyne\.example\/setup\?token=(\S+)/.exec(child.output())?.[1])),
    )
    const setUp = (i: number) =>
      fetch(`${urls[i]}/api/auth/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          firstName: 'Ana',
          lastName: 'Silva',
          email: `admin${i}@example.com`,
          password: 'a-Long-enough-passphrase',
          token: links[i],
        }),
      })
    expect((await setUp(0)).status).toBe(200)
    expect((await setUp(1)).status).toBe(410)
    expect(processes.map((child) => child.output()).join('')).not.toMatch(/"level":50/)
  })
})

// Side by side with what is killed below, which waits seconds until its absence is noticed.
describe.concurrent('two processes on one database (spec 2)', () => {
  const server = useServer()
  // On the same database as the one before.
  const oneByOne = { concurrent: false, timeout: 60_000 }
  const startSecond = async (packageFolder?: string) => {
    const settings = { DATABASE_URL: server.databaseUrl, COMPANY_DOMAINS: 'clinic.example', APP_URL: 'http://localhost:0' }
    const child = start(settings, packageFolder)
    return { child, url: await child.ready() }
  }

  it('a change or a session end in one process reaches the other’s stream', oneByOne, async () => {
    const { child, url } = await startSecond()
    const account = await server.account({ role: 'sales_rep' })
    const [here, there] = await Promise.all([openStream(server.url, account.cookie), openStream(url, account.cookie)])
    const contact = await server.client(account.cookie).contacts.create({ firstName: 'Ana', lastName: 'Silva' })
    await there.next(({ topic, id }) => topic === 'contact' && id === contact.id)
    const changed = await fetch(`${url}/api/contacts/${contact.id}`, {
      method: 'PATCH',
      headers: { cookie: account.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, city: 'Ottawa' }),
    })
    expect(changed.status).toBe(200)
    await until(() => here.received.filter(({ id }) => id === contact.id).length >= 2)
    expect(await server.client(account.cookie).contacts.get({ id: contact.id })).toMatchObject({ city: 'Ottawa', version: 2 })

    const signedOut = await fetch(`${url}/api/auth/sign-out`, { method: 'POST', headers: { cookie: account.cookie } })
    expect(signedOut.status).toBe(200)
    await Promise.all([here.ended(5_000), there.ended(5_000)])
    expect((await server.send('GET', '/api/tags', undefined, account.cookie)).status).toBe(401)
    await child.stop()
  })

  it.each([
    ['the server', false, 'kill'],
    ['npm start', true, 'kill'],
    ['npm start and all its processes', true, 'killGroup'],
  ] as const)(
    'on SIGTERM to %s, finishes requests in flight, ends streams, refuses connections, and exits 0 within 20 s',
    oneByOne,
    async (_, byNpm, kill) => {
      const { child, url } = await startSecond(byNpm ? packageWithBuild() : undefined)
      const account = await server.account({ role: 'sales_rep' })
      const contactId = await insertContact(server, { firstName: 'Slow' })
      const stream = await openStream(url, account.cookie)
      const lock = await server.hold('lock table contacts in access exclusive mode')
      const read = fetch(`${url}/api/contacts/${contactId}`, { headers: { cookie: account.cookie } })
      const waiting = "select 1 from pg_locks where relation = 'contacts'::regclass and not granted"
      await until(async () => (await server.rows(waiting)).length > 0)

      const asked = Date.now()
      child[kill]('SIGTERM')
      await until(() => refusesConnections(url))
      await stream.ended(5_000)
      await lock.release()
      const answer = await read
      expect([answer.status, await answer.json()]).toMatchObject([200, { id: contactId, firstName: 'Slow' }])
      expect(await child.exited).toBe(0)
      expect(Date.now() - asked).toBeLessThan(20_000)
      expect((await server.rows('select 1 from audit_log where $1 = any(contact_ids)', [contactId])).length).toBe(1)
    },
  )

  it('on SIGTERM during a job, finishes it or leaves it to another process, and exits 0', oneByOne, async () => {
    const { child, url } = await startSecond()
    const email = `${randomUUID()}@example.com`
    const lock = await server.hold('select pg_advisory_xact_lock(hashtextextended($1, 0))', [email])
    await postLead(url, webhookKey, email)
    await until(async () => (await server.rows("select 1 from pg_locks where locktype = 'advisory' and not granted")).length > 0)
    child.kill('SIGTERM')
    await until(() => refusesConnections(url))
    await lock.release()
    expect(await child.exited).toBe(0)
    await until(async () => (await server.rows('select 1 from contacts where email = $1', [email])).length === 1)
    await until(
      async () =>
        (await server.rows("select 1 from lead_entries where raw_data->>'email' = $1 and status = 'completed'", [email])).length === 1,
    )
  })
})

describe.concurrent('nothing is lost when a process is killed (spec 2)', () => {
  it('another process runs a killed process’s job exactly once, and leaves a running process’s jobs alone', async () => {
    const database = await copyTemplate(inject('postgres'))
    cleanUps.push(database.drop)
    const owner = await connect(database.url)
    const holder = await connect(database.url)
    await owner.query("insert into lead_sources (name, webhook_key_hash, sends_welcome) values ('Form', $1, false)", [
      hashToken(webhookKey),
    ])
    const email = `${randomUUID()}@example.com`
    await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [email])
    const job = async (id: string) =>
      (
        await owner.query<{ locked_by: string | null; attempts: number }>(
          "select locked_by, attempts from graphile_worker._private_jobs where payload->>'entryId' = $1",
          [id],
        )
      ).rows[0]
    const entry = async (id: string) =>
      (await owner.query<{ status: string }>('select status from lead_entries where id = $1', [id])).rows[0]?.status

    const first = start({ DATABASE_URL: database.url })
    const held = await postLead(await first.ready(), webhookKey, email)
    const before = await until(async () => {
      const row = await job(held)
      return row?.locked_by && row
    })
    const second = start({ DATABASE_URL: database.url })
    const other = await postLead(await second.ready(), webhookKey, `${randomUUID()}@example.com`)
    await until(async () => (await entry(other)) === 'completed')
    expect(await job(held)).toEqual(before) // the second one's sweep has left it to the first, who lives

    first.kill('SIGKILL')
    await first.exited
    await holder.query('select pg_advisory_unlock_all()')
    await until(async () => (await entry(held)) === 'completed')
    const { rows } = await owner.query(
      'select email, (select count(*)::int from interactions where contact_id = contacts.id) as entries from contacts where email = $1',
      [email],
    )
    expect(rows).toEqual([{ email, entries: 1 }])
    await until(async () => !(await job(held)))
  })
})
