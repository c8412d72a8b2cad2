import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type NylasSimulator, type NylasSimulatorOptions, startNylasSimulator } from './server.ts'
import { signatureOf } from './webhooks.ts'

const redirectUri = 'http://127.0.0.1:4100/auth/nylas/callback'

let simulator: NylasSimulator
let grant: string

beforeEach(() => start())
afterEach(() => simulator.stop())

async function start(options: NylasSimulatorOptions = {}) {
  simulator = await startNylasSimulator({ clientId: 'client', apiKey: 'key', messages: 300, ...options })
  grant = simulator.connect().id
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

async function call(method: string, path: string, body?: object, key = 'key'): Promise<{ status: number; headers: Headers; body: Json }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${simulator.url}/v3/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

const list = async (query: Record<string, string>) => (await call('GET', `grants/${grant}/messages?${new URLSearchParams(query)}`)).body
const folder = async (attribute: string, id = grant) =>
  (await call('GET', `grants/${id}/folders`)).body.data.find((one: Json) => one.attributes.includes(attribute))

describe('sign-in', () => {
  const asked = (change: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: 'client',
      redirect_uri: redirectUri,
      response_type: 'code',
      state: 'a&b',
      provider: 'google',
      ...change,
    })
  const press = async (answer: string, change: Record<string, string> = {}) => {
    const body = new URLSearchParams([...asked(change), ['email', 'Dr@clinic.example'], ['answer', answer]])
    const reply = await fetch(`${simulator.url}/v3/connect/auth`, { method: 'POST', body, redirect: 'manual' })
    return new URL(reply.headers.get('location') ?? '')
  }
  const exchange = (code: string | null, change: object = {}) =>
    call('POST', 'connect/token', {
      client_id: 'client',
      client_secret: 'key',
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...change,
    })

  test('shows a consent page whose Allow button redirects with a code and the state', async () => {
    const page = await (await fetch(`${simulator.url}/v3/connect/auth?${asked()}`)).text()
    expect(page).toContain('Allow')
    const { searchParams } = await press('allow')
    expect(searchParams.get('state')).toBe('a&b')
    const { status, body } = await exchange(searchParams.get('code'))
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { email: 'dr@clinic.example', provider: 'google', grant_id: expect.any(String) },
    })
    expect(body.refresh_token).toBeUndefined()
  })

  test('redirects with access_denied and no code on Cancel', async () => {
    const { searchParams } = await press('cancel')
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 'a&b' })
    expect(searchParams.has('code')).toBe(false)
  })

  test.each<Record<string, string>>([
    { client_id: 'other' },
    { redirect_uri: 'javascript:alert(1)' },
    { response_type: 'token' },
    { provider: 'fax' },
  ])('a request with %j sends nobody anywhere: 400', async (change) => {
    const answer = await fetch(`${simulator.url}/v3/connect/auth?${asked(change)}&auto=1`, { redirect: 'manual' })
    expect(answer.status).toBe(400)
  })

  test('exchanges a code once, with the right key and the same redirect URI', async () => {
    const code = async () => (await press('allow')).searchParams.get('code')
    expect(await exchange(await code(), { client_secret: 'wrong' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await exchange(await code(), { redirect_uri: 'http://other.test/' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    const good = await code()
    expect(await exchange(good)).toMatchObject({ status: 200 })
    expect(await exchange(good)).toMatchObject({ status: 400, body: { error: 'invalid_grant', error_code: 400 } })
  })

  test('reuses and revalidates the grant on a second sign-in', async () => {
    await simulator.expire(grant)
    expect(simulator.connect().id).toBe(grant)
    expect((await call('GET', `grants/${grant}`)).body.data.grant_status).toBe('valid')
  })

  test('limits an access token to its own grant, also addressed as me', async () => {
    const { body } = await exchange((await press('allow', { access_type: 'offline' })).searchParams.get('code'))
    expect(await call('GET', 'grants/me', undefined, body.access_token)).toMatchObject({ body: { data: { id: body.grant_id } } })
    expect((await call('GET', `grants/${grant}`, undefined, body.access_token)).status).toBe(404)
    expect(body.refresh_token).toEqual(expect.any(String))
  })
})

describe('reading', () => {
  test('counts the same messages in folders as in their lists', async () => {
    for (const attribute of ['\\Inbox', '\\Sent', '\\Archive', '\\Junk', '\\Trash']) {
      const { id, total_count, unread_count } = await folder(attribute)
      expect((await list({ in: id, limit: '200' })).data).toHaveLength(Math.min(200, total_count))
      expect((await list({ in: id, unread: 'true', limit: '200' })).data).toHaveLength(unread_count)
    }
  })

  test('keeps pages stable while emails arrive', async () => {
    const first = await list({ limit: '20' })
    await simulator.receive({ from: { email: 'new@mail.example' }, subject: 'New' })
    const second = await list({ limit: '20', page_token: first.next_cursor })
    const dates = [...first.data, ...second.data].map(({ date }: Json) => date)
    expect(dates).toEqual(dates.toSorted((a, b) => b - a))
    expect(new Set([...first.data, ...second.data].map(({ id }: Json) => id)).size).toBe(40)
    expect((await list({ limit: '1' })).data[0]).toMatchObject({ subject: 'New', unread: true, from: [{ email: 'new@mail.example' }] })
  })

  test('applies filters', async () => {
    const [any] = (await list({ has_attachment: 'true', limit: '1' })).data
    const email = any.from[0].email
    const all = (rows: Json[], test: (row: Json) => boolean) => expect(rows.length > 0 && rows.every(test)).toBe(true)
    all((await list({ any_email: email })).data, (row) => JSON.stringify([row.from, row.to, row.cc]).includes(email))
    all((await list({ thread_id: any.thread_id })).data, (row) => row.thread_id === any.thread_id)
    all((await list({ subject: any.subject })).data, (row) => row.subject.includes(any.subject))
    all((await list({ received_after: String(any.date - 1) })).data, (row) => row.date >= any.date)
    all((await list({ search_query_native: 'has:attachment' })).data, (row) => row.attachments.length > 0)
  })

  test('searches spam only when it is the searched folder', async () => {
    const { body } = await call('GET', `grants/${grant}/folders`)
    const spam = body.data.find(({ attributes }: Json) => attributes.includes('\\Junk')).id
    const isSpam = ({ folders }: Json) => folders.includes(spam)
    const found = (await list({ search_query_native: 'is:unread', in: spam })).data
    expect(found.length > 0 && found.every(isSpam)).toBe(true)
    expect((await list({ search_query_native: 'is:unread' })).data.some(isSpam)).toBe(false)
  })

  test.each<Record<string, string>>([
    { limit: '0' },
    { limit: '201' },
    { in: 'inbox' },
    { unread: 'yes' },
    { page_token: 'x' },
    { search_query_native: 'a', unread: 'true' },
  ])('refuses %j: 400', async (query) => {
    const answer = await call('GET', `grants/${grant}/messages?${new URLSearchParams(query)}`)
    expect(answer).toMatchObject({ status: 400, body: { request_id: expect.any(String), error: { type: 'invalid_request_error' } } })
  })

  test('lists threads by their newest message, with the ids of their messages', async () => {
    const { body } = await call('GET', `grants/${grant}/threads?limit=50`)
    const dates = body.data.map(({ latest_draft_or_message }: Json) => latest_draft_or_message.date)
    expect(dates).toEqual(dates.toSorted((a: number, b: number) => b - a))
    const long = body.data.find(({ message_ids }: Json) => message_ids.length > 2)
    expect((await list({ thread_id: long.id })).data.map(({ id }: Json) => id).toSorted()).toEqual(long.message_ids.toSorted())
  })
})

describe('changing', () => {
  test('moves a message to the archive and updates its folders', async () => {
    const inbox = await folder('\\Inbox')
    const archive = await folder('\\Archive')
    const [message] = (await list({ in: inbox.id, limit: '1' })).data
    const changed = await call('PUT', `grants/${grant}/messages/${message.id}`, { folders: [archive.id], unread: false })
    expect(changed.body.data).toMatchObject({ folders: [archive.id], unread: false })
    expect((await folder('\\Inbox')).total_count).toBe(inbox.total_count - 1)
    expect((await folder('\\Archive')).total_count).toBe(archive.total_count + 1)
    expect((await call('PUT', `grants/${grant}/messages/${message.id}`, { folders: ['none'] })).status).toBe(400)
  })

  test('archives a message in a Google mailbox by removing its INBOX label', async () => {
    const google = simulator.connect('google@clinic.example', 'google').id
    expect(await folder('\\Inbox', google)).toMatchObject({ id: 'INBOX', system_folder: true })
    const [thread] = (await call('GET', `grants/${google}/threads?in=INBOX&limit=1`)).body.data
    const folders = thread.folders.filter((id: string) => id !== 'INBOX' && id !== 'SENT')
    const changed = await call('PUT', `grants/${google}/threads/${thread.id}`, { folders })
    expect(changed.body.data.folders).not.toContain('INBOX')
  })

  test('refuses an email without a recipient or with an invalid address', async () => {
    const send = (body: object) => call('POST', `grants/${grant}/messages/send`, body)
    expect(await send({ to: [], subject: 'x' })).toMatchObject({ status: 400 })
    expect(await send({ to: [{ email: 'none' }] })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('to.0.email') } },
    })
  })
})

