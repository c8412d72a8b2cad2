import published, { NylasApiError, NylasOAuthError } from 'nylas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type NylasSimulator, startNylasSimulator } from './server.ts'

// The package's types declare the class as a property of the default export; at run time it is the default export.
const Nylas = published as unknown as typeof published.default

const redirectUri = 'http://127.0.0.1:4100/auth/nylas/callback'

let simulator: NylasSimulator
let nylas: InstanceType<typeof Nylas>
let identifier: string

beforeEach(async () => {
  simulator = await startNylasSimulator({ clientId: 'client', apiKey: 'key', messages: 400, now: () => Date.UTC(2026, 4, 1, 15) })
  nylas = new Nylas({ apiKey: 'key', apiUri: simulator.url })
  identifier = simulator.connect().id
})
afterEach(() => simulator.stop())

/** The error that the package throws. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => expect.unreachable('the call was answered'),
    (error: unknown) => error,
  )
}

test('creates a grant from the URL that the package builds', async () => {
  const url = nylas.auth.urlForOAuth2({
    clientId: 'client',
    redirectUri,
    provider: 'google',
    loginHint: 'Desk@clinic.example',
    state: 's1',
  })
  const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const location = new URL(answer.headers.get('location') ?? '')
  expect(location.searchParams.get('state')).toBe('s1')
  const code = location.searchParams.get('code') ?? ''
  const tokens = await nylas.auth.exchangeCodeForToken({ clientId: 'client', redirectUri, code })
  expect(tokens).toMatchObject({ email: 'desk@clinic.example', provider: 'google', tokenType: 'Bearer' })
  expect(await nylas.grants.find({ grantId: tokens.grantId })).toMatchObject({
    data: { grantStatus: 'valid', email: 'desk@clinic.example' },
  })

  const error = await errorOf(nylas.auth.exchangeCodeForToken({ clientId: 'client', redirectUri, code }))
  expect(error).toBeInstanceOf(NylasOAuthError)
  expect(error).toMatchObject({ statusCode: 400, error: 'invalid_grant' })
})

test('exchanges a PKCE code only with the verifier that the package keeps', async () => {
  for (const right of [true, false]) {
    const { url, secret } = nylas.auth.urlForOAuth2PKCE({ clientId: 'client', redirectUri, provider: 'google' })
    const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const asked = nylas.auth.exchangeCodeForToken({ clientId: 'client', redirectUri, code, codeVerifier: right ? secret : 'another' })
    if (right) expect(await asked).toMatchObject({ grantId: expect.any(String) })
    else expect(await errorOf(asked)).toMatchObject({ error: 'invalid_grant' })
  }
})

test('lists folders and pages through the messages of the inbox', async () => {
  const folders = await nylas.folders.list({ identifier })
  const inbox = folders.data.find(({ attributes }) => attributes?.includes('\\Inbox'))
  expect(inbox).toMatchObject({ totalCount: expect.any(Number), unreadCount: expect.any(Number) })
  const seen: string[] = []
  for await (const page of nylas.messages.list({ identifier, queryParams: { in: [inbox?.id ?? ''], limit: 25 } })) {
    seen.push(...page.data.map(({ id }) => id))
  }
  expect(seen).toHaveLength(inbox?.totalCount ?? -1)
  expect(new Set(seen).size).toBe(seen.length)
  const unread = await nylas.messages.list({ identifier, queryParams: { in: [inbox?.id ?? ''], unread: true, limit: 200 } })
  expect(unread.data).toHaveLength(inbox?.unreadCount ?? -1)
})

test('returns only the selected fields', async () => {
  const listed = await nylas.messages.list({ identifier, queryParams: { limit: 2, select: 'id,thread_id,unread' } })
  expect(listed.data.map((message) => Object.keys(message).toSorted().join(' '))).toEqual(['id threadId unread', 'id threadId unread'])
  const messageId = listed.data[0]?.id ?? ''
  expect((await nylas.messages.find({ identifier, messageId, queryParams: { select: 'id' } as never })).data).toEqual({ id: messageId })
})

test('reads and changes a message and its thread', async () => {
  const [first] = (await nylas.messages.list({ identifier, queryParams: { limit: 1 } })).data
  const messageId = first?.id ?? ''
  const changed = await nylas.messages.update({ identifier, messageId, requestBody: { unread: true, starred: true } })
  expect(changed.data).toMatchObject({ unread: true, starred: true })
  const threadId = first?.threadId ?? ''
  expect((await nylas.threads.find({ identifier, threadId })).data).toMatchObject({ unread: true, starred: true, object: 'thread' })
  const read = await nylas.threads.update({ identifier, threadId, requestBody: { unread: false } })
  expect(read.data).toMatchObject({ unread: false, messageIds: expect.arrayContaining([messageId]) })
  const people = await nylas.threads.list({ identifier, queryParams: { anyEmail: [first?.from?.[0]?.email ?? ''], limit: 5 } })
  expect(people.data.length).toBeGreaterThan(0)
})

test('downloads an attachment', async () => {
  const found = await nylas.messages.list({ identifier, queryParams: { hasAttachment: true, limit: 1 } })
  const [attachment] = found.data[0]?.attachments ?? []
  const asked = { identifier, attachmentId: attachment?.id ?? '', queryParams: { messageId: found.data[0]?.id ?? '' } }
  const bytes = await nylas.attachments.downloadBytes(asked)
  expect(bytes).toHaveLength(attachment?.size ?? -1)
  expect((await nylas.attachments.find(asked)).data).toMatchObject({ filename: attachment?.filename })
})

test('sends small files as JSON and large ones as a form', async () => {
  const to = [{ name: 'Zoë', email: 'zoe@mail.example' }]
  const plain = await nylas.messages.send({ identifier, requestBody: { to, subject: 'Réponse', body: '<p>Grüße</p>' } })
  expect(plain.data).toMatchObject({ subject: 'Réponse', snippet: 'Grüße', object: 'message' })
  for (const size of [1000, 4 * 1024 * 1024]) {
    const content = Buffer.alloc(size, 'Äb')
    const attachments = [{ filename: 'Brief ä.pdf', contentType: 'application/pdf', content, size }]
    const sent = await nylas.messages.send({ identifier, requestBody: { to, subject: 'File', body: 'See file', attachments } })
    const id = sent.data.attachments?.[0]?.id ?? ''
    expect(sent.data.attachments).toMatchObject([{ filename: 'Brief ä.pdf', size }])
    const bytes = await nylas.attachments.downloadBytes({ identifier, attachmentId: id, queryParams: { messageId: sent.data.id } })
    expect(bytes.equals(content)).toBe(true)
  }
})

test('replies in the thread of the message', async () => {
  const [first] = (await nylas.messages.list({ identifier, queryParams: { limit: 1 } })).data
  const requestBody = { to: first?.from ?? [], subject: 'Re: it', body: 'Yes', replyToMessageId: first?.id ?? '' }
  const sent = await nylas.messages.send({ identifier, requestBody })
  expect(sent.data.threadId).toBe(first?.threadId)
})

test('keeps, changes, sends and deletes drafts', async () => {
  const to = [{ email: 'a@mail.example' }]
  const made = await nylas.drafts.create({ identifier, requestBody: { to, subject: 'One', body: 'x' } })
  const draftId = made.data.id
  const changed = await nylas.drafts.update({ identifier, draftId, requestBody: { subject: 'Two' } })
  expect(changed.data).toMatchObject({ id: draftId, object: 'draft', subject: 'Two', body: 'x' })
  const sent = await nylas.drafts.send({ identifier, draftId })
  expect(sent.data).toMatchObject({ subject: 'Two' })
  expect(await errorOf(nylas.drafts.find({ identifier, draftId }))).toMatchObject({ statusCode: 404, type: 'not_found_error' })
  const other = await nylas.drafts.create({ identifier, requestBody: { to, subject: 'Three' } })
  expect(await nylas.drafts.destroy({ identifier, draftId: other.data.id })).toMatchObject({ requestId: expect.any(String) })
})

test('surfaces errors as the package defines them', async () => {
  const list = () => nylas.messages.list({ identifier, queryParams: { limit: 5 } })
  const wrongKey = await errorOf(nylas.messages.list({ identifier, overrides: { apiKey: 'wrong' } }))
  expect(wrongKey).toBeInstanceOf(NylasApiError)
  expect(wrongKey).toMatchObject({ statusCode: 401, type: 'unauthorized' })
  expect(await errorOf(nylas.folders.list({ identifier: 'none' }))).toMatchObject({ statusCode: 404, type: 'grant.not_found' })

  simulator.fault({ kind: 'status', status: 429, retryAfter: 7 })
  expect(await errorOf(list())).toMatchObject({ statusCode: 429, type: 'rate_limit_error', headers: { 'retry-after': '7' } })
  simulator.fault({ kind: 'status', status: 504 })
  expect(await errorOf(list())).toMatchObject({ statusCode: 504, type: 'provider_error' })
  simulator.fault({ kind: 'badJson' })
  expect(await errorOf(list())).toMatchObject({ message: expect.stringContaining('Could not parse') })

  await simulator.expire(identifier)
  expect(await errorOf(list())).toMatchObject({ statusCode: 401, providerError: { code: 401 } })
  expect(await nylas.grants.find({ grantId: identifier })).toMatchObject({ data: { grantStatus: 'invalid' } })
  await nylas.grants.destroy({ grantId: identifier })
  expect(await errorOf(nylas.grants.find({ grantId: identifier }))).toMatchObject({ statusCode: 404 })
})

test('answers when calendars are busy as the package asks, and refuses ranges that Microsoft refuses', async () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 4, 4, hour))
  simulator.setBusy([
    { from: at(14), to: at(15) },
    { from: at(20), to: at(21) },
  ])
  const [startTime, endTime] = [at(8).getTime() / 1_000, at(17).getTime() / 1_000]
  const { email } = simulator.grants()[0]!
  const { data } = await nylas.calendars.getFreeBusy({
    identifier,
    requestBody: { startTime, endTime, emails: [email, 'other@clinic.example'] },
  })
  expect(data).toMatchObject([
    { email, object: 'free_busy', timeSlots: [{ startTime: at(14).getTime() / 1_000, endTime: at(15).getTime() / 1_000, status: 'busy' }] },
    { email: 'other@clinic.example', object: 'error', error: expect.any(String) },
  ])
  const long = nylas.calendars.getFreeBusy({ identifier, requestBody: { startTime, endTime: startTime + 63 * 86_400, emails: [email] } })
  expect(await errorOf(long)).toMatchObject({ statusCode: 400 })
})
