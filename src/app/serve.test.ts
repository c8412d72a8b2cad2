import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { insertContact } from '../../test/factories.ts'
import { password, startTestServer, useServer, webhookKey } from '../../test/server.ts'
import { openStream } from '../../test/network/stream.ts'
import { startTcpProxy, type TcpProxy } from '../../test/network/tcp-proxy.ts'
import { until } from '../../test/until.ts'

const statusAndCode = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code]

describe('health checks', () => {
  const server = useServer()
  it('answers live and ready to anyone, and never from a cache', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await server.send('GET', path)
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
    }
  })
  it('gives every response its own id, and forbids framing, sniffing and storing API responses', async () => {
    const answers = await Promise.all(['/api/tags', '/api/nothing', '/api/docs', '/health/live'].map((path) => server.send('GET', path)))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(4)
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    }
  })
})

describe('changes from before a page connected to its stream (spec 9)', () => {
  const server = useServer()
  it('replays as far back as the page asks, and reports a gap when the events are no longer kept', async () => {
    const cookie = await server.signIn('admin')
    const early = await openStream(server.url, cookie)
    const made = async () => {
      const { id } = await server.client(cookie).tags.create({ name: randomUUID() })
      await early.next((event) => event.id === id)
      return id
    }
    await made() // before the time that is asked for
    const before = performance.now()
    for (let n = 0; n < 20; n++) await server.account() // takes its time: the request for the stream may be half as long under way
    const from = (before + performance.now()) / 2
    const tag = await made()
    const asks = [performance.now() - from, 0, 86_400_000].map((replay) => openStream(server.url, cookie, Math.round(replay)))
    const streams = await Promise.all(asks)
    const last = await made()
    const heard = streams.map(async (stream) => {
      await stream.next(({ id }) => id === last)
      stream.close()
      return stream.received.map(({ topic, id }) => (topic === 'connected' ? topic : id))
    })
    expect(await Promise.all(heard)).toEqual([
      ['connected', tag, last],
      ['connected', last],
      ['connected', 'connected', last],
    ])
    early.close()
  })
})

