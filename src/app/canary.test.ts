import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { calls, encode } from '../../test/access/calls.ts'
import { startCollector } from '../../test/collector.ts'
import { insertOneOfEach, type OneOfEach } from '../../test/factories.ts'
import { startTestServer, type TestServer, webhookKey } from '../../test/server.ts'
import { sideBySide } from '../../test/side-by-side.ts'
import { until } from '../../test/until.ts'
import { permissions, rawRoutes } from '../kernel/access/policy.ts'
import { openLog } from '../kernel/log.ts'

/** A word that stands nowhere by itself; as a name, a note, a mail's text, a token, a code and a password. */
const canary = 'Qxanaryvz'
/** As it is written where it is encoded, or folded. */
const traces = [canary, Buffer.from(canary).toString('base64').slice(0, -2), Buffer.from(canary).toString('hex')].map((text) =>
  text.toLowerCase(),
)

const metricsToken = 'metrics-token-of-the-tests'

type Property = { type?: string; format?: string; enum?: unknown; const?: unknown; pattern?: string; anyOf?: Property[] }
/** Whether a field takes any text. */
const isText = (property: Property): boolean =>
  (property.type === 'string' && !property.format && !property.enum && property.const === undefined && !property.pattern) ||
  (property.anyOf ?? []).some(isText)

