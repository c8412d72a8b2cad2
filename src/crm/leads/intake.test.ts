import { randomBytes, randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { leadBodies } from '../../../test/lead-bodies.ts'
import { sendRaw } from '../../../test/network/raw-http.ts'
import { type Client, startTestServer, type TestServer, useServer, webhookKey } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'

type Entry = {
  id: string
  status: string
  contact_id: string | null
  error_message: string | null
  processed_at: Date | null
  raw_data: Record<string, unknown>
  raw_body: string
  content_type: string
}
type LeadResponse = { status: number; ok: boolean; id: string; code: string | undefined; headers: Headers }
type Sent = { key?: string; type?: string; headers?: Record<string, string> }

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const address = () => `${randomUUID()}@example.com`
const person = (more: Record<string, unknown> = {}) => ({ first_name: 'Ana', last_name: 'Silva', email: address(), ...more })

const post = async (
  server: TestServer,
  body: BodyInit,
  { key = webhookKey, type = json, headers = {} }: Sent = {},
): Promise<LeadResponse> => {
  const response = await fetch(`${server.url}/api/leads/${key}`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { ...(type ? { 'content-type': type } : {}), ...headers },
  })
  const result = (await response.json().catch(() => ({}))) as { id?: string; code?: string }
  return { status: response.status, ok: response.ok, id: result.id ?? '', code: result.code, headers: response.headers }
}
const postJson = (server: TestServer, body: unknown, sent: Sent = {}) => post(server, JSON.stringify(body), sent)
const entryOf = async (server: TestServer, id: string) => (await server.rows<Entry>('select * from lead_entries where id = $1', [id]))[0]
/** The entry, once it is processed and its welcome email is written. */
async function processed(server: TestServer, id: string): Promise<Entry> {
  const done = await until(async () => {
    const entry = await entryOf(server, id)
    return entry?.status !== 'processing' && entry
  })
  await untilNoneLeft(server, 'inbox.welcome')
  return done
}
const contactsWith = (server: TestServer, email: string) =>
  server.rows<{ id: string }>('select id from contacts where lower(email) = lower($1) order by seq', [email])