describe.concurrent('the process never exits because of a database outage (spec 2)', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())))
  /** A server for one test, and the proxy through which it reaches its database. */
  const startBehindProxy = async () => {
    let proxy!: TcpProxy
    const reach = async (url: string) => {
      proxy = await startTcpProxy(url)
      return proxy.url
    }
    const server = await startTestServer(inject('postgres'), {}, { reach })
    cleanUps.push(async () => {
      await proxy.restore()
      await server.stop()
      await proxy.stop()
    })
    const isReady = async () => (await server.send('GET', '/health/ready')).status === 200
    return { server, proxy, isReady }
  }

  it('during an outage ready is 503 and calls return SERVICE_UNAVAILABLE; afterwards sessions, streams and jobs continue', async () => {
    const { server, proxy, isReady } = await startBehindProxy()
    const cookie = await server.signIn('admin')
    const unused = await server.account({ role: 'admin' }) // a session that the process does not know yet
    const contactId = await insertContact(server)
    const stream = await openStream(server.url, cookie)
    const timesConnected = () => stream.received.filter(({ topic }) => topic === 'connected').length
    const heard = await server.client(cookie).tags.create({ name: randomUUID() })
    await stream.next(({ id }) => id === heard.id)
    const connectedBefore = timesConnected()
    expect(await isReady()).toBe(true)

    await proxy.cut()
    await until(async () => !(await isReady()))
    expect((await server.send('GET', '/health/live')).status).toBe(200)
    const asked: [string, string, unknown?][] = [
      ['GET', '/api/contacts'],
      ['GET', '/api/contacts?search=ana'],
      ['GET', `/api/contacts/${contactId}`],
      ['POST', '/api/contacts', { firstName: 'Ana', lastName: 'Silva' }],
      ['PATCH', `/api/contacts/${contactId}`, { version: 1, city: 'Ottawa' }],
      ['POST', '/api/auth/sign-in', { email: 'admin@clinic.example', password }],
      ['POST', '/api/auth/sign-up', { firstName: 'A', lastName: 'B', email: 'a@clinic.example', password }],
      ['POST', '/api/auth/password-reset', { email: 'admin@clinic.example' }],
      ['GET', '/api/auth/session'],
      ['GET', '/api/auth/setup'],
      ['POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email: 'ana@example.com' }],
    ]
    for (const [method, path, body] of asked) {
      expect([method, path, ...(await statusAndCode(await server.send(method, path, body, cookie)))]).toEqual([
        method,
        path,
        503,
        'SERVICE_UNAVAILABLE',
      ])
    }
    expect(await statusAndCode(await server.send('GET', '/api/contacts', undefined, unused.cookie))).toEqual([503, 'SERVICE_UNAVAILABLE'])

    await proxy.restore()
    await until(isReady)
    expect((await server.send('GET', `/api/contacts/${contactId}`, undefined, cookie)).status).toBe(200)
    expect((await server.send('POST', '/api/auth/sign-in', { email: 'admin@clinic.example', password })).status).toBe(200)
    await until(() => timesConnected() > connectedBefore) // tells a browser that it may have missed something
    const tag = await server.client(cookie).tags.create({ name: randomUUID() })
    await stream.next(({ id }) => id === tag.id)
    stream.close()
    await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email: 'ana@example.com' })
    await until(async () => (await server.rows("select 1 from contacts where email = 'ana@example.com'")).length === 1)
  })

  it('ends the stream of a session that ended during the outage once the database is back, and keeps the others', async () => {
    const { server, proxy } = await startBehindProxy()
    const [gone, stays] = [await server.account(), await server.account()]
    const [ended, open] = [await openStream(server.url, gone.cookie), await openStream(server.url, stays.cookie)]
    await proxy.cut()
    await server.rows('delete from sessions where user_id = $1', [gone.id])
    await proxy.restore()
    await ended.ended(5_000)
    await until(() => open.received.length > 1)
    const tag = await server.client(stays.cookie).tags.create({ name: randomUUID() })
    await open.next(({ id }) => id === tag.id)
    open.close()
  })

  it('finishes jobs interrupted by an outage once the database is back', async () => {
    const { server, proxy, isReady } = await startBehindProxy()
    const emails = Array.from({ length: 8 }, () => `${randomUUID()}@example.com`)
    const holder = await server.hold('select pg_advisory_xact_lock(hashtextextended(email, 0)) from unnest($1::text[]) as email', [emails])
    await Promise.all(
      emails.map((email) => server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email })),
    )
    await until(async () => (await server.rows('select 1 from pg_locks where not granted')).length > 0)
    await proxy.cut()
    await holder.release()
    await until(async () => !(await isReady()))
    await proxy.restore()
    await until(isReady)
    // A job that failed three times, as it may on a busy machine, waits for half a minute.
    await until(async () => (await server.rows('select 1 from contacts where email = any($1)', [emails])).length === emails.length, 90_000)
    expect(await server.rows("select 1 from lead_entries where status <> 'completed'")).toEqual([])
    const { rows } = server
    await until(async () => (await rows("select 1 from graphile_worker.jobs where task_identifier = 'leads.process'")).length === 0)
  }, 150_000)

  it('runs a job that the queue gave to its worker in an answer that was lost', async () => {
    const { server } = await startBehindProxy()
    const email = `${randomUUID()}@example.com`
    const holder = await server.hold('select pg_advisory_xact_lock(hashtextextended($1, 0))', [email])
    await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email })
    const workerOf = async () =>
      (await server.rows<{ id: string }>('select locked_by as id from graphile_worker.jobs where locked_by is not null'))[0]
    const worker = await until(workerOf)
    // Fetched by the same worker, whose connection ended before the answer: it does not know about this job.
    await server.rows(
      `insert into graphile_worker._private_jobs (task_id, key, attempts, locked_by, locked_at)
       select id, 'lost', 1, $1, now() from graphile_worker._private_tasks where identifier = 'photo-uses.end-expired'`,
      [worker.id],
    )
    expect(await server.rows("select attempts from graphile_worker.jobs where key = 'lost'")).toEqual([{ attempts: 1 }])
    // The job that it does run is left alone.
    await until(async () => (await server.rows("select 1 from graphile_worker.jobs where key = 'lost'")).length === 0, 25_000)
    expect(await server.rows("select attempts, locked_by from graphile_worker.jobs where task_identifier = 'leads.process'")).toEqual([
      { attempts: 1, locked_by: worker.id },
    ])
    await holder.release()
  })

  it('answers 503 for ready within 10 s when the network drops every packet', async () => {
    const { server, proxy, isReady } = await startBehindProxy()
    proxy.pause()
    const start = Date.now()
    expect(await isReady()).toBe(false)
    expect(Date.now() - start).toBeLessThan(10_000)
    expect((await server.send('GET', '/health/live')).status).toBe(200)
    await proxy.restore()
    await until(isReady)
  })

  it('treats a database that refuses connections for a while as unavailable, not broken', async () => {
    const { server, isReady } = await startBehindProxy()
    const cookie = await server.signIn('admin')
    const [row] = await server.rows<{ name: string }>('select current_database() as name')
    const elsewhere = await server.elsewhere()
    try {
      await elsewhere.query(`alter database ${row?.name} allow_connections false`)
      await elsewhere.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'refyne%'",
        [row?.name],
      )
      await until(async () => !(await isReady()))
      expect(await statusAndCode(await server.send('GET', '/api/contacts', undefined, cookie))).toEqual([503, 'SERVICE_UNAVAILABLE'])
      await elsewhere.query(`alter database ${row?.name} allow_connections true`)
    } finally {
      await elsewhere.end()
    }
    await until(isReady)
    expect((await server.send('GET', '/api/contacts', undefined, cookie)).status).toBe(200)
  })
})
