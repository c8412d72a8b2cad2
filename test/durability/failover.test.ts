import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../network/tcp-proxy.ts'
import { until } from '../until.ts'
import { type Pair, startPair } from '../standby.ts'
import { leadSources } from '../../src/crm/lead-sources/table.ts'
import { startServer, type RunningServer } from '../../src/app/serve.ts'
import { readEnv } from '../../src/kernel/env.ts'
import { openLog } from '../../src/kernel/log.ts'
import { hashToken } from '../../src/kernel/tokens.ts'
import { storePasswordHash } from '../../src/platform/auth/passwords.ts'
import { activateAccount } from '../../src/platform/auth/service.ts'
import { testSecret } from '../database.ts'
import { password } from '../server.ts'

const key = 'a-key-of-the-web-form'

type Failure = (pair: Pair, toPrimary: TcpProxy) => Promise<void> | void

describe.each<[string, Failure]>([
  ['stops', ({ primary }) => primary.stop()],
  ['vanishes, and its connections stay open', (_pair, toPrimary) => toPrimary.pause()],
])('the primary %s, and a standby is promoted', (_how, fail) => {
  let pair: Pair
  let proxies: TcpProxy[]
  let running: RunningServer
  beforeAll(async () => {
    pair = await startPair()
    await pair.query(pair.primary, 'create database clinic')
    proxies = await Promise.all([pair.primary, pair.standby].map(({ url }) => startTcpProxy(url('clinic'))))
    const hosts = proxies.map(({ url }) => new URL(url).host).join(',')
    const DATABASE_URL = `postgresql://postgres@${hosts}/clinic?target_session_attrs=read-write`
    const settings = { DATABASE_URL, DATABASE_REPLICA_URL: proxies[1]!.url, REPLICA_LAG_SECONDS: '60', DATABASE_POOL: '3' }
    running = await startServer(readEnv({ PORT: '0', APP_SECRET: testSecret, ...settings }), { log: openLog('silent') })
    await running.prepared
    await running.runtime.db.insert(leadSources).values({ name: 'Form of the test', webhookKeyHash: hashToken(key) })
  })
  afterAll(async () => {
    await running.stop()
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await pair.stop()
  })

  const send = async (n: number): Promise<number> => {
    const body = JSON.stringify({ first_name: 'Ana', last_name: `Silva ${n}`, email: `ana.${n}@example.com` })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${running.url}/api/leads/${key}`, { method: 'POST', headers, body })).status
  }

  it('until then the standby answers reports, exports, the dashboard, totals and the audit log', async () => {
    const { db, reads } = running.runtime
    const email = 'admin@clinic.example'
    const id = await activateAccount(db, { firstName: 'Test', lastName: 'Admin', email, role: 'admin' })
    await storePasswordHash(db, id, await hash(password, { memoryCost: 8, timeCost: 1 }))
    const headers = { 'content-type': 'application/json' }
    const signedIn = await fetch(`${running.url}/api/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
    const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') // prettier-ignore
    expect(await send(-1)).toBe(202)
    const count = `/api/contacts/count?tagId=${randomUUID()}`
    const calls = [
      '/api/reports/leads',
      '/api/reports.csv?report=leads',
      '/api/contacts/export.csv',
      '/api/dashboard',
      count,
      '/api/audit',
      '/api/audit.xlsx',
    ]
    await until(() => reads.latestFor(id) !== db && reads.recentFor(id) !== db)
    for (const path of calls) expect([path, (await fetch(running.url + path, { headers: { cookie } })).status]).toEqual([path, 200])
    expect(reads.recentFor(id)).not.toBe(db)
  })

  it('loses no acknowledged lead, answers 503 until then, and continues without a restart', async () => {
    const acknowledged: number[] = []
    const others = new Set<number>()
    let sent = 0
    const over = new AbortController()
    const sending = (async () => {
      while (!over.signal.aborted) {
        const n = sent++
        const status = await send(n)
        if (status === 202) acknowledged.push(n)
        else others.add(status)
      }
    })()
    await until(() => acknowledged.length > 20)
    await fail(pair, proxies[0]!)
    await until(() => others.size > 0)
    const before = acknowledged.length
    await pair.query(pair.standby, 'select pg_promote()')
    await until(() => acknowledged.length > before + 20)
    over.abort()
    await sending
    expect([...others]).toEqual([503])
    await until(async () => {
      // Not through the server, which may still find out that one of its connections leads to the old primary.
      const rows = await pair.query<{ name: string }>(pair.standby, 'select last_name as name from contacts', 'clinic')
      const found = new Set(rows.map(({ name }) => name))
      return acknowledged.every((n) => found.has(`Silva ${n}`))
    })
    expect((await fetch(`${running.url}/health/ready`)).status).toBe(200)
  })
})
