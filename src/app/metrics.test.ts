import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { useServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { openLog } from '../kernel/log.ts'

const token = 'token-of-the-tests-0123'

/** The samples of a scrape, by name with labels. */
const samplesOf = (text: string): Map<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^([^#\s]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return name ? [[name, Number(value)] as const] : []
    }),
  )

describe('metrics behind a token on the main port', () => {
  const server = useServer({ METRICS_TOKEN: token })
  const scrape = async () => {
    const answer = await server.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    return samplesOf(await answer.text())
  }

  it('refuses a scrape without the token, or with another one', async () => {
    expect((await server.request('/metrics')).status).toBe(401)
    const wrong = await server.request('/metrics', { headers: { authorization: `Bearer ${token}4` } })
    expect([wrong.status, await wrong.json()]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Send METRICS_TOKEN as a bearer token' }])
  })

  it('counts requests by the name of their route and the class of their status, whatever is in their path', async () => {
    const client = await server.as('admin')
    await client.tags.list()
    await server.request('/api/contacts/5f0b5f1e-0000-4000-8000-000000000000')
    await server.request('/api/quotes/secret-name.pdf')
    await server.request('/api/no-such-call')
    const found = await until(async () => {
      const samples = await scrape()
      return samples.has('refyne_http_request_duration_seconds_count{route="unmatched",status="4xx"}') && samples
    })
    const count = (route: string, status: string) =>
      found.get(`refyne_http_request_duration_seconds_count{route="${route}",status="${status}"}`)
    expect([count('tags.list', '2xx'), count('contacts.get', '4xx'), count('quotes.pdf', '4xx')]).toEqual([1, 1, 1])
    expect([...found.keys()].filter((name) => /5f0b|secret-name/.test(name))).toEqual([])
  })

  it('measures jobs, emails and calls of other systems', async () => {
    await server.account({ email: 'someone@clinic.example' })
    await server.client().auth.requestPasswordReset({ email: 'someone@clinic.example' })
    const found = await until(async () => {
      const samples = await scrape()
      return samples.has('refyne_emails_total{vendor="postmark",outcome="sent"}') && samples
    })
    expect(found.get('refyne_vendor_call_duration_seconds_count{vendor="postmark",outcome="ok"}')).toBe(1)
    expect(
      [...found.keys()].some((name) => /^refyne_job_duration_seconds_count\{name="mail\.[a-z-]+",outcome="completed"\}/i.test(name)),
    ).toBe(true)
  })

  it('reports pools, streams, the queue, the audit log and the disk', async () => {
    const job = 'job.of.the.tests'
    await server.rows(`select graphile_worker.add_job($1, run_at => now() - interval '1 hour')`, [job])
    const samples = await scrape()
    expect(samples.get(`refyne_jobs_waiting{name="${job}"}`)).toBe(1)
    expect(samples.get(`refyne_oldest_due_job_seconds{name="${job}"}`)).toBeGreaterThanOrEqual(3_600)
    expect(samples.get('refyne_database_pool_size{pool="requests"}')).toBe(4)
    expect(samples.get('refyne_database_up')).toBe(1)
    for (const name of ['refyne_event_streams', 'refyne_audit_unsealed_seconds', 'refyne_database_waiting{pool="jobs"}'])
      expect(samples.has(name)).toBe(true)
    expect(samples.get('refyne_data_dir_bytes{state="free"}')).toBeGreaterThan(0)
    await server.rows('update graphile_worker._private_jobs set attempts = max_attempts')
    expect((await scrape()).get(`refyne_jobs_failed{name="${job}"}`)).toBe(1)
  })
})

describe('alert rules and the dashboard (deploy/)', () => {
  const server = useServer({ METRICS_TOKEN: token })
  const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../../deploy', name), 'utf8')
  const rules = z.strictObject({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.strictObject({ summary: z.string(), description: z.string() }),
          }),
        ),
      }),
    ),
  })
  const dashboard = z.looseObject({
    uid: z.literal('refyne'),
    panels: z.array(z.looseObject({ id: z.number(), targets: z.array(z.looseObject({ expr: z.string() })).default([]) })),
  })
  /** In a dashboard, each panel has its own id. */
  const expressions = () => {
    const { panels } = dashboard.parse(JSON.parse(read('grafana-dashboard.json')))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const alerts = rules.parse(parseYaml(read('prometheus-alerts.yml'))).groups.flatMap((group) => group.rules)
    return [...alerts.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]
  }

  it('name only metrics that a scrape has', async () => {
    const answer = await server.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
    const known = new Set(
      [...(await answer.text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    const named = expressions().flatMap((expr) => expr.match(/\b(?:refyne|process|nodejs)_\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !known.has(name))).toEqual([])
    // And all of our own are used.
    const own = [...known].filter((name) => name?.startsWith('refyne_') && !name.endsWith('_sum'))
    expect(own.filter((name) => !named.includes(name!))).toEqual([])
  })
})

describe('metrics on their own port', () => {
  const server = useServer({ METRICS_PORT: '0' })
  let own: string
  beforeAll(() => {
    own = `${server.running.metricsUrl}/metrics`
  })

  it('serves them there without a token, and nothing else', async () => {
    expect(await (await fetch(own)).text()).toContain('process_resident_memory_bytes')
    expect((await fetch(`${own}/tags`)).status).toBe(404)
    expect((await fetch(own, { method: 'POST' })).status).toBe(405)
    expect(await (await server.request('/metrics')).text()).not.toContain('process_resident_memory_bytes')
  })

  it('answers while the database is away, with what the process knows', async () => {
    const elsewhere = await server.elsewhere()
    const [row] = await server.rows<{ name: string }>('select current_database() as name')
    try {
      await elsewhere.query(`alter database ${row?.name} allow_connections false`)
      await elsewhere.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'refyne%'",
        [row?.name],
      )
      const samples = samplesOf(await (await fetch(own)).text())
      expect(samples.get('refyne_database_up')).toBe(0)
      expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
      expect([...samples.keys()].filter((name) => /^refyne_(jobs|oldest|audit)/.test(name))).toEqual([])
    } finally {
      await elsewhere.query(`alter database ${row?.name} allow_connections true`)
      await elsewhere.end()
    }
  })
})

describe('the access log', () => {
  const lines: string[] = []
  const server = useServer({ ACCESS_LOG: 'true' }, { log: openLog('error', { write: (line) => void lines.push(line) }) })

  it('has one line for each request: its route and who asked, and neither its path nor its query', async () => {
    const { id, cookie } = await server.account({ role: 'admin' })
    const answer = await server.request('/api/contacts/5f0b5f1e-0000-4000-8000-000000000000?search=Desjardins', { headers: { cookie } })
    const requestId = answer.headers.get('x-request-id')
    await answer.text()
    const line = await until(() => lines.find((text) => text.includes(requestId ?? '')))
    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.any(Number),
      requestId,
      route: 'contacts.get',
      method: 'GET',
      status: 422,
      milliseconds: expect.any(Number),
      bytes: expect.any(Number),
      accountId: id,
      msg: 'Request',
    })
    expect(lines.filter((text) => text.includes(requestId ?? ''))).toHaveLength(1)
    expect(lines.join('')).not.toMatch(/5f0b|Desjardins/)
  })
})
