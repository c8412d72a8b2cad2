import { randomUUID } from 'node:crypto'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { startPostmarkSimulator } from '../simulators/postmark/server.ts'
import type { AccountStatus, Role } from '../src/kernel/access/rules.ts'
import { contract } from '../src/app/contract.ts'
import { hash } from '@node-rs/argon2'
import { storePasswordHash } from '../src/platform/auth/passwords.ts'
import { activateAccount } from '../src/platform/auth/service.ts'
import { leadSources } from '../src/crm/lead-sources/table.ts'
import type { Db } from '../src/kernel/postgres/database.ts'
import { readEnv } from '../src/kernel/env.ts'
import { hashToken } from '../src/kernel/tokens.ts'
import { readRefusal } from '../src/ui/client/read-refusal.ts'
import { type RunningServer, startServer } from '../src/app/serve.ts'
import { copyTemplate, testSecret } from './database.ts'
import { watchedLog } from './checked-log.ts'

export type Client = JsonifiedClient<ContractRouterClient<typeof contract>>
export const password = 'a-Long-enough-passphrase'
export const webhookKey = 'test-webhook-key'

export type Account = { id: string; email: string; cookie: string }

export type TestServer = {
  url: string
  databaseUrl: string
  running: RunningServer
  outbox: Awaited<ReturnType<typeof startPostmarkSimulator>>
  /** A plain request; paths begin with /. */
  request: (path: string, init?: RequestInit) => Promise<Response>
  /** A JSON request; authenticated when there is a cookie. */
  send: (method: string, path: string, body?: unknown, cookie?: string) => Promise<Response>
  /** Creates an account with a session; active front desk by default. The status is set directly in the database. */
  account: (given?: { role?: Role; status?: AccountStatus; email?: string }) => Promise<Account>
  /** Signs in and returns the cookie of the new session; must succeed. */
  newSession: (email: string, withPassword?: string) => Promise<string>
  /** The cookie of the shared session of the active account with this role. */
  signIn: (role: Role) => Promise<string>
  /** The typed client for a cookie; signed out without one. */
  client: (cookie?: string) => Client
  as: (role: Role) => Promise<Client>
  /** The rows of a statement, run by the owner of the tables. */
  rows: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Runs a statement in a transaction that stays open until released, to hold its locks. */
  hold: (text: string, values?: unknown[]) => Promise<{ release: () => Promise<void> }>
  /** A connection to another database of the same PostgreSQL server. */
  elsewhere: () => Promise<pg.Client>
  stop: () => Promise<void>
}

/** Hashed once with the lowest cost; a hash states its own cost, so signing in is cheap too. */
const passwordHash = hash(password, { memoryCost: 8, timeCost: 1 })

const accountOf = (role: Role) => ({ firstName: 'Test', lastName: role, email: `${role}@clinic.example`, role })

async function createAccount(db: Db, role: Role, email = accountOf(role).email): Promise<string> {
  const id = await activateAccount(db, { ...accountOf(role), email })
  await storePasswordHash(db, id, await passwordHash)
  return id
}

type Options = {
  /** The server's clock; the real one by default. */
  now?: () => Date
  /** Milliseconds within which a request must arrive, except file uploads. */
  requestTime?: number
  /** Given the database URL, returns the URL the server uses instead, such as that of a proxy. */
  reach?: (databaseUrl: string) => Promise<string>
  /** Whether that URL is a pooler's, so that the server also needs the database's own. */
  isPooled?: boolean
  /**
   * Where the server logs. By default log lines are only checked: `stop` fails if one contains an email address, a password, a key or a
   * session.
   */
  log?: Logger
}

/** The typed client of a server, with a session cookie or signed out. */
export const clientOf = (url: string, cookie?: string, headers: Record<string, string> = {}): Client =>
  createORPCClient(
    new OpenAPILink(contract, {
      url: `${url}/api`,
      headers: { ...headers, ...(cookie && { cookie }) },
      customErrorResponseBodyDecoder: readRefusal,
    }),
  )

