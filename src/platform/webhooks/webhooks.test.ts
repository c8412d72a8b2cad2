import { createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { deliverWebhooks, purgeDeliveries } from './jobs.ts'
import type { HookEvent } from './rules.ts'

type Told = { type: string; timestamp: string; data: { id: string } }
type Heard = { path: string; headers: http.IncomingHttpHeaders; body: string; told: Told }

const hour = 3_600_000
let offset = 0

describe('issue 9: outgoing webhooks', () => {
  const now = () => new Date(Date.now() + offset)
  const server = useServer({ WEBHOOKS_LOCAL: 'true' }, { now })
  let heard: Heard[] = []
  let status = 200
  let receiver: http.Server
  let address: string

  beforeAll(async () => {
    receiver = http.createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => void (body += chunk.toString()))
      request.on('end', () => {
        heard.push({ path: request.url ?? '', headers: request.headers, body, told: JSON.parse(body) as Told })
        response.writeHead(status).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    await server.rows('delete from webhooks')
    heard = []
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

  it('tells what happened and to which, and nothing else; signed as Standard Webhooks describes', async () => {
    const { secret, webhook } = await make(['contact.created'])
    const patient = await (await server.as('sales_rep')).contacts.create(ana())
    const [one] = await until(() => heard.length > 0 && heard)
    expect(one!.told).toEqual({ type: 'contact.created', timestamp: expect.any(String), data: { id: patient.id } })
    expect(one!.body).not.toContain('Secretname')
    const id = String(one!.headers['webhook-id'])
    const at = String(one!.headers['webhook-timestamp'])
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${at}.${one!.body}`).digest('base64')
    expect(one!.headers['webhook-signature']).toBe(`v1,${expected}`)
    const [delivery] = await until(async () => {
      const all = await deliveriesOf(webhook.id)
      return all[0]?.state === 'delivered' && all
    })
    expect(delivery).toMatchObject({ id, event: 'contact.created', subjectId: patient.id, attempts: 1, status: 200, failure: null })
  })

  it('tells each kind that was chosen, and none that was not', async () => {
    await make(['contact.stage_changed', 'appointment.booked', 'contact.deleted'])
    const sales = await server.as('sales_rep')
    const patient = await sales.contacts.create(ana())
    await sales.contacts.update({ id: patient.id, version: 1, city: 'Ottawa' })
    await sales.contacts.update({ id: patient.id, version: 2, funnelStage: 'consult_booked' }).catch(() => {})
    const [stage] = await server.rows<{ id: string }>("select id from funnel_stages where value <> 'lead' and kind = 'open' limit 1")
    const { version } = await sales.contacts.get({ id: patient.id })
    if (version === 2) await sales.contacts.update({ id: patient.id, version, funnelStage: stage!.id })
    await until(() => heard.some(({ told }) => told.type === 'contact.stage_changed'))
    await sales.contacts.delete({ id: patient.id })
    await until(() => heard.some(({ told }) => told.type === 'contact.deleted'))
    expect([...new Set(heard.map(({ told }) => told.type))].toSorted()).toEqual(['contact.deleted', 'contact.stage_changed'])
  })

  it('a change that is rolled back tells nothing; many changes before it is sent are told once', async () => {
    const { webhook } = await make(['contact.changed'])
    await server.rows("update webhooks set busy_until = now() + interval '1 hour'")
    const id = await insertContact(server)
    await server.rows('begin; update contacts set version = version + 1; rollback')
    expect(await deliveriesOf(webhook.id)).toEqual([])
    for (let i = 0; i < 3; i++) await server.rows('update contacts set version = version + 1 where id = $1', [id])
    expect((await deliveriesOf(webhook.id)).map(({ subjectId }) => subjectId)).toEqual([id])
    await server.rows('update webhooks set busy_until = null')
    await run()
    expect(heard.map(({ told }) => told.data.id)).toEqual([id])
  })

  it('what is refused is tried again, less and less often, under the same id; ten times at most', async () => {
    const { webhook } = await make(['contact.created'])
    status = 500
    const id = await insertContact(server)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.failure === 'status' && !(await isBusy()))
    for (let attempt = 2; attempt <= 4; attempt++) {
      await run()
      expect(heard).toHaveLength(attempt - 1) // not before its time
      offset += [60_000, 5 * 60_000, 30 * 60_000][attempt - 2]! + 1_000
      await run()
      expect(heard).toHaveLength(attempt)
    }
    expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
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
    const before = heard.length
    await (await server.as('admin')).webhooks.retry({ id: failed!.id })
    await until(() => heard.length > before)
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect((await (await server.as('admin')).webhooks.list())[0]).toMatchObject({ failingSince: null, waiting: 0 })
  })

  it('an address that has taken nothing for five days is switched off, in the audit log; switched on again, it gets what waits', async () => {
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
    const before = heard.length
    await insertContact(server)
    await run()
    expect(heard.length).toBe(before)
    status = 200
    offset += 24 * hour
    await admin.webhooks.change({ id: webhook.id, url: webhook.url, events: ['contact.created'], isOn: true })
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect(await shown()).toMatchObject({ gaveUp: false, disabledAt: null, failingSince: null })
  })

  it('an address that says 410 is told nothing more', async () => {
    const { webhook } = await make(['contact.created'])
    status = 410
    await insertContact(server)
    await until(async () => (await (await server.as('admin')).webhooks.list()).find(({ id }) => id === webhook.id)?.gaveUp)
  })

  it('what a killed process had begun is sent by the next, and two at once send it once', async () => {
    const { webhook } = await make(['contact.created'])
    await server.rows("update webhooks set busy_until = now() + interval '50 seconds'")
    await insertContact(server)
    await run()
    expect(heard).toEqual([])
    offset = 61_000 // anyone who held it is gone
    await Promise.all([run(), run(), run()])
    await until(async () => (await deliveriesOf(webhook.id))[0]?.state === 'delivered')
    expect(heard).toHaveLength(1)
  })

  it('an address that does not answer is left alone for a minute, however much waits for it', async () => {
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

  it('an import of many is told patient by patient', async () => {
    const { webhook } = await make(['contact.created'])
    await server.rows(
      `insert into contacts (first_name, last_name, funnel_stage) select 'A', i::text, (select id from funnel_stages where value = 'lead') from generate_series(1, 200) as i`,
    )
    await until(async () => (await (await server.as('admin')).webhooks.list()).find(({ id }) => id === webhook.id)?.waiting === 0)
    expect(new Set(heard.map(({ told }) => told.data.id)).size).toBe(200)
  })

  it('private and loopback addresses are refused as they are typed, with the field', async () => {
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

  it('a test is sent; to one that is off it is not', async () => {
    const { webhook } = await make(['contact.created'])
    const admin = await server.as('admin')
    await admin.webhooks.test({ id: webhook.id })
    await until(() => heard.some(({ told }) => told.type === 'webhook.test'))
    await admin.webhooks.change({ id: webhook.id, url: webhook.url, events: ['contact.created'], isOn: false })
    await expect(admin.webhooks.test({ id: webhook.id })).rejects.toMatchObject({ status: 409 })
    await expect(admin.webhooks.test({ id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  it('a new secret signs from then on; secrets are sealed, and in no list and no log', async () => {
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
    const [one] = await until(() => heard.length > 0 && heard)
    const key = Buffer.from(rotated.secret.replace('whsec_', ''), 'base64')
    const [id, at] = [String(one!.headers['webhook-id']), String(one!.headers['webhook-timestamp'])]
    expect(one!.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(`${id}.${at}.${one!.body}`).digest('base64')}`)
  })

  it('is deleted with what waits; what is older than 30 days is forgotten', async () => {
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