describe('failures', () => {
  test('refuses a wrong key: 401, an unknown grant: 404, and an expired one: 401 with the provider’s message', async () => {
    expect(await call('GET', `grants/${grant}/messages`, undefined, 'wrong')).toMatchObject({
      status: 401,
      body: { error: { type: 'unauthorized' } },
    })
    expect(await call('GET', 'grants/none/messages')).toMatchObject({ status: 404, body: { error: { type: 'grant.not_found' } } })
    await simulator.expire(grant)
    expect(await call('GET', `grants/${grant}/messages`)).toMatchObject({ status: 401, body: { error: { provider_error: { code: 401 } } } })
    expect((await call('GET', `grants/${grant}`)).body.data.grant_status).toBe('invalid')
  })

  test('injects faults on demand: 429 with retry-after, a connection that breaks after sending', async () => {
    simulator.fault({ kind: 'status', status: 429, retryAfter: 9 })
    const limited = await call('GET', `grants/${grant}/folders`)
    expect([limited.status, limited.headers.get('retry-after'), limited.body.error.type]).toEqual([429, '9', 'rate_limit_error'])
    simulator.fault({ kind: 'dropAfter', match: 'messages/send' })
    const before = simulator.mailbox().list().length
    await expect(call('POST', `grants/${grant}/messages/send`, { to: [{ email: 'a@b.example' }], subject: 'Once' })).rejects.toThrow(
      'fetch failed',
    )
    expect(simulator.mailbox().list()).toHaveLength(before + 1)
    simulator.setOffline(true)
    expect((await call('GET', `grants/${grant}/folders`)).status).toBe(503)
  })
})