describe('no user text, message or credential appears in a log, in metrics or in traces (spec 9)', () => {
  const lines: string[] = []
  let server: TestServer
  let made: OneOfEach
  let cookie: string
  let collector: Awaited<ReturnType<typeof startCollector>>
  beforeAll(async () => {
    collector = await startCollector()
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...body: unknown[]) => void lines.push(body.map(String).join(' ')))
    const log = openLog('debug', { write: (line) => void lines.push(line) })
    const settings = {
      POSTMARK_HOOK_PASSWORD: 'hook-password-of-the-tests',
      ACCESS_LOG: 'true',
      METRICS_TOKEN: metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }
    server = await startTestServer(inject('postgres'), settings, { log })
    cookie = await server.signIn('admin')
    made = await insertOneOfEach(server)
  })
  afterAll(async () => {
    await server.stop()
    await collector.stop()
  })

  /** Every call with the canary in all of its texts at once, and in each by itself; in its path, its query, its cookie and its headers. */
  const sing = async (parts: 'each text' | 'all at once') => {
    const requests = calls.flatMap((call) => {
      if (call.name === 'events.subscribe' || call.name === 'auth.signOut') return []
      const schema = call.inputSchema ? z.toJSONSchema(call.inputSchema as z.ZodType, { io: 'input', unrepresentable: 'any' }) : {}
      const texts = Object.entries((schema as { properties?: Record<string, Property> }).properties ?? {}).flatMap(([name, property]) =>
        isText(property) ? [name] : [],
      )
      const valid = call.validInput(made)
      const all = Object.fromEntries(texts.map((name) => [name, /mail/i.test(name) ? `${canary}@elsewhere.example` : `${canary} ${name}`]))
      const single = parts === 'each text' ? texts.map((name) => ({ ...valid, [name]: all[name] })) : []
      const inputs = [{ ...valid, ...all }, ...single, { ...valid, [canary]: canary }]
      return inputs.map((input) => ({ method: call.method, ...encode(call, input) }))
    })
    await sideBySide(requests, async ({ method, path, body }) => {
      const answer = await server.request(path, {
        method,
        headers: {
          cookie,
          authorization: `Bearer ${canary}`,
          'idempotency-key': canary,
          'user-agent': canary,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body } : {}),
      })
      await answer.text()
    })
  }

  /** The doors that are no typed calls. */
  const singElsewhere = async () => {
    const json = { 'content-type': 'application/json' }
    const post = async (path: string, body: string, headers: Record<string, string> = json) =>
      void (await (await server.request(path, { method: 'POST', headers, body })).text())
    const lead = JSON.stringify({
      first_name: canary,
      last_name: canary,
      email: `${canary}${randomUUID()}@elsewhere.example`,
      notes: canary,
    })
    await post(`/api/leads/${webhookKey}`, lead)
    await post(`/api/leads/${canary}`, lead)
    await post(`/api/leads/${webhookKey}`, `{"first_name": "${canary}`)
    const auth = `Basic ${Buffer.from('postmark:hook-password-of-the-tests').toString('base64')}`
    const mail = { MessageID: canary, From: `${canary}@elsewhere.example`, Subject: canary, TextBody: canary, To: 'team@refyne.example' }
    for (const path of ['/api/hooks/postmark/inbound', '/api/hooks/postmark/events']) {
      await post(path, JSON.stringify(mail), { ...json, authorization: auth })
      await post(path, JSON.stringify(mail), { ...json, authorization: `Basic ${canary}` })
      await post(path, canary, { ...json, authorization: auth })
    }
    await post('/api/hooks/nylas', JSON.stringify({ type: canary, data: canary }), { ...json, 'x-nylas-signature': canary })
    await post('/api/hooks/stripe', JSON.stringify({ id: canary, type: canary }), { ...json, 'stripe-signature': canary })
    await post(`/u/${canary}`, 'List-Unsubscribe=One-Click', { 'content-type': 'application/x-www-form-urlencoded' })
    await post(`/api/contacts/${made.contactId}/documents?name=${canary}.pdf`, canary, { cookie, 'content-type': 'application/pdf' })
    await post(`/api/imports?name=${canary}.csv`, `First name,Last name\r\n${canary},${canary}\r\n`, { cookie, 'content-type': 'text/csv' })
    await post('/api/email-templates/preview.html', `html=${canary}`, { cookie, 'content-type': 'application/x-www-form-urlencoded' })
    for (const path of [
      `/u/${canary}`,
      `/api/calendar/${canary}.ics`,
      `/api/functions/patient-document-file/${canary}`,
      `/${canary}?code=${canary}`,
    ])
      await (
        await server.request(path, { headers: { cookie: `refyne.session_token=${canary}`, authorization: `Bearer ${canary}` } })
      ).text()
  }

  const routes = new Set<string>([...Object.keys(permissions), ...Object.keys(rawRoutes), 'unmatched'])

  it('each log line is JSON with only the listed fields, whether calls and jobs succeed or fail', async () => {
    await sing('each text')
    await singElsewhere()
    made = await insertOneOfEach(server)
    await server.rows('revoke insert on audit_log from refyne_app')
    await sing('all at once')
    await singElsewhere()
    // What fails below the services quotes the row that it failed on.
    await server.rows("alter table contacts add constraint canaries check (first_name not like '%xanary%') not valid")
    await server.rows('grant insert on audit_log to refyne_app')
    await sing('all at once')
    await singElsewhere()
    await until(() => lines.some((line) => line.includes('A job failed')))
    expect(lines.filter((line) => line.includes('A call failed')).length).toBeGreaterThan(50)
    const seen = new Set<string>()
    for (const line of lines) {
      const found = traces.filter((trace) => line.toLowerCase().includes(trace))
      expect([found, found.length > 0 ? line : '']).toEqual([[], ''])
      // Said by a library before there is a build.
      if (line.startsWith('serveStatic: ')) continue
      for (const name of Object.keys(JSON.parse(line) as object)) seen.add(name)
    }
    expect([...seen].toSorted()).toEqual(
      [
        'accountId',
        'attempt',
        'bytes',
        'error',
        'job',
        'kind',
        'level',
        'method',
        'milliseconds',
        'msg',
        'reason',
        'requestId',
        'retried',
        'route',
        'seal',
        'status',
        'time',
      ].filter((name) => seen.has(name)),
    )
    await server.running.flushTraces()
    expect(collector.spans.length).toBeGreaterThan(1_000)
    expect(collector.bodies.filter((body) => traces.some((trace) => body.toLowerCase().includes(trace)))).toEqual([])
    const scrape = await (await server.request('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })).text()
    expect(scrape).toContain('refyne_http_request_duration_seconds_count{route="contacts.create",status="2xx"}')
    expect(traces.filter((trace) => scrape.toLowerCase().includes(trace))).toEqual([])
    expect([...scrape.matchAll(/route="([^"]*)"/g)].map(([, route]) => route).filter((route) => !routes.has(route!))).toEqual([])
  }, 180_000)
})
