import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { calls, encode } from '../../../test/access/calls.ts'
import { insertContact, insertOneOfEach } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { createApp } from '../../app/app.ts'
import { rawRoutes } from '../../kernel/access/policy.ts'
import { purgeIdempotencyKeys } from './jobs.ts'
import { answersWithSecrets, ignoresKeys } from './rules.ts'

/** Raw POST routes for callers without an account, with the scope of the header and what prevents a double write. */
const ownProtection: Record<string, string> = {
  '/api/leads/:key': 'the same header, in a table of its own (leads/take.ts)',
  '/api/functions/patient-document-upload': "the patient's session: the same file is kept once",
  '/api/hooks/postmark/inbound': "Postmark's id of the mail",
  '/api/hooks/postmark/events': "Postmark's id of the event",
  '/api/hooks/twilio/call': "Twilio's id of the call",
  '/api/hooks/twilio/inbound': "Twilio's id of the text",
  '/api/hooks/twilio/status': 'a later state is never replaced by an earlier one',
  '/api/hooks/nylas': 'carries no content',
  '/api/hooks/stripe': "Stripe's id of the event",
  '/api/verify': 'only reads',
  '/u/:token': 'anyone who has unsubscribed stays unsubscribed',
}

const posts = calls.filter(({ method, name }) => method === 'POST' && !ignoresKeys.has(name))