test('sends signed notifications to a URL that answers the challenge', async () => {
  const got: { signature: unknown; body: string }[] = []
  let answersChallenge = false
  const receiver = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
    if (request.method === 'GET') return void response.end(answersChallenge ? asked : 'no')
    void text(request).then((body) => {
      got.push({ signature: request.headers['x-nylas-signature'], body })
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks/nylas`
  try {
    expect(await simulator.setWebhook({ url, secret: 's3cret' })).toBe(false)
    answersChallenge = true
    expect(await simulator.setWebhook({ url, secret: 's3cret' })).toBe(true)
    const { message, delivery } = await simulator.receive({ from: { email: 'p@mail.example' }, subject: 'Ça va?' })
    expect(delivery).toEqual({ status: 200, body: 'ok' })
    await simulator.redeliver()
    await simulator.expire(grant)
    expect(got.every(({ signature, body }) => signature === signatureOf(body, 's3cret'))).toBe(true)
    const [first, again, expired] = got.map(({ body }): Json => JSON.parse(body))
    expect(first).toMatchObject({ specversion: '1.0', type: 'message.created', webhook_delivery_attempt: 1 })
    expect(first.data).toMatchObject({ application_id: 'client', object: { id: message.id, grant_id: grant, subject: 'Ça va?' } })
    expect(again).toMatchObject({ id: first.id, time: first.time, webhook_delivery_attempt: 2 })
    expect(expired).toMatchObject({ type: 'grant.expired', data: { object: { grant_id: grant, code: 25009 } } })
  } finally {
    receiver.close()
  }
})

test('lists a thread as read only when all its messages are read', async () => {
  const { body } = await call('GET', `grants/${grant}/threads?unread=false&limit=200`)
  expect(body.data.length).toBeGreaterThan(0)
  expect(body.data.every(({ unread }: Json) => unread === false)).toBe(true)
})

test('keeps grants and message ids across a restart when a file is set', async () => {
  const folderOfFile = await mkdtemp(path.join(os.tmpdir(), 'refyne-nylas-'))
  const file = path.join(folderOfFile, 'grants.json')
  const restart = async () => {
    await simulator.stop()
    simulator = await startNylasSimulator({ clientId: 'client', apiKey: 'key', messages: 20, file })
  }
  await restart()
  const { id } = simulator.connect()
  const before = (await call('GET', `grants/${id}/messages?limit=200`)).body.data.map((message: Json) => message.id)
  await restart()
  expect((await call('GET', `grants/${id}/messages?limit=200`)).body.data.map((message: Json) => message.id)).toEqual(before)
  await rm(folderOfFile, { recursive: true })
})