describe('lead intake', () => {
  const server = useServer()
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  const submit = async (body: BodyInit, sent: Sent = {}) => {
    const response = await post(server, body, sent)
    expect([response.ok, response.code]).toEqual([true, undefined])
    return processed(server, response.id)
  }
  const contactOf = (entry: Entry) => admin.contacts.get({ id: entry.contact_id ?? '' })

  it('processes a lead, completes it and creates a new contact in the stage lead (spec 4)', async () => {
    const email = address()
    const response = await postJson(server, person({ email, phone: ' 416 555 0100 ' }))
    expect(response).toMatchObject({ status: 202, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    const entry = await processed(server, response.id)
    expect(entry).toMatchObject({ status: 'completed', error_message: null, processed_at: expect.any(Date) })
    const contact = await contactOf(entry)
    const lead = (await admin.pipeline.stages()).find(({ value }) => value === 'lead')
    const source = (await admin.leadSources.list()).find(({ name }) => name === 'Website Form')
    expect(contact).toMatchObject({
      firstName: 'Ana',
      lastName: 'Silva',
      email,
      phone: '416 555 0100',
      status: 'new',
      funnelStageId: lead?.id,
      leadSourceId: source?.id,
    })
    expect(await admin.contacts.stageHistory({ id: contact.id })).toMatchObject([
      { fromStageId: null, toStageId: lead?.id, changedBy: null },
    ])
    expect((await admin.interactions.list({ contactId: contact.id })).data).toMatchObject([
      { type: 'email' }, // the welcome
      { type: 'contact_created', description: 'Lead from Website Form', createdBy: null },
    ])
  })

  it('reads JSON, form-encoded and multipart bodies alike', async () => {
    const fields = { fname: 'Zoë', surname: "O'Brien", mobile: '1', interest: 'Lips', utm_source: 'a friend' }
    const multipart = new FormData()
    const emails = [address(), address(), address()]
    for (const [name, value] of Object.entries({ ...fields, email: emails[2] ?? '' })) multipart.append(name, value)
    const entries = [
      await submit(JSON.stringify({ ...fields, email: emails[0] })),
      await submit(new URLSearchParams({ ...fields, email: emails[1] ?? '' }).toString(), { type: `${form}; charset=UTF-8` }),
      await submit(multipart, { type: '' }),
    ]
    for (const [i, entry] of entries.entries()) {
      expect(await contactOf(entry)).toMatchObject({
        firstName: 'Zoë',
        lastName: "O'Brien",
        phone: '1',
        procedureText: 'Lips',
        leadSourceText: 'a friend',
        leadSourceId: null,
        email: emails[i],
      })
    }
  })

  it.each(leadBodies.filter(({ file }) => file !== 'facebook-leadgen-notification.json'))(
    'reads the body of a form tool: $file',
    async ({ body, contentType }) => {
      const entry = await submit(body, { type: contentType })
      expect(entry).toMatchObject({ status: 'completed', raw_body: body, content_type: contentType })
      const { email } = await contactOf(entry)
      expect(entry.raw_data.email).toBe(email)
    },
  )

  it('answers 200 to tools that treat any other status as a failure', async () => {
    const strict = ['elementor-advanced.txt', 'google-ads.json', 'tiktok.json', 'unbounce.txt', 'wix.json']
    for (const { file, body, contentType } of leadBodies) {
      const { status } = await post(server, body, { type: contentType })
      expect([file, status]).toEqual([file, strict.includes(file) ? 200 : 202])
    }
    // Elementor without advanced data, and all other WordPress forms.
    const headers = { 'user-agent': 'WordPress/6.8; https://www.clinic.example' }
    expect(await postJson(server, person(), { headers })).toMatchObject({ status: 200 })
  })

  it.each([
    ['iso-8859-1', 'first_name=Zo%EB&last_name=Gagn%E9', form, 'Zoë', 'Gagné'],
    ['windows-1252', 'first_name=Zo%EB&last_name=O%92Brien', form, 'Zoë', 'O’Brien'],
    ['shift_jis', 'first_name=%89%D4%8Eq&last_name=%8ER%93c', form, '花子', '山田'],
  ])('reads a form in its declared charset %s', async (charset, body, type, firstName, lastName) => {
    const entry = await submit(`${body}&email=${address()}`, { type: `${type}; charset=${charset}` })
    expect(await contactOf(entry)).toMatchObject({ firstName, lastName })
    const hidden = await submit(`${body}&email=${address()}&_charset_=${charset}`, { type })
    expect(await contactOf(hidden)).toMatchObject({ firstName, lastName })
  })

  it.each([
    ['escaped', 'first_name=Chlo%E9&last_name=O%92Brien'],
    ['unescaped', 'first_name=Chlo\xe9&last_name=O\x92Brien'],
  ])('reads a form without a charset that is not UTF-8 as windows-1252, with %s bytes', async (_, names) => {
    const sent = Buffer.from(`${names}&email=${address()}&city=Montr%C3%A9al&cut=%C3`, 'latin1')
    const entry = await submit(sent, { type: form })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Chloé', lastName: 'O’Brien' })
    // Each value is decoded separately, so UTF-8 values stay intact.
    expect(entry.raw_data).toMatchObject({ city: 'Montréal', cut: 'Ã' })
    expect(entry.raw_body).not.toContain('\uFFFD')
  })

  it('reads a multipart form without a charset the same way, but requires valid UTF-8 of declared UTF-8 and of JSON', async () => {
    const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = [part('first_name', 'Chlo\xe9'), part('last_name', 'Gagn\xc3\xa9'), part('email', address()), part('pr\xe9nom', 'x')]
    const multipart = Buffer.from(`${parts.join('')}--b--\r\n`, 'latin1')
    const entry = await submit(multipart, { type: 'multipart/form-data; boundary=b' })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Chloé', lastName: 'Gagné' })
    expect(entry.raw_data).toHaveProperty('prénom', 'x')

    const raw = Buffer.from(`first_name=Chlo\xe9&last_name=Li&email=${address()}`, 'latin1')
    expect(await post(server, raw, { type: `${form}; charset=UTF-8` })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    const escaped = await submit(`first_name=Chlo%E9&last_name=Li&email=${address()}`, { type: `${form}; charset=UTF-8` })
    expect(await contactOf(escaped)).toMatchObject({ firstName: 'Chlo\uFFFD' })
    const json1252 = Buffer.from(JSON.stringify(person({ first_name: 'Chloé' })), 'latin1')
    expect(await post(server, json1252, { type: json })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
  })

  it('reads JSON and multipart in charsets other than UTF-8', async () => {
    const sent = JSON.stringify({ first_name: 'Zoë', last_name: 'Łukasz', email: address() })
    const bigEndian = Buffer.from(`\uFEFF${sent}`, 'utf16le').swap16()
    for (const [body, type] of [
      [Buffer.from(sent, 'utf16le'), 'application/json; charset=utf-16le'],
      [new Uint8Array(bigEndian), 'application/json; charset=UTF-16'],
      [bigEndian, json],
    ] as const)
      expect(await contactOf(await submit(body, { type }))).toMatchObject({ firstName: 'Zoë', lastName: 'Łukasz' })

    const parts = [
      ['first_name', 'Zoë'],
      ['last_name', 'Gagné'],
      ['email', address()],
    ].map(
      ([name, value]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n${value}\r\n`,
    )
    const multipart = Buffer.from(`${parts.join('')}--b--\r\n`, 'latin1')
    expect(await contactOf(await submit(multipart, { type: 'multipart/form-data; boundary=b' }))).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Gagné',
    })
  })

  it('reads multipart with a short boundary, escaped names and a file', async () => {
    const part = (disposition: string, value: string) => `--wp24\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
    const sent = [
      part('name="first_name"', 'Zoë'),
      part('name="last_name"', 'Gagné'),
      part('name="email"', address()),
      part('name="say %22hi%22"', 'a\r\nb'),
      part('name="photo"; filename="naïve.png"', '12345'),
    ]
    const entry = await submit(`${sent.join('')}--wp24--\r\n`, { type: 'multipart/form-data; boundary="wp24"' })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Zoë', lastName: 'Gagné' })
    expect(entry.raw_data).toMatchObject({ 'say "hi"': 'a\r\nb', photo: { file: 'naïve.png', size: 5 } })
  })

  it.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['br', zlib.brotliCompressSync],
  ])('decompresses a body with content-encoding %s', async (encoding, pack) => {
    const email = address()
    const entry = await submit(pack(Buffer.from(JSON.stringify(person({ email })))), { headers: { 'content-encoding': encoding } })
    expect(await contactOf(entry)).toMatchObject({ email })
  })

  it('reads and keeps both values of interest[]', async () => {
    const entry = await submit(`${new URLSearchParams(person())}&interest[]=Lips&interest[]=Nose`, { type: form })
    expect(entry.raw_data).toMatchObject({ 'interest[]': ['Lips', 'Nose'] })
    expect(await contactOf(entry)).toMatchObject({ procedureText: 'Lips, Nose' })
  })

  it('links a known procedure and source by name, ignoring case', async () => {
    const procedure = await admin.procedures.create({ name: `Procedure ${randomUUID()}` })
    const source = await admin.leadSources.create({ name: `Source ${randomUUID()}` })
    const entry = await submit(JSON.stringify(person({ procedure: procedure.name.toUpperCase(), source: source.name.toLowerCase() })))
    expect(await contactOf(entry)).toMatchObject({
      procedureId: procedure.id,
      procedureText: null,
      leadSourceId: source.id,
      leadSourceText: source.name.toLowerCase(),
    })
  })

  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['a first name alone', { first_name: 'Ana' }],
    ['an empty email', person({ email: ' ' })],
    ['a last name that is a number', person({ last_name: 12 })],
  ])("keeps %s with the error 'Missing required fields' (spec 5)", async (_, body) => {
    const sent = JSON.stringify({ ...body, id: randomUUID() })
    const entry = await submit(sent)
    expect(entry).toMatchObject({
      status: 'error',
      error_message: 'Missing required fields',
      contact_id: null,
      processed_at: expect.any(Date),
      raw_body: sent,
    })
  })

  it('matches a known contact by email, ignoring case, fills in missing fields only and adds a timeline entry', async () => {
    const email = address()
    const known = await admin.contacts.create({
      firstName: 'Known',
      lastName: 'Patient',
      email: email.toUpperCase(),
      notes: 'notes',
      funnelStage: 'Quote Sent',
    })
    const first = await submit(JSON.stringify(person({ email, phone: '416 555 0100', procedure: 'Lips' })))
    const second = await submit(JSON.stringify(person({ email, phone: '905 555 0100', procedure: 'Nose' })))
    expect([first.contact_id, second.contact_id]).toEqual([known.id, known.id])
    expect(await contactsWith(server, email)).toEqual([{ id: known.id }])
    expect(await admin.contacts.get({ id: known.id })).toMatchObject({
      firstName: 'Known',
      status: 'active',
      notes: 'notes',
      funnelStageId: known.funnelStageId,
      leadSourceId: null,
      phone: '416 555 0100',
      procedureText: 'Lips',
    })
    const timeline = (await admin.interactions.list({ contactId: known.id })).data.map(({ type, description }) => [type, description])
    expect(timeline).toContainEqual(['note', 'Another lead from Website Form, asking about Lips'])
    expect(timeline).toContainEqual(['note', 'Another lead from Website Form, asking about Nose'])
  })

  it('creates one contact for twenty simultaneous leads of one person', async () => {
    const email = address()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => postJson(server, person({ email: i % 2 ? email : email.toUpperCase(), message: `${i}` }))),
    )
    const entries = await Promise.all(responses.map(({ id }) => processed(server, id)))
    const contacts = await contactsWith(server, email)
    expect(contacts).toHaveLength(1)
    expect(new Set(responses.map(({ id }) => id)).size).toBe(20)
    expect(entries.every((entry) => entry.status === 'completed' && entry.contact_id === contacts[0]?.id)).toBe(true)
  })

  it('processes a lead once even if its job runs twice', async () => {
    const entry = await submit(JSON.stringify(person()))
    const before = await admin.interactions.list({ contactId: entry.contact_id ?? '' })
    await server.rows("select graphile_worker.add_job('leads.process', json_build_object('entryId', $1::text))", [entry.id])
    await until(
      async () =>
        (await server.rows("select 1 from graphile_worker._private_jobs where payload->>'entryId' = $1", [entry.id])).length === 0,
    )
    expect(await admin.interactions.list({ contactId: entry.contact_id ?? '' })).toEqual(before)
    expect(await entryOf(server, entry.id)).toEqual(entry)
  })

  it('publishes the new contact to open lists', async () => {
    const stream = await openStream(server.url, await server.signIn('front_desk'))
    const entry = await submit(JSON.stringify(person()))
    await stream.next(({ topic, id }) => topic === 'contact' && id === entry.contact_id)
    stream.close()
  })

  it('replaces characters that a text column can’t store', async () => {
    const email = address()
    const sent = `{"first_name":"A\\u0000na","last_name":"Sil\\ud800va","email":"${email}","\\u0000":"\\udfff","list":["\\u0000"]}`
    const contact = await contactOf(await submit(sent))
    expect(contact).toMatchObject({ firstName: 'A\uFFFDna', lastName: 'Sil\uFFFDva', email })
    const encoded = await contactOf(await submit(`first_name=A%00na&last_name=%FF%FE&email=${address()}`, { type: form }))
    expect(encoded).toMatchObject({ firstName: 'A\uFFFDna', lastName: 'ÿþ' })
  })

  it('treats __proto__ and constructor as ordinary names', async () => {
    const polluting = `{"__proto__":{"first_name":"Evil","polluted":true},"constructor":{"prototype":{"polluted":true}},"first_name":"Ana","last_name":"Silva","email":"${address()}"}`
    expect(await contactOf(await submit(polluting))).toMatchObject({ firstName: 'Ana' })
    expect(await submit(`{"__proto__":{"first_name":"Ana","last_name":"Silva","email":"${address()}"}}`)).toMatchObject({ status: 'error' })
    await submit(`__proto__=x&constructor=y&hasOwnProperty=z&${new URLSearchParams(person())}`, { type: form })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('truncates long names and phones for the contact, keeps them whole in the entry and queues a long email for staff', async () => {
    const long = randomBytes(14_000).toString('hex')
    for (const body of [
      person({ first_name: long }),
      person({ phone: long, procedure: long.slice(0, 9_000) }),
      { ...person(), last_name: `${'x'.repeat(99)}😀` },
    ]) {
      const sent = JSON.stringify(body)
      const entry = await submit(sent)
      expect(entry).toMatchObject({ status: 'completed', raw_body: sent })
      const contact = await contactOf(entry)
      expect(contact.firstName.length).toBeLessThanOrEqual(100)
    }
    const sent = JSON.stringify(person({ email: long }))
    const waiting = await submit(sent)
    expect(waiting).toMatchObject({ status: 'error', error_message: 'Email is not a valid address', raw_body: sent })
    const again = await submit(JSON.stringify(person({ email: { in: long } })))
    expect(again).toMatchObject({ status: 'error', error_message: 'Missing required fields' })
  })

  it.each(['not an email', 'x', 'ana@x', 'nl2@x.example\nBcc: a@b.c', 'a@x.example, none', `a@${'sub.'.repeat(70)}example.com`])(
    'queues a lead with an invalid email for staff and keeps the email: %j',
    async (email) => {
      const entry = await submit(JSON.stringify(person({ email, message: randomUUID() })))
      expect(entry).toMatchObject({ status: 'error', error_message: 'Email is not a valid address', contact_id: null })
      expect(JSON.parse(entry.raw_body)).toMatchObject({ email })
      expect(await server.rows('select 1 from contacts where email = $1', [email])).toEqual([])
    },
  )

  it('uses the first of several addresses as the email and keeps the others', async () => {
    const [first, second, third] = [address(), address(), address()]
    const contact = await contactOf(await submit(JSON.stringify(person({ email: `Ana <${first}>, mailto:${second}; ${third}.` }))))
    expect(contact).toMatchObject({ email: first, otherEmails: [second, third] })
    // A list longer than the maximum length of an address.
    const many = Array.from({ length: 5 }, () => `${randomUUID()}@a-long-domain-name.example`)
    const listed = await contactOf(await submit(JSON.stringify(person({ email: many.join(' ') }))))
    expect([listed.email, ...listed.otherEmails]).toEqual(many.slice(0, 1 + listed.otherEmails.length))
    expect(listed.otherEmails.length).toBeGreaterThan(1)
  })

  it('adds no address to a known patient and no other patient’s address to a new one, but shows them on the timeline', async () => {
    const [known, taken, unknown, fresh] = [address(), address(), address(), address()]
    const patient = await admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', email: known })
    await admin.contacts.create({ firstName: 'Bea', lastName: 'Silva', email: taken })
    await submit(JSON.stringify(person({ email: `${known}, ${unknown}` })))
    expect((await admin.contacts.get({ id: patient.id })).otherEmails).toEqual([])
    const made = await contactOf(await submit(JSON.stringify(person({ email: `${fresh}, ${taken}` }))))
    expect(made).toMatchObject({ email: fresh, otherEmails: [] })
    const timelines = await Promise.all([patient, made].map(({ id }) => admin.interactions.list({ contactId: id })))
    const descriptions = timelines.map(({ data }) => data.map(({ description }) => description))
    expect(descriptions[0]).toContain(`Another lead from Website Form. Other emails sent: ${unknown}`)
    expect(descriptions[1]).toContain(`Lead from Website Form. Other emails sent: ${taken}`)
  })

  it('lists entries by status and source, newest first (spec 7)', async () => {
    const source = await admin.leadSources.create({ name: randomUUID() })
    const good = await postJson(server, person(), { key: source.webhookKey })
    const bad = await postJson(server, { first_name: 'Ana' }, { key: source.webhookKey })
    await Promise.all([processed(server, good.id), processed(server, bad.id)])
    const listed = async (status?: 'completed' | 'error') =>
      (await admin.leads.entries({ sourceId: source.id, ...(status ? { status } : {}) })).data.map(({ id }) => id)
    expect([await listed(), await listed('completed'), await listed('error')]).toEqual([[bad.id, good.id], [good.id], [bad.id]])
  })

  it('keeps the first attribution and updates the latest with each lead, for forms in any shape', async () => {
    const sent = person({ utm_source: 'google', utm_campaign: 'noses', landing_page: '/rhinoplasty-oakville', gclid: 'g1' })
    const first = await contactOf(await submit(JSON.stringify(sent)))
    expect(first.firstAttribution).toMatchObject({ source: 'Website Form', utmSource: 'google', landingPage: '/rhinoplasty-oakville' })
    expect(first.latestAttribution).toEqual(first.firstAttribution)

    const again = await contactOf(await submit(JSON.stringify({ ...sent, utm_source: 'instagram', gclid: undefined, fbclid: 'f1' })))
    expect(again.id).toBe(first.id)
    expect(again.firstAttribution).toEqual(first.firstAttribution)
    expect(again.latestAttribution).toMatchObject({ utmSource: 'instagram', gclid: null, fbclid: 'f1' })
    const { data } = await admin.interactions.list({ contactId: first.id })
    expect(data.map(({ type }) => type).toSorted(), 'the timeline shows the lead, not the attribution').toEqual([
      'contact_created',
      'email',
      'note',
    ])

    const updated = await admin.contacts.update({ id: first.id, version: again.version, city: 'Oakville' })
    expect(updated.firstAttribution).toEqual(first.firstAttribution)
    const forged = { id: first.id, version: updated.version, firstAttribution: again.latestAttribution } as never
    await expect(admin.contacts.update(forged)).rejects.toMatchObject({ status: 422 })

    for (const { file, contentType, body } of leadBodies.filter((lead) => lead.file !== 'facebook-leadgen-notification.json')) {
      const entry = await submit(body, { type: contentType })
      const { latestAttribution } = await contactOf(entry)
      expect([file, latestAttribution]).toEqual([file, expect.objectContaining({ at: expect.any(String), source: expect.any(String) })])
    }
  })

  it('keeps the older first and the newer latest attribution when two patients are merged', async () => {
    const leads = [person({ gclid: 'first' }), person({ gclid: 'second' })]
    const [older, newer] = [
      await contactOf(await submit(JSON.stringify(leads[0]))),
      await contactOf(await submit(JSON.stringify(leads[1]))),
    ]
    const both = { id: newer.id, version: newer.version, sourceId: older.id, sourceVersion: older.version }
    const merged = await admin.contacts.merge(both)
    expect([merged.firstAttribution?.gclid, merged.latestAttribution?.gclid]).toEqual(['first', 'second'])
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect(await admin.contacts.get({ id: newer.id })).toMatchObject({ firstAttribution: newer.firstAttribution })
  })
})

describe('refused leads', () => {
  const server = useServer()
  const count = async () => (await server.rows<{ n: number }>('select count(*)::int as n from lead_entries'))[0]?.n

  it('answers 401 to a wrong or replaced key with any body', async () => {
    const admin = await server.as('admin')
    const source = await admin.leadSources.create({ name: randomUUID() })
    expect((await postJson(server, person(), { key: source.webhookKey })).status).toBe(202)
    const { webhookKey: next } = await admin.leadSources.rotateKey({ id: source.id })
    expect((await postJson(server, person(), { key: source.webhookKey })).status).toBe(401)
    expect((await postJson(server, person(), { key: next })).status).toBe(202)
    const before = await count()
    for (const key of ['wrong', 'x'.repeat(500), '%00', '%F0%9F%98%80', `${next}x`, source.webhookKey]) {
      expect([key, await postJson(server, person(), { key })]).toMatchObject([key, { status: 401, code: 'INVALID_WEBHOOK_KEY' }])
    }
    expect(await post(server, '{', { key: 'wrong' })).toMatchObject({ status: 401 })
    expect(await post(server, 'x'.repeat(100_000), { key: 'wrong', type: 'text/plain' })).toMatchObject({ status: 401 })
    expect(await count()).toBe(before)
  })

  it('accepts 64 KiB and answers 413 to one byte more, with or without a content length', async () => {
    const email = address()
    const start = `{"first_name":"Ana","last_name":"Silva","email":"${email}","message":"`
    const body = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 2)}"}`
    expect(await post(server, body(65_536))).toMatchObject({ status: 202 })
    const before = await count()
    expect(await post(server, body(65_537))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    expect(await post(server, body(1_000_000))).toMatchObject({ status: 413 })
    const chunks = `${(70_000).toString(16)}\r\n${body(70_000)}\r\n0\r\n\r\n`
    const head = `POST /api/leads/${webhookKey} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await sendRaw(server.url, head + chunks)).toMatchObject({ status: 413 })
    expect(await count()).toBe(before)
  })

  it.each([
    ['half of an object', '{"first_name":"Ana"', json],
    ['nothing', '', json],
    ['null', 'null', json],
    ['a list', '[{"first_name":"Ana"}]', json],
    ['a text', '"Ana"', json],
    ['a number', '12', 'application/vnd.api+json'],
    ['10,000 levels', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, json],
    ['3,000 levels', `{"a":${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}}`, json],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['multipart without a boundary', '--x\r\n\r\n', 'multipart/form-data'],
    ['multipart that ends early', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb', 'multipart/form-data; boundary=x'],
  ])('answers 400 to %s and stores nothing', async (_, body, type) => {
    const before = await count()
    expect(await post(server, body, { type })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    expect(await count()).toBe(before)
  })

  it('limits the decompressed size and refuses broken or unsupported compression', async () => {
    const before = await count()
    const packed = (bytes: Uint8Array<ArrayBuffer>, encoding: string) => post(server, bytes, { headers: { 'content-encoding': encoding } })
    const large = Buffer.from(JSON.stringify(person({ message: 'x'.repeat(70_000) })))
    // 50 MB of zeros in 50 KB.
    for (const [bytes, encoding] of [
      [zlib.gzipSync(large), 'gzip'],
      [zlib.brotliCompressSync(large), 'br'],
      [zlib.gzipSync(Buffer.alloc(50_000_000)), 'gzip'],
    ] as const)
      expect(await packed(bytes, encoding)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    const good = zlib.gzipSync(JSON.stringify(person()))
    expect(await packed(good.subarray(0, -12), 'gzip')).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    expect(await packed(Buffer.from('plain'), 'br')).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    for (const encoding of ['compress', 'gzip, gzip', '__proto__'])
      expect(await packed(good, encoding)).toMatchObject({ status: 415, code: 'UNSUPPORTED_CONTENT_ENCODING' })
    expect(await postJson(server, person(), { type: 'application/json; charset=klingon' })).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_CHARSET',
    })
    expect(await count()).toBe(before)
  })

  it.each(['text/plain', 'application/xml', 'text/html', 'application/octet-stream', 'application/x-ndjson', 'jsonp', '"'])(
    'answers 415 to the content type %j',
    async (type) => {
      expect(await postJson(server, person(), { type })).toMatchObject({ status: 415, code: 'UNSUPPORTED_CONTENT_TYPE' })
    },
  )

  it.each([json, 'APPLICATION/JSON', 'application/json;charset=utf-8', 'application/ld+json'])(
    'reads the content type %j as JSON',
    async (type) => {
      expect(await postJson(server, person(), { type })).toMatchObject({ status: 202 })
    },
  )

  it('answers 404 to other methods and paths', async () => {
    for (const [method, path] of [
      ['GET', '/api/leads/x'],
      ['PUT', '/api/leads/x'],
      ['POST', '/api/leads'],
      ['POST', '/api/leads/'],
      ['POST', '/api/leads/x/y'],
    ] as const) {
      expect([method, path, (await server.send(method, path)).status]).toEqual([method, path, 404])
    }
  })
})

describe('repeated leads', () => {
  const start = Date.now()
  let minutes = 0
  const server = useServer({}, { now: () => new Date(start + minutes * 60_000) })
  const advance = (by: number) => {
    minutes += by
  }
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
  const entries = (email: string) => server.rows('select 1 from lead_entries where raw_data->>$$email$$ = $1', [email])

  it('treats the same body as the same lead for ten minutes', async () => {
    const body = person()
    const first = await postJson(server, body)
    advance(9.9)
    expect(await postJson(server, body)).toMatchObject({ status: 202, id: first.id })
    expect(await entries(body.email)).toHaveLength(1)
    advance(0.2)
    const second = await postJson(server, body)
    expect([second.status, second.id === first.id]).toEqual([202, false])
    expect(await postJson(server, body)).toMatchObject({ id: second.id })
    expect(await entries(body.email)).toHaveLength(2)
  })

  it('treats the same Idempotency-Key and body as the same lead for 24 hours', async () => {
    const body = person()
    const key = randomUUID()
    const first = await postJson(server, body, withKey(key))
    for (const wait of [5, 60, 23 * 60 - 10]) {
      advance(wait)
      expect(await postJson(server, body, withKey(key))).toMatchObject({ status: 202, id: first.id })
    }
    expect(await entries(body.email)).toHaveLength(1)
    advance(70)
    const next = await postJson(server, body, withKey(key))
    expect([next.status, next.id === first.id]).toEqual([202, false])
  })

  it('answers 422 to the same Idempotency-Key with another body and does not store it', async () => {
    const key = randomUUID()
    const [first, other] = [person(), person()]
    const accepted = await postJson(server, first, withKey(key))
    for (const wait of [0, 30]) {
      advance(wait)
      expect(await postJson(server, other, withKey(key))).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
    }
    expect(await entries(other.email)).toEqual([])
    expect(await postJson(server, other)).toMatchObject({ status: 202 })
    expect(await postJson(server, first, withKey(key))).toMatchObject({ id: accepted.id })
  })

  it('treats the same body with another key as the same lead for ten minutes', async () => {
    const body = person()
    const first = await postJson(server, body, withKey(randomUUID()))
    expect(await postJson(server, body, withKey(randomUUID()))).toMatchObject({ status: 202, id: first.id })
    expect(await postJson(server, body)).toMatchObject({ status: 202, id: first.id })
  })

  it('compares keys and bodies only within a source', async () => {
    const source = await (await server.as('admin')).leadSources.create({ name: randomUUID() })
    const body = person()
    const key = randomUUID()
    const first = await postJson(server, body, withKey(key))
    const second = await postJson(server, body, { ...withKey(key), key: source.webhookKey })
    expect([second.status, second.id === first.id]).toEqual([202, false])
    expect(await postJson(server, person(), { ...withKey(randomUUID()), key: source.webhookKey })).toMatchObject({ status: 202 })
  })

  it('treats a multipart form with another boundary as the same lead', async () => {
    const send = (fields: Record<string, string>, key: string) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      return post(server, body, { type: '', ...withKey(key) })
    }
    const fields = person() as Record<string, string>
    const key = randomUUID()
    const first = await send(fields, key)
    expect(await send(fields, key)).toMatchObject({ status: 202, id: first.id })
    expect(await send(fields, randomUUID())).toMatchObject({ status: 202, id: first.id })
    expect(await send({ ...fields, phone: '1' }, key)).toMatchObject({ status: 422 })
  })

  it('creates one lead for thirty simultaneous requests, with or without a key', async () => {
    for (const sent of [{}, withKey(randomUUID())]) {
      const body = person()
      const responses = await Promise.all(Array.from({ length: 30 }, () => postJson(server, body, sent)))
      expect(responses.every(({ status }) => status === 202)).toBe(true)
      expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
      expect(await entries(body.email)).toHaveLength(1)
    }
  })

  it('accepts one of thirty simultaneous bodies with the same key and answers 422 to the others', async () => {
    const key = withKey(randomUUID())
    const responses = await Promise.all(Array.from({ length: 30 }, () => postJson(server, person(), key)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 29 }, () => 422)])
  })

  it.each(['', 'x'.repeat(201)])('refuses the Idempotency-Key %j', async (key) => {
    expect(await postJson(server, person(), withKey(key))).toMatchObject({ status: 400, code: 'INVALID_IDEMPOTENCY_KEY' })
  })

  it('adds a new lead of the same person for the same body an hour later', async () => {
    const body = person()
    const first = await postJson(server, body)
    advance(60)
    const second = await postJson(server, body)
    const [one, two] = await Promise.all([processed(server, first.id), processed(server, second.id)])
    expect([one.contact_id === two.contact_id, await contactsWith(server, body.email)]).toEqual([true, [{ id: one.contact_id }]])
  })
})

describe('leads from a browser form on another site', () => {
  const server = useServer({ APP_URL: 'https://refyne.example' })
  const origin = 'https://www.clinic.example'
  const preflight = (path: string, method = 'POST') =>
    fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type,idempotency-key' },
    })

  it('allow cross-origin preflight on this route only', async () => {
    const response = await preflight(`/api/leads/${webhookKey}`)
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(/content-type.*idempotency-key/),
    })
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    for (const [path, method] of [
      ['/api/contacts', 'GET'],
      ['/api/contacts', 'POST'],
      ['/api/auth/sign-in', 'POST'],
      ['/api/events', 'GET'],
      ['/api/lead-entries', 'GET'],
      ['/', 'GET'],
    ] as const) {
      const other = await preflight(path, method)
      expect([path, other.headers.get('access-control-allow-origin'), other.ok]).toEqual([path, null, false])
      const read = await fetch(`${server.url}${path}`, { headers: { origin } })
      expect([path, read.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })

  it('get cross-origin readable responses, including errors', async () => {
    const from = { headers: { origin, 'sec-fetch-site': 'cross-site' } }
    const responses = [
      await postJson(server, person(), from),
      await postJson(server, person(), { ...from, key: 'wrong' }),
      await post(server, '{', from),
      await post(server, 'x', { ...from, type: 'text/plain' }),
      await post(server, 'x'.repeat(70_000), from),
    ]
    expect(responses.map(({ status }) => status)).toEqual([202, 401, 400, 415, 413])
    expect(responses.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(responses.map(() => '*'))
  })

  it('redirect people to the thank-you page of the source and return the id to API clients', async () => {
    const admin = await server.as('admin')
    const thankYouUrl = 'https://www.clinic.example/thanks?from=form'
    const source = await admin.leadSources.create({ name: randomUUID(), thankYouUrl })
    const plain = await admin.leadSources.create({ name: randomUUID() })
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', origin }
    const encoded = () => new URLSearchParams(person()).toString()

    const body = encoded()
    for (const sent of [body, body, encoded()]) {
      const response = await post(server, sent, { key: source.webhookKey, type: form, headers: browser })
      expect([response.status, response.headers.get('location')]).toEqual([303, thankYouUrl])
    }
    const multipart = new FormData()
    for (const [name, value] of Object.entries(person())) multipart.append(name, value)
    expect(await post(server, multipart, { key: source.webhookKey, type: '', headers: browser })).toMatchObject({ status: 303 })

    expect(await post(server, encoded(), { key: source.webhookKey, type: form, headers: { accept: '*/*' } })).toMatchObject({
      status: 202,
      id: expect.stringMatching(/.{36}/),
    })
    expect(await postJson(server, person(), { key: source.webhookKey, headers: browser })).toMatchObject({ status: 202 })
    expect(await post(server, encoded(), { key: plain.webhookKey, type: form, headers: browser })).toMatchObject({ status: 202 })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://a b', 'ftp://x', 'https://x\r\nset-cookie: a=b'])(
    'can’t have the thank-you page %j',
    async (thankYouUrl) => {
      const admin = await server.as('admin')
      await expect(admin.leadSources.create({ name: randomUUID(), thankYouUrl })).rejects.toMatchObject({
        status: 422,
        data: { fields: { thankYouUrl: expect.any(String) } },
      })
    },
  )
})

describe('rate limits of leads', () => {
  const server = useServer({ LEADS_PER_MINUTE_PER_KEY: '3', LEADS_PER_MINUTE_PER_ADDRESS: '3', TRUST_PROXY: 'true' })
  const newKey = async () => (await (await server.as('admin')).leadSources.create({ name: randomUUID() })).webhookKey
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': `1.1.1.1, ${ip}` } })

  it('apply per key, with 429 and Retry-After, while other keys keep working', async () => {
    const responses = []
    for (let i = 0; i < 5; i++) responses.push(await postJson(server, person(), from(`10.0.1.${i}`)))
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 429, 429])
    expect(responses[3]).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(Number(responses[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await postJson(server, person(), { key: await newKey(), ...from('10.0.1.4') })).toMatchObject({ status: 202 })
  })

  it('apply per IP address, counting wrong keys, while other addresses keep working', async () => {
    const keys = [await newKey(), await newKey()]
    const statuses = []
    for (const key of ['wrong', ...keys, ...keys]) statuses.push((await postJson(server, person(), { key, ...from('10.0.0.1') })).status)
    expect(statuses).toEqual([401, 202, 202, 429, 429])
    expect(await postJson(server, person(), { key: keys[0]!, ...from('10.0.0.2') })).toMatchObject({ status: 202 })
  })
})

describe('a lead that can’t be processed (spec 8)', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(inject('postgres'))
  })
  afterAll(() => server.stop())

  it("is marked 'Failed to process lead' after the last attempt and keeps its data", async () => {
    await server.rows('revoke insert on interactions from refyne_app')
    const { id } = await postJson(server, person())
    const job = (state: string) =>
      server.rows(`select 1 from graphile_worker._private_jobs where payload->>'entryId' = $1 and locked_at is null and ${state}`, [id])
    await until(async () => (await job('attempts = 1')).length > 0)
    expect(await entryOf(server, id)).toMatchObject({ status: 'processing' })
    await server.rows("update graphile_worker._private_jobs set attempts = max_attempts - 1 where payload->>'entryId' = $1", [id])
    await makeDue(server, "payload->>'entryId' = $1", [id])
    expect(await processed(server, id)).toMatchObject({
      status: 'error',
      error_message: 'Failed to process lead',
      contact_id: null,
      processed_at: expect.any(Date),
      raw_data: { first_name: 'Ana' },
    })
    expect(await server.rows('select 1 from contacts')).toEqual([])
    const [failed] = await server.rows<{ last_error: string }>(
      "select last_error from graphile_worker._private_jobs where payload->>'entryId' = $1",
      [id],
    )
    expect(failed?.last_error ?? '').not.toMatch(/Ana|Silva|example\.com/)
  })
})
