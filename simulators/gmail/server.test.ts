import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GmailSimulator, startGmailSimulator } from './server.ts'

const redirectUri = 'http://127.0.0.1:4100/auth/gmail/callback'
const scope = 'https://www.googleapis.com/auth/gmail.modify'

let simulator: GmailSimulator
let token: string
let now: number

beforeEach(async () => {
  now = Date.UTC(2026, 4, 1, 15)
  simulator = await startGmailSimulator({ clientId: 'id', clientSecret: 'secret', messages: 300, now: () => now })
  token = simulator.connect().access_token
})
afterEach(() => simulator.stop())

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

async function call(method: string, path: string, body?: object, bearer = token): Promise<{ status: number; body: Json }> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await fetch(`${simulator.url}/gmail/v1/users/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

const get = async (path: string) => (await call('GET', `me/${path}`)).body
const post = async (path: string, body?: object) => await call('POST', `me/${path}`, body)

function raw(subject: string, headers: readonly string[] = [], body = 'Text\r\n'): string {
  const lines = ['To: Zoë <zoe@mail.example>', `Subject: ${subject}`, ...headers, 'Content-Type: text/plain; charset=UTF-8', '', body]
  return Buffer.from(lines.join('\r\n')).toString('base64url')
}

describe('sign-in', () => {
  const asked = (change: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: 'id',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state: 's',
      access_type: 'offline',
      ...change,
    })
  const allow = async (change?: Record<string, string>) => {
    const answer = await fetch(`${simulator.url}/o/oauth2/v2/auth?${asked(change)}&auto=1`, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  }
  const exchange = async (form: Record<string, string>): Promise<{ status: number; body: Json }> => {
    const body = new URLSearchParams({
      client_id: 'id',
      client_secret: 'secret',
      redirect_uri: redirectUri,
      grant_type: 'authorization_code',
      ...form,
    })
    const answer = await fetch(`${simulator.url}/token`, { method: 'POST', body })
    return { status: answer.status, body: await answer.json() }
  }

  test('shows a consent page whose Cancel button redirects with access_denied', async () => {
    expect(await (await fetch(`${simulator.url}/o/oauth2/v2/auth?${asked()}`)).text()).toContain('Allow')
    const body = new URLSearchParams([...asked(), ['answer', 'cancel']])
    const answer = await fetch(`${simulator.url}/o/oauth2/v2/auth`, { method: 'POST', body, redirect: 'manual' })
    expect(Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)).toEqual({ error: 'access_denied', state: 's' })
  })

  test.each<Record<string, string>>([{ client_id: 'other' }, { redirect_uri: 'ftp://x' }, { response_type: 'token' }, { scope: '' }])(
    'a request with %j sends nobody anywhere: 400',
    async (change) => {
      expect((await fetch(`${simulator.url}/o/oauth2/v2/auth?${asked(change)}&auto=1`, { redirect: 'manual' })).status).toBe(400)
    },
  )

  test('exchanges a code once, within ten minutes, with the right secret, address and verifier', async () => {
    const challenge = { code_challenge: createHash('sha256').update('verifier').digest('base64url'), code_challenge_method: 'S256' }
    expect(await exchange({ code: await allow(), client_secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await exchange({ code: await allow(), redirect_uri: 'http://x/' })).toMatchObject({ body: { error: 'redirect_uri_mismatch' } })
    expect(await exchange({ code: await allow(challenge), code_verifier: 'other' })).toMatchObject({ body: { error: 'invalid_grant' } })
    const code = await allow(challenge)
    expect(await exchange({ code, code_verifier: 'verifier' })).toMatchObject({ status: 200, body: { expires_in: 3599, scope } })
    expect(await exchange({ code, code_verifier: 'verifier' })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const late = await allow()
    now += 601_000
    expect(await exchange({ code: late })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('refuses to send or change with read-only access: 403', async () => {
    const readonly = 'https://www.googleapis.com/auth/gmail.readonly'
    const { access_token } = (await exchange({ code: await allow({ scope: readonly }) })).body
    expect((await call('GET', 'me/messages', undefined, access_token)).status).toBe(200)
    const refused = await call('POST', 'me/messages/send', { raw: raw('x') }, access_token)
    expect(refused).toMatchObject({ status: 403, body: { error: { errors: [{ reason: 'insufficientPermissions' }] } } })
  })
})

describe('reading', () => {
  test('counts messages per label, pages lists, and leaves out spam and trash', async () => {
    const inbox = await get('labels/INBOX')
    const ids: string[] = []
    for (let page = ''; ;) {
      const list = await get(`messages?labelIds=INBOX&maxResults=20&pageToken=${page}`)
      ids.push(...list.messages.map(({ id }: Json) => id))
      page = list.nextPageToken
      if (!page) break
    }
    expect(new Set(ids).size).toBe(inbox.messagesTotal)
    expect((await get('messages?labelIds=UNREAD&labelIds=INBOX')).resultSizeEstimate).toBe(inbox.messagesUnread)
    const { messagesTotal } = await get('profile')
    expect((await get('messages?includeSpamTrash=true')).resultSizeEstimate).toBe(messagesTotal)
    expect((await get('messages')).resultSizeEstimate).toBeLessThan(messagesTotal)
    expect(await get('messages?q=subject:nothing-like-this')).toEqual({ resultSizeEstimate: 0 })
  })

  test('returns each message format, and attachments by a separate call', async () => {
    const [{ id }] = (await get('messages?q=has:attachment')).messages
    const full = await get(`messages/${id}`)
    const file = full.payload.parts.find(({ filename }: Json) => filename !== '')
    const { size, data } = await get(`messages/${id}/attachments/${file.body.attachmentId}`)
    expect(Buffer.from(data, 'base64url')).toHaveLength(size)
    expect(size).toBe(file.body.size)
    const text = Buffer.from((await get(`messages/${id}?format=raw`)).raw, 'base64url').toString()
    expect(text).toContain(`Message-ID: ${full.payload.headers.find(({ name }: Json) => name === 'Message-ID').value}\r\n`)
    const metadata = await get(`messages/${id}?format=metadata&metadataHeaders=subject&metadataHeaders=From`)
    expect(metadata.payload.headers.map(({ name }: Json) => name)).toEqual(['Subject', 'From'])
    expect(Object.keys(await get(`messages/${id}?format=minimal`))).not.toContain('payload')
  })

  test('lists threads newest first with all their messages', async () => {
    const { threads } = await get('threads?maxResults=10&labelIds=INBOX')
    const [first] = threads
    const thread = await get(`threads/${first.id}`)
    expect(thread.messages.every(({ threadId }: Json) => threadId === first.id)).toBe(true)
    expect(thread.historyId).toBe(first.historyId)
  })
})

describe('writing', () => {
  test('sends an email from the account’s own address and adds it to the thread it replies to', async () => {
    const [{ id, threadId }] = (await get('messages?labelIds=INBOX')).messages
    const messageId = (await get(`messages/${id}`)).payload.headers.find(({ name }: Json) => name === 'Message-ID').value
    const sent = await post('messages/send', {
      raw: raw('=?UTF-8?Q?R=C3=A9?=', ['From: Someone <else@x.example>', `In-Reply-To: ${messageId}`]),
    })
    expect(sent).toMatchObject({ status: 200, body: { threadId, labelIds: ['SENT'] } })
    const { payload } = await get(`messages/${sent.body.id}`)
    expect(payload.headers).toEqual(expect.arrayContaining([{ name: 'Subject', value: 'Ré' }]))
    expect(payload.headers.find(({ name }: Json) => name === 'From').value).toContain('reception@refyneclinic.example')
  })

  test('refuses an email without a recipient and a body that is not an email: 400', async () => {
    const nobody = Buffer.from('Subject: x\r\n\r\ntext').toString('base64url')
    expect(await post('messages/send', { raw: nobody })).toMatchObject({
      status: 400,
      body: { error: { message: 'Recipient address required' } },
    })
    expect(await post('messages/send', { raw: 'ä' })).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
    expect(await post('messages/send', {})).toMatchObject({ status: 400 })
    expect(await post('messages/send', { raw: raw('x'), threadId: 'none' })).toMatchObject({ status: 404 })
  })

  test('keeps a draft’s id through changes and removes the draft once sent', async () => {
    const { body: draft } = await post('drafts', { message: { raw: raw('One') } })
    const changed = await call('PUT', `me/drafts/${draft.id}`, { message: { raw: raw('Two') } })
    expect(changed.body).toMatchObject({ id: draft.id, message: { threadId: draft.message.threadId, labelIds: ['DRAFT'] } })
    expect(changed.body.message.id).not.toBe(draft.message.id)
    expect((await get('drafts')).drafts.map(({ id }: Json) => id)).toContain(draft.id)
    expect(await post('drafts/send', { id: draft.id })).toMatchObject({ body: { labelIds: ['SENT'], threadId: draft.message.threadId } })
    expect((await call('GET', `me/drafts/${draft.id}`)).status).toBe(404)
  })

  test('lists changes since a history id', async () => {
    const { historyId } = await get('profile')
    const received = simulator.receive({ from: { email: 'p@mail.example' }, subject: 'New' })
    await post(`messages/${received.id}/modify`, { addLabelIds: ['STARRED'], removeLabelIds: ['UNREAD', 'INBOX'] })
    const { history, historyId: after } = await get(`history?startHistoryId=${historyId}`)
    expect(history).toMatchObject([
      { messagesAdded: [{ message: { id: received.id, labelIds: ['INBOX', 'UNREAD'] } }] },
      { labelsRemoved: [{ labelIds: ['UNREAD', 'INBOX'] }] },
      { labelsAdded: [{ labelIds: ['STARRED'] }] },
    ])
    expect(await get(`history?startHistoryId=${after}`)).toEqual({ historyId: after })
    expect(await call('GET', 'me/history?startHistoryId=1')).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } })
    expect((await post(`messages/${received.id}/modify`, { addLabelIds: ['None'] })).status).toBe(400)
  })
})

describe('failures', () => {
  test('refuses a missing token, an expired one and another mailbox: 401, 401, 403', async () => {
    const unauthenticated = { error: { code: 401, status: 'UNAUTHENTICATED', errors: [{ reason: 'authError' }] } }
    expect(await call('GET', 'me/profile', undefined, 'wrong')).toMatchObject({ status: 401, body: unauthenticated })
    now += 3_600_000
    expect(await call('GET', 'me/profile')).toMatchObject({ status: 401, body: unauthenticated })
    now -= 3_600_000
    expect(await call('GET', 'other@clinic.example/profile')).toMatchObject({
      status: 403,
      body: { error: { status: 'PERMISSION_DENIED' } },
    })
  })

  test('injects faults on demand: quota as 403 and 429, a connection that breaks after sending', async () => {
    for (const status of [403, 429]) {
      simulator.fault({ kind: 'status', status })
      expect(await call('GET', 'me/messages')).toMatchObject({ status, body: { error: { errors: [{ reason: 'rateLimitExceeded' }] } } })
    }
    simulator.fault({ kind: 'dropAfter', match: 'messages/send' })
    const before = simulator.mailbox().list().length
    await expect(post('messages/send', { raw: raw('Once') })).rejects.toThrow('fetch failed')
    expect(simulator.mailbox().list()).toHaveLength(before + 1)
    simulator.setOffline(true)
    expect((await call('GET', 'me/profile')).status).toBe(503)
  })
})

test('keeps refresh tokens across a restart when a file is set', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'refyne-gmail-'))
  const options = { clientId: 'id', clientSecret: 'secret', messages: 20, file: path.join(folder, 'grants.json') }
  await simulator.stop()
  simulator = await startGmailSimulator(options)
  const { refresh_token } = simulator.connect()
  await simulator.stop()
  simulator = await startGmailSimulator(options)
  const form = { client_id: 'id', client_secret: 'secret', grant_type: 'refresh_token', refresh_token }
  const answer = await fetch(`${simulator.url}/token`, { method: 'POST', body: new URLSearchParams(form) })
  expect(await answer.json()).toMatchObject({ access_token: expect.any(String), token_type: 'Bearer' })
  await rm(folder, { recursive: true })
})

test('accepts an email as message/rfc822 at the upload URL', async () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'message/rfc822' }
  const url = `${simulator.url}/upload/gmail/v1/users/me/messages/send?uploadType=media`
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(raw('Upload'), 'base64url') })
  const { id } = (await answer.json()) as { id: string }
  expect(simulator.mailbox().find(id)).toMatchObject({ subject: 'Upload', to: [{ name: 'Zoë', email: 'zoe@mail.example' }] })
})

test('accepts only an email with its thread in a multipart upload', async () => {
  const first = simulator.receive({ from: { email: 'p@mail.example' }, subject: 'New' })
  const url = `${simulator.url}/upload/gmail/v1/users/me/messages/send?uploadType=multipart`
  const upload = async (about: string, type = 'message/rfc822'): Promise<{ status: number; body: Json }> => {
    const head = `--b1\r\nContent-Type: application/json\r\n\r\n${about}\r\n--b1\r\nContent-Type: ${type}\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), Buffer.from(raw('Upload'), 'base64url'), Buffer.from('\r\n--b1--\r\n')])
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/related; boundary=b1' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.json() }
  }
  const sent = await upload(JSON.stringify({ threadId: first.threadId }))
  expect(sent).toMatchObject({ status: 200, body: { threadId: first.threadId, labelIds: ['SENT'] } })
  expect(simulator.mailbox().find(sent.body.id)).toMatchObject({ subject: 'Upload', text: 'Text\r\n', to: [{ name: 'Zoë' }] })
  expect((await upload('{"threadId":"none"}')).status).toBe(404)
  expect((await upload('no JSON')).status).toBe(400)
  expect((await upload('{}', 'image/png')).status).toBe(400)
})