/** Starts the whole server with its own database and the mail simulator, on a free port. */
export async function startTestServer(postgres: string, settings: Record<string, string> = {}, options: Options = {}): Promise<TestServer> {
  const database = await copyTemplate(postgres)
  const outbox = await startPostmarkSimulator({ port: 0, host: '127.0.0.1' })
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-data-'))
  const env = readEnv({
    PORT: '0',
    DATA_DIR: dataDir,
    APP_SECRET: testSecret,
    COMPANY_DOMAINS: 'clinic.example',
    PRACTICE_ADDRESS: '1 Lakeshore Road, Oakville, ON L6J 1H5',
    POSTMARK_TOKEN: 'test-token',
    POSTMARK_URL: outbox.url,
    DATABASE_POOL: '4',
    // No name server: what is asked of the DNS is answered at once.
    DNS_SERVERS: '127.0.0.1:9',
    LEADS_PER_MINUTE_PER_KEY: '100000',
    LEADS_PER_MINUTE_PER_ADDRESS: '100000',
    ...(options.isPooled && { DATABASE_DIRECT_URL: database.url }),
    ...settings,
  })
  const watched = watchedLog([password, webhookKey, testSecret, env.POSTMARK_TOKEN ?? testSecret])
  const running = await startServer(env, {
    databaseUrl: (await options.reach?.(database.url)) ?? database.url,
    isMigrated: true,
    log: options.log ?? watched.log,
    ...(options.now ? { now: options.now } : {}),
    ...(options.requestTime ? { requestTime: options.requestTime } : {}),
  })
  // Before that, it hears of no change that is made through the database.
  if (!options.reach) await running.prepared
  const owner = new pg.Pool({ connectionString: database.url, max: 3 })
  owner.on('error', () => {}) // a test may cut connections
  await running.runtime.db.insert(leadSources).values({ name: 'Website Form', webhookKeyHash: hashToken(webhookKey) })

  const cookies = new Map<Role, Promise<string>>()
  const send: TestServer['send'] = (method, path, body, cookie) =>
    fetch(`${running.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(cookie ? { cookie } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const newSession: TestServer['newSession'] = async (email, withPassword = password) => {
    const response = await send('POST', '/api/auth/sign-in', { email, password: withPassword })
    if (!response.ok) throw new Error(`sign-in responded with ${response.status}: ${await response.text()}`)
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
    for (const cookie of cookies) watched.watch(cookie.slice(cookie.indexOf('=') + 1))
    return cookies.join('; ')
  }
  const firstSession = async (role: Role) => {
    await createAccount(running.runtime.db, role)
    return newSession(accountOf(role).email)
  }
  const signIn = (role: Role) => {
    const cookie = cookies.get(role) ?? firstSession(role)
    cookies.set(role, cookie)
    return cookie
  }
  const account: TestServer['account'] = async ({
    role = 'front_desk',
    status = 'active',
    email = `${randomUUID()}@clinic.example`,
  } = {}) => {
    const id = await createAccount(running.runtime.db, role, email)
    const cookie = await newSession(email)
    if (status !== 'active') await owner.query('update profiles set status = $2 where id = $1', [id, status])
    return { id, email, cookie }
  }
  const client = (cookie?: string): Client => clientOf(running.url, cookie)

  return {
    url: running.url,
    databaseUrl: database.url,
    running,
    outbox,
    request: (path, init) => fetch(`${running.url}${path}`, { redirect: 'manual', ...init }),
    send,
    account,
    newSession,
    signIn,
    client,
    as: async (role) => client(await signIn(role)),
    rows: async (text, values) => (await owner.query(text, values)).rows,
    async hold(text, values) {
      const client = await owner.connect()
      await client.query('begin')
      await client.query(text, values)
      return { release: async () => void (await client.query('rollback').finally(() => client.release())) }
    },
    async elsewhere() {
      const client = new pg.Client({ connectionString: postgres.replace('{database}', 'postgres') })
      await client.connect()
      return client
    },
    async stop() {
      await owner.end()
      await running.stop()
      await outbox.stop()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
      if (watched.breaches().length > 0) throw new Error(`The log contains forbidden data:\n${watched.breaches().join('')}`)
    },
  }
}

/** Starts one server for all tests of a file. */
export function useServer(settings: Record<string, string> = {}, options: Options = {}): TestServer {
  const holder = {} as TestServer
  beforeAll(async () => void Object.assign(holder, await startTestServer(inject('postgres'), settings, options)))
  afterAll(() => holder.stop?.())
  return holder
}