describe('Idempotency-Key on every POST that creates or moves something', () => {
  const clock = { now: new Date() }
  const server = useServer({}, { now: () => clock.now })
  let cookie: string
  beforeAll(async () => {
    cookie = await server.signIn('admin')
  })

  const post = async (path: string, body: unknown, key: string, as = cookie) => {
    const response = await server.request(path, {
      method: 'POST',
      headers: { cookie: as, 'content-type': 'application/json', 'idempotency-key': key },
      ...(body === null ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text, code: codeIn(text), headers: response.headers }
  }
  const codeIn = (text: string) => (text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined)
  const count = async (table: string, where = 'true') =>
    (await server.rows<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`))[0]!.n

  it('repeats the answer of each contract POST and refuses another body, or documents why it ignores the header', async () => {
    const complaints: string[] = []
    const refused: string[] = []
    for (const call of posts) {
      const { path, body } = encode(call, call.validInput(await insertOneOfEach(server)))
      const key = randomUUID()
      const first = await post(path, body, key)
      if (first.status >= 300) {
        // A refused request has written nothing, so its key can be reused.
        refused.push(call.name)
        if (first.status >= 500 && !first.code) complaints.push(`${call.name}: ${first.status} ${first.body}`)
        if ((await count('idempotent_requests', `lease_until > '${clock.now.toISOString()}' and answer is null`)) > 0)
          complaints.push(`${call.name}: keeps the key of a refused request`)
        continue
      }
      const second = await post(path, body, key)
      const isRepeated =
        second.body === first.body && second.status === first.status && second.headers.get('idempotency-replayed') === 'true'
      const isSecret = answersWithSecrets.has(call.name) && second.code === 'OUTCOME_UNKNOWN'
      if (!isRepeated && !isSecret) complaints.push(`${call.name}: ${second.status} ${second.body} after ${first.status} ${first.body}`)
      const other = await post(path, `${(body ?? '{"x":1}').slice(0, -1)},"other":1}`, key)
      if (other.status !== 422 || other.code !== 'IDEMPOTENCY_KEY_REUSED') complaints.push(`${call.name}: ${other.status} ${other.body}`)
    }
    expect(complaints).toEqual([])
    expect(posts.length - refused.length).toBeGreaterThan(40)
  })

  it('ignores the header only on existing POST routes, each with a reason', () => {
    const known = new Set<string>([...calls.filter(({ method }) => method === 'POST').map(({ name }) => name), ...Object.keys(rawRoutes)])
    expect([...ignoresKeys.keys()].filter((route) => !known.has(route))).toEqual([])
    expect([...ignoresKeys.values()].every((reason) => reason.length > 5)).toBe(true)
  })

  it('covers every POST route of the server', () => {
    const raw = createApp(server.running.runtime)
      .routes.filter(({ method, path }) => method === 'POST' && path !== '/api/*')
      .map(({ path }) => path)
    // Staff routes honour the header in createRequestContext, as the upload below shows.
    const forStaff = [
      '/api/contacts/:file{export\\.(?:csv|xlsx)}',
      '/api/imports',
      '/api/imports/:id/files',
      '/api/mailbox/drafts/:id/files',
      '/api/inbox/pictures',
      '/api/email-templates/preview.html',
      '/api/photo-series/:id/photos',
      '/api/contacts/:id/photos.zip',
      '/api/contacts/:id/documents',
      '/api/practice/logo',
    ]
    expect([...new Set(raw)].filter((path) => !(path in ownProtection) && !forStaff.includes(path))).toEqual([])
  })

  it('writes once for 50 simultaneous requests with one key, with a retry time for early repeats', async () => {
    const { contactId, colleagueId } = await insertOneOfEach(server)
    const kinds = [
      { path: '/api/contacts', body: { firstName: 'Ana', lastName: randomUUID() }, table: 'contacts' },
      { path: '/api/tasks', body: { title: 'Call back', dueDate: '2199-01-31', contactId, assigneeIds: [colleagueId] }, table: 'tasks' },
      {
        path: `/api/contacts/${contactId}/charges`,
        body: { description: 'Deposit', amountCents: 100, dueOn: '2199-01-31' },
        table: 'ledger_entries',
      },
      {
        path: `/api/contacts/${contactId}/promises`,
        body: { amountCents: 100, dueOn: '2199-01-31', note: null },
        table: 'collection_notes',
      },
      { path: `/api/contacts/${contactId}/interactions`, body: { type: 'note', description: 'Called' }, table: 'interactions' },
    ]
    for (const { path, body: sent, table } of kinds) {
      const before = await count(table)
      const key = randomUUID()
      const answers = await Promise.all(Array.from({ length: 50 }, () => post(path, sent, key)))
      const done = answers.filter(({ status }) => status < 300)
      const early = answers.filter(({ code }) => code === 'IDEMPOTENCY_KEY_IN_USE')
      expect([path, done.length + early.length, new Set(done.map((answer) => answer.body)).size]).toEqual([path, 50, 1])
      expect(early.every(({ status, headers }) => status === 409 && headers.get('retry-after') === '1')).toBe(true)
      const later = await post(path, sent, key)
      expect([later.body, later.headers.get('idempotency-replayed')]).toEqual([done[0]!.body, 'true'])
      expect([path, (await count(table)) - before]).toEqual([path, 1])
    }
  })

  it('scopes a key to its caller and route, and frees it after 24 hours', async () => {
    const [key, lastName] = [randomUUID(), randomUUID()]
    const named = `last_name = '${lastName}'`
    const person = { firstName: 'Ana', lastName }
    const first = await post('/api/contacts', person, key)
    expect((await post('/api/contacts', person, key)).body).toBe(first.body)
    expect(await count('contacts', named)).toBe(1)
    expect((await post('/api/contacts', person, key, await server.signIn('sales_rep'))).headers.get('idempotency-replayed')).toBeNull()
    expect(await count('contacts', named)).toBe(2)
    expect((await post('/api/tags', { name: randomUUID() }, key)).status).toBe(200)

    const start = clock.now
    clock.now = new Date(start.getTime() + 24 * 3_600_000 - 1000)
    expect((await post('/api/contacts', person, key)).headers.get('idempotency-replayed')).toBe('true')
    clock.now = new Date(start.getTime() + 24 * 3_600_000 + 1000)
    expect((await post('/api/contacts', person, key)).headers.get('idempotency-replayed')).toBeNull()
    expect(await count('contacts', named)).toBe(3)
    clock.now = new Date(start.getTime() + 49 * 3_600_000)
    const { runtime } = server.running
    const dbs = { recentDb: runtime.db, latestDb: runtime.db }
    await purgeIdempotencyKeys.run({ ...runtime, ...dbs, ...who, attempts: runtime.countAttempts(() => {}) }, {}, { last: false })
    expect(await count('idempotent_requests')).toBe(0)
    clock.now = start
  })
  const who = { actor: null, origin: { requestId: 'test', address: null }, recordView: () => Promise.resolve() }

  it('returns 400 for a malformed key for calls, uploads and lead intake', async () => {
    const contactId = await insertContact(server)
    for (const key of ['x'.repeat(201), 'a b', 'é', '']) {
      for (const path of ['/api/tags', `/api/contacts/${contactId}/documents?name=a.pdf`, '/api/leads/test-webhook-key'])
        expect([key, path, await post(path, { name: 'x', email: 'a@b.example' }, key)]).toMatchObject([
          key,
          path,
          { status: 400, code: 'INVALID_IDEMPOTENCY_KEY' },
        ])
    }
  })

  it('frees the key of a refused request, so that a corrected one may use it', async () => {
    const key = randomUUID()
    expect(await post('/api/contacts', { firstName: 'Ana', lastName: '' }, key)).toMatchObject({ status: 422, code: 'INVALID_INPUT' })
    expect(await post('/api/contacts', { firstName: 'Ana', lastName: 'Test' }, key)).toMatchObject({ status: 200 })
  })

  it('repeats a request whose process died only if it had written nothing', async () => {
    const body = { name: randomUUID() }
    const key = randomUUID()
    expect((await post('/api/tags', body, key)).status).toBe(200)
    await server.rows("update idempotent_requests set answer = null, lease_until = '2000-01-01'")
    expect(await post('/api/tags', body, key)).toMatchObject({ status: 409, code: 'OUTCOME_UNKNOWN' })
    await server.rows('update idempotent_requests set has_written = false')
    await server.rows('delete from tags where name = $1', [body.name])
    expect((await post('/api/tags', body, key)).status).toBe(200)
    expect(await count('tags', `name = '${body.name}'`)).toBe(1)
  })

  it('writes nothing for a request whose key was taken over', async () => {
    const name = randomUUID()
    const key = randomUUID()
    await server.rows('delete from idempotent_requests')
    const held = await server.hold('lock table tags in share row exclusive mode')
    const slow = post('/api/tags', { name }, key)
    await expect.poll(() => count('idempotent_requests', 'answer is null and not has_written')).toBe(1)
    await server.rows('update idempotent_requests set attempt = gen_random_uuid() where answer is null')
    await held.release()
    expect((await slow).status).toBe(500)
    expect(await count('tags', `name = '${name}'`)).toBe(0)
  })

  it('encrypts stored responses', async () => {
    const lastName = `Lindqvist-${randomUUID()}`
    await post('/api/contacts', { firstName: 'Ana', lastName }, randomUUID())
    const kept = await server.rows<{ answer: string | null; id: string }>('select * from idempotent_requests')
    expect(kept.length).toBeGreaterThan(0)
    expect(JSON.stringify(kept)).not.toContain(lastName)
  })

  it('stores a retried upload once and refuses another file under its key', async () => {
    const contactId = await insertContact(server)
    const send = async (bytes: string, key: string) =>
      server.request(`/api/contacts/${contactId}/documents?name=scan.pdf&type=other`, {
        method: 'POST',
        headers: { cookie, 'idempotency-key': key },
        body: Buffer.from(bytes),
      })
    const key = randomUUID()
    const pdf = '%PDF-1.4\n%%EOF\n'
    const first = await send(pdf, key)
    expect(first.status).toBe(201)
    const again = await send(pdf, key)
    expect([again.status, again.headers.get('idempotency-replayed'), await again.json()]).toEqual([201, 'true', await first.json()])
    expect(await (await send(`${pdf}\n`, key)).json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(await count('documents', `contact_id = '${contactId}'`)).toBe(1)
  })

  it('documents the header in the API document where it is honoured', async () => {
    const { paths } = (await (await server.request('/api/openapi.json')).json()) as {
      paths: Record<string, { post?: { parameters?: { name?: string; $ref?: string }[] } }>
    }
    const offers = (path: string) =>
      (paths[path]?.post?.parameters ?? []).some(({ name, $ref }) => name === 'Idempotency-Key' || $ref?.endsWith('/IdempotencyKey'))
    expect([offers('/contacts'), offers('/contacts/{contactId}/charges'), offers('/leads/{webhookKey}'), offers('/auth/sign-in')]).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
