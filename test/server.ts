import { createORPCClient, type InferClientErrors } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { startPostmarkSimulator } from '../simulators/postmark/server.ts'
import type { Role } from '../src/features/access/rules.ts'
import { contract } from '../src/features/api/contract.ts'
import { createActiveAccount } from '../src/features/auth/service.ts'
import { hashWebhookKey } from '../src/features/lead-sources/service.ts'
import { leadSources } from '../src/features/lead-sources/table.ts'
import { readEnv } from '../src/server/env.ts'
import { type RunningServer, startServer } from '../src/server/serve.ts'
import { copyTemplate, testSecret } from './database.ts'

export type Client = JsonifiedClient<ContractRouterClient<typeof contract>>
export type { InferClientErrors }
export const password = 'a-Long-enough-passphrase'
export const webhookKey = 'test-webhook-key'

export type TestServer = {
  url: string
  databaseUrl: string
  running: RunningServer
  outbox: Awaited<ReturnType<typeof startPostmarkSimulator>>
  /** A plain request; paths begin with /. */
  request: (path: string, init?: RequestInit) => Promise<Response>
  /** The cookie of a new session of an active account with this role. */
  signIn: (role: Role) => Promise<string>
  /** The typed client under a cookie; without one, signed out. */
  client: (cookie?: string) => Client
  as: (role: Role) => Promise<Client>
  stop: () => Promise<void>
}

const accountOf = (role: Role) => ({ firstName: 'Test', lastName: role, email: `${role}@clinic.example`, password, role })

/** The whole server on a database of its own, with the mail simulator, listening on a free port. */
export async function startTestServer(postgres: string, settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await copyTemplate(postgres)
  const outbox = await startPostmarkSimulator({ port: 0, host: '127.0.0.1' })
  const env = readEnv({
    PORT: '0',
    APP_SECRET: testSecret,
    COMPANY_DOMAINS: 'clinic.example',
    POSTMARK_TOKEN: 'test-token',
    POSTMARK_URL: outbox.url,
    LEADS_PER_MINUTE_PER_KEY: '100000',
    LEADS_PER_MINUTE_PER_ADDRESS: '100000',
    ...settings,
  })
  const running = await startServer(env, { databaseUrl: database.url, isMigrated: true, log: pino({ level: settings.LOG_LEVEL ?? 'silent' }) })
  await running.runtime.db.insert(leadSources).values({ name: 'Website Form', webhookKeyHash: hashWebhookKey(webhookKey) })

  const cookies = new Map<Role, Promise<string>>()
  const newSession = async (role: Role) => {
    await createActiveAccount(running.runtime.db, accountOf(role))
    const response = await fetch(`${running.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: accountOf(role).email, password }),
    })
    if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`)
    return response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]).join('; ')
  }
  const signIn = (role: Role) => {
    const cookie = cookies.get(role) ?? newSession(role)
    cookies.set(role, cookie)
    return cookie
  }
  const client = (cookie?: string): Client => createORPCClient(new OpenAPILink(contract, { url: `${running.url}/api`, headers: cookie ? { cookie } : {} }))

  return {
    url: running.url,
    databaseUrl: database.url,
    running,
    outbox,
    request: (path, init) => fetch(`${running.url}${path}`, { redirect: 'manual', ...init }),
    signIn,
    client,
    as: async (role) => client(await signIn(role)),
    async stop() {
      await running.stop()
      await outbox.stop()
      await database.drop()
    },
  }
}

/** The server of a test file: one for all its tests. */
export function useServer(settings: Record<string, string> = {}): TestServer {
  const holder = {} as TestServer
  beforeAll(async () => void Object.assign(holder, await startTestServer(inject('postgres'), settings)))
  afterAll(() => holder.stop?.())
  return holder
}
