import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { deliverWebhooks, purgeDeliveries } from './jobs.ts'
import type { HookEvent } from './rules.ts'

type Payload = { type: string; timestamp: string; data: { id: string } }
type Received = { path: string; headers: http.IncomingHttpHeaders; body: string; payload: Payload }

const hour = 3_600_000
let offset = 0

describe('outgoing webhooks', () => {
  const now = () => new Date(Date.now() + offset)
  const server = useServer({ WEBHOOKS_LOCAL: 'true' }, { now })
  let received: Received[] = []
  let status = 200
  let receiver: http.Server
  let address: string

  beforeAll(async () => {
    receiver = http.createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => void (body += chunk.toString()))
      request.on('end', () => {
        received.push({ path: request.url ?? '', headers: request.headers, body, payload: JSON.parse(body) as Payload })
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    await server.rows('delete from webhooks')
    received = []
    status = 200
    offset = 0
  })

  const make = async (events: HookEvent[], path = '/hook') =>
    (await server.as('admin')).webhooks.create({ url: `${address}${path}`, events })
  const ana = () => ({ firstName: 'Ana', lastName: 'Secretname', email: `${crypto.randomUUID()}@elsewhere.example` })
  const run = () =>
    deliverWebhooks.run(
      { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'test', address: null } },
      {},
      { last: true },
    )
  const isBusy = async () => (await server.rows('select 1 from webhooks where busy_until is not null')).length > 0
  const deliveriesOf = async (id: string) => (await (await server.as('admin')).webhooks.deliveries({ id })).data

  it('sends only the event and ids, with a signature that the library of Standard Webhooks verifies', async () => {
    const { secret, webhook } = await make(['contact.created'])
    const patient = await (await server.as('sales_rep')).contacts.create(ana())
    const [one] = await until(() => received.length > 0 && received)
    expect(one!.payload).toEqual({ type: 'contact.created', timestamp: expect.any(String), data: { id: patient.id } })
    expect(one!.body).not.toContain('Secretname')
    const id = String(one!.headers['webhook-id'])
    const headers = one!.headers as Record<string, string>
    const verifier = new Webhook(secret)
    expect(verifier.verify(one!.body, headers)).toEqual(one!.payload)
    expect(() => verifier.verify(`${one!.body} `, headers)).toThrow(WebhookVerificationError)
    expect(() => verifier.verify(one!.body, { ...headers, 'webhook-id': randomUUID() })).toThrow(WebhookVerificationError)
    const [delivery] = await until(async () => {
      const all = await deliveriesOf(webhook.id)
      return all[0]?.state === 'delivered' && all
    })
    expect(delivery).toMatchObject({ id, event: 'contact.created', subjectId: patient.id, attempts: 1, status: 200, failure: null })
  })

  it('sends each selected event and no others', async () => {
    await make(['contact.stage_changed', 'appointment.booked', 'contact.deleted'])
    const sales = await server.as('sales_rep')
    const patient = await sales.contacts.create(ana())
    await sales.contacts.update({ id: patient.id, version: 1, city: 'Ottawa' })
    await sales.contacts.update({ id: patient.id, version: 2, funnelStage: 'consult_booked' }).catch(() => {})
    const [stage] = await server.rows<{ id: string }>("select id from funnel_stages where value <> 'lead' and kind = 'open' limit 1")
    const { version } = await sales.contacts.get({ id: patient.id })
    if (version === 2) await sales.contacts.update({ id: patient.id, version, funnelStage: stage!.id })
    await until(() => received.some(({ payload }) => payload.type === 'contact.stage_changed'))
    await sales.contacts.delete({ id: patient.id })
    await until(() => received.some(({ payload }) => payload.type === 'contact.deleted'))
    expect([...new Set(received.map(({ payload }) => payload.type))].toSorted()).toEqual(['contact.deleted', 'contact.stage_changed'])
  })

  it('sends nothing for a rollback, and one message for several changes before sending', async () => {
    const { webhook } = await make(['contact.changed'])
    await server.rows("update webhooks set busy_until = now() + interval '1 hour'")
    const id = await insertContact(server)
    await server.rows('begin; update contacts set version = version + 1; rollback')
    expect(await deliveriesOf(webhook.id)).toEqual([])
    for (let i = 0; i < 3; i++) await server.rows('update contacts set version = version + 1 where id = $1', [id])
    expect((await deliveriesOf(webhook.id)).map(({ subjectId }) => subjectId)).toEqual([id])
    await server.rows('update webhooks set busy_until = null')
    await run()
    await until(() => received.length > 0) // the server may have been sending it when this run began
    expect(received.map(({ payload }) => payload.data.id)).toEqual([id])
  })

  it('retries a refused delivery at growing intervals under the same id, ten times at most', async () => {
    const { webhook } = await make(['contact.created'])
    status = 500
    const id = await insertContact(server)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.failure === 'status' && !(await isBusy()))
    for (let attempt = 2; attempt <= 4; attempt++) {
      await run()
      expect(received).toHaveLength(attempt - 1) // not before it is due
      offset += [60_000, 5 * 60_000, 30 * 60_000][attempt - 2]! + 1_000
      await run()
      expect(received).toHaveLength(attempt)
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await deliveriesOf(webhook.id))[0]).toMatchObject({
      subjectId: id,
      state: 'waiting',
      attempts: 4,
      status: 500,
      failure: 'status',
    })
    expect((await (await server.as('admin')).webhooks.list())[0]).toMatchObject({ failingSince: expect.any(String), waiting: 1 })

    await server.rows('update webhook_deliveries set attempts = 9, next_attempt_at = null')
    await run()
    const [failed] = await deliveriesOf(webhook.id)
    expect(failed).toMatchObject({ state: 'failed', attempts: 10, nextAttemptAt: null })

    status = 200
    const before = received.length
    await (await server.as('admin')).webhooks.retry({ id: failed!.id })
    await until(() => received.length > before)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect((await (await server.as('admin')).webhooks.list())[0]).toMatchObject({ failingSince: null, waiting: 0 })
  })

  it('turns off an address after five days of failures, with an audit entry, and delivers the queue once turned on again', async () => {
    const { webhook } = await make(['contact.created'])
    status = 503
    await insertContact(server)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.failure === 'status' && !(await isBusy()))
    offset = 5 * 24 * hour + hour
    await run()
    const admin = await server.as('admin')
    const shown = async () => (await admin.webhooks.list()).find(({ id }) => id === webhook.id)!
    expect(await shown()).toMatchObject({ gaveUp: true, disabledAt: expect.any(String) })
    expect(
      await server.rows("select 1 from audit_log where kind = 'webhook' and action = 'changed' and actor_role = 'system'"),
    ).not.toEqual([])
    const before = received.length
    await insertContact(server)
    await run()
    expect(received.length).toBe(before)
    status = 200
    offset += 24 * hour
    await admin.webhooks.change({ id: webhook.id, url: webhook.url, events: ['contact.created'], isOn: true })
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect(await shown()).toMatchObject({ gaveUp: false, disabledAt: null, failingSince: null })
  })

  it('turns off an address that returns 410', async () => {
    const { webhook } = await make(['contact.created'])
    status = 410
    await insertContact(server)
    await until(async () => (await (await server.as('admin')).webhooks.list()).find(({ id }) => id === webhook.id)?.gaveUp)
  })

  it('resumes deliveries of a killed process, and sends once with two processes', async () => {
    const { webhook } = await make(['contact.created'])
    await server.rows("update webhooks set busy_until = now() + interval '50 seconds'")
    await insertContact(server)
    await run()
    expect(received).toEqual([])
    offset = 61_000 // any earlier lock has expired
    await Promise.all([run(), run(), run()])
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect(received).toHaveLength(1)
  })

  it('skips an unresponsive address for a minute, even with queued deliveries', async () => {
    const { webhook } = await (await server.as('admin')).webhooks.create({ url: 'http://127.0.0.1:1/', events: ['contact.created'] })
    for (let i = 0; i < 10; i++) await insertContact(server)
    await until(async () => (await deliveriesOf(webhook.id)).some(({ failure }) => failure === 'network'))
    await run()
    const tried = async () => (await deliveriesOf(webhook.id)).filter(({ attempts }) => attempts > 0).length
    const before = await tried()
    expect(before).toBeLessThanOrEqual(4)
    offset = 61_000
    await run()
    expect(await tried()).toBeGreaterThan(before)
  })

  it('sends one message per patient for a bulk import', async () => {
    const { webhook } = await make(['contact.created'])
    await server.rows(
      `insert into contacts (first_name, last_name, funnel_stage) select 'A', i::text, (select id from funnel_stages where value = 'lead') from generate_series(1, 200) as i`,
    )
    await until(async () => (await (await server.as('admin')).webhooks.list()).find(({ id }) => id === webhook.id)?.waiting === 0)
    expect(new Set(received.map(({ payload }) => payload.data.id)).size).toBe(200)
  })

  it('refuses private and loopback addresses on input, with the field', async () => {
    const cookie = await server.signIn('admin')
    for (const url of [
      'https://10.0.0.1/',
      'https://[::ffff:192.168.0.1]/',
      'http://example.com/',
      'https://a:b@example.com/',
      'nonsense',
    ]) {
      const answer = await server.send('POST', '/api/webhooks', { url, events: ['contact.created'] }, cookie)
      expect([url, answer.status]).toEqual([url, 422])
      expect(await answer.json()).toMatchObject({ code: 'ADDRESS_REFUSED', data: { fields: { url: expect.any(String) } } })
    }
  })

  it('sends a test unless the webhook is off', async () => {
    const { webhook } = await make(['contact.created'])
    const admin = await server.as('admin')
    await admin.webhooks.test({ id: webhook.id })
    await until(() => received.some(({ payload }) => payload.type === 'webhook.test'))
    await admin.webhooks.change({ id: webhook.id, url: webhook.url, events: ['contact.created'], isOn: false })
    await expect(admin.webhooks.test({ id: webhook.id })).rejects.toMatchObject({ status: 409 })
    await expect(admin.webhooks.test({ id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  it('signs with a new secret, and encrypts stored secrets, and keeps them out of lists and logs', async () => {
    const { secret, webhook } = await make(['contact.created'])
    const cookie = await server.signIn('admin')
    const rotated = await (await server.as('admin')).webhooks.rotateSecret({ id: webhook.id })
    expect(rotated.secret).not.toBe(secret)
    const list = await (await server.send('GET', '/api/webhooks', undefined, cookie)).text()
    const [stored] = await server.rows<{ all: string }>(
      "select (select string_agg(w::text, ' ') from webhooks as w) || (select string_agg(a::text, ' ') from audit_log as a where kind = 'webhook') as all",
    )
    for (const one of [secret, rotated.secret]) {
      expect(list).not.toContain(one.slice(6))
      expect(stored!.all).not.toContain(one.slice(6))
    }
    await insertContact(server)
    const [one] = await until(() => received.length > 0 && received)
    expect(new Webhook(rotated.secret).verify(one!.body, one!.headers as Record<string, string>)).toEqual(one!.payload)
  })

  it('deletes the queue with the webhook, and purges deliveries after 30 days', async () => {
    const { webhook } = await make(['contact.created'])
    await insertContact(server)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    offset = 31 * 24 * hour
    await purgeDeliveries.run(server.running.runtime as unknown as Scope, {}, { last: true })
    expect(await deliveriesOf(webhook.id)).toEqual([])
    const admin = await server.as('admin')
    await admin.webhooks.delete({ id: webhook.id })
    await expect(admin.webhooks.delete({ id: webhook.id })).rejects.toMatchObject({ status: 404 })
  })
})