test('returns the sender address, keeps the name in From and defaults to the bare address', async () => {
  const email = simulator.mailbox().email
  expect(await get('settings/sendAs')).toEqual({
    sendAs: [expect.objectContaining({ sendAsEmail: email, isDefault: true, isPrimary: true })],
  })
  const { body } = await post('messages/send', { raw: raw('Plain') })
  expect(simulator.mailbox().find(body.id)?.from).toEqual({ name: '', email })
  const named = await post('messages/send', { raw: raw('Named', ['From: Front Desk <else@mail.example>']) })
  expect(simulator.mailbox().find(named.body.id)?.from).toEqual({ name: 'Front Desk', email })
})

test('distinguishes malformed ids from unknown ones', async () => {
  expect(await call('GET', 'me/messages/1234')).toMatchObject({ status: 404 })
  expect(await call('GET', 'me/threads/1234')).toMatchObject({ status: 404 })
  for (const path of ['messages/none', 'threads/none', 'messages/12345678901234567'])
    expect(await call('GET', `me/${path}`)).toMatchObject({ status: 400, body: { error: { message: 'Invalid id value' } } })
  expect(await call('GET', 'me/threads?labelIds=INBOX&labelIds=None')).toMatchObject({
    status: 400,
    body: { error: { message: 'Invalid label: None' } },
  })
})

test('returns snippets as HTML and a different attachment id each time', async () => {
  const { id, threadId } = simulator.receive({ from: { email: 'p@mail.example' }, subject: 'New', text: `1 < 2 & "it's"` })
  expect((await get(`messages/${id}`)).snippet).toBe('1 &lt; 2 &amp; &quot;it&#39;s&quot;')
  expect((await get('threads?maxResults=1')).threads).toMatchObject([{ id: threadId, snippet: '1 &lt; 2 &amp; &quot;it&#39;s&quot;' }])
  const holder = simulator
    .mailbox()
    .list()
    .find(({ attachments }) => attachments.length > 0)!
  const idIn = (part: Json): string | undefined => part.body?.attachmentId ?? part.parts?.map(idIn).find(Boolean)
  const [one, other] = [idIn((await get(`messages/${holder.id}`)).payload), idIn((await get(`messages/${holder.id}`)).payload)]
  expect(one).not.toBe(other)
  const first = await get(`messages/${holder.id}/attachments/${one}`)
  expect(first.size).toBeGreaterThan(0)
  expect(await get(`messages/${holder.id}/attachments/${other}`)).toEqual(first)
})
