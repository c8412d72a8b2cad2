import { randomBytes, randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { leadBodies } from '../../../test/lead-bodies.ts'
import { exchange } from '../../../test/raw-http.ts'
import { type Client, startTestServer, type TestServer, useServer, webhookKey } from '../../../test/server.ts'
import { openStream } from '../../../test/stream.ts'
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
type Answer = { status: number; ok: boolean; id: string; code: string | undefined; headers: Headers }
type Sent = { key?: string; type?: string; headers?: Record<string, string> }

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const address = () => `${randomUUID()}@example.com`
const person = (more: Record<string, unknown> = {}) => ({ first_name: 'Ana', last_name: 'Silva', email: address(), ...more })

const post = async (server: TestServer, body: BodyInit, { key = webhookKey, type = json, headers = {} }: Sent = {}): Promise<Answer> => {
  const response = await fetch(`${server.url}/api/leads/${key}`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { ...(type ? { 'content-type': type } : {}), ...headers },
  })
  const said = (await response.json().catch(() => ({}))) as { id?: string; code?: string }
  return { status: response.status, ok: response.ok, id: said.id ?? '', code: said.code, headers: response.headers }
}
const postJson = (server: TestServer, body: unknown, sent: Sent = {}) => post(server, JSON.stringify(body), sent)
const entryOf = async (server: TestServer, id: string) => (await server.rows<Entry>('select * from lead_entries where id = $1', [id]))[0]
const processed = (server: TestServer, id: string) =>
  until(async () => {
    const entry = await entryOf(server, id)
    return entry?.status !== 'processing' && entry
  })
const contactsWith = (server: TestServer, email: string) =>
  server.rows<{ id: string }>('select id from contacts where lower(email) = lower($1) order by seq', [email])

describe('issue 2 "Leads": a lead becomes a contact', () => {
  const server = useServer()
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
  })
  const take = async (body: BodyInit, sent: Sent = {}) => {
    const answer = await post(server, body, sent)
    expect([answer.ok, answer.code]).toEqual([true, undefined])
    return processed(server, answer.id)
  }
  const contactOf = (entry: Entry) => admin.contacts.get({ id: entry.contact_id ?? '' })

  it('spec 4: processing, then completed with the contact and the time; the contact is new and at the stage lead', async () => {
    const email = address()
    const answer = await postJson(server, person({ email, phone: ' 416 555 0100 ' }))
    expect(answer).toMatchObject({ status: 202, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    const entry = await processed(server, answer.id)
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

  it('JSON, form-encoded and multipart say the same', async () => {
    const fields = { fname: 'Zoë', surname: "O'Brien", mobile: '1', interest: 'Lips', utm_source: 'a friend' }
    const multipart = new FormData()
    const emails = [address(), address(), address()]
    for (const [name, value] of Object.entries({ ...fields, email: emails[2] ?? '' })) multipart.append(name, value)
    const entries = [
      await take(JSON.stringify({ ...fields, email: emails[0] })),
      await take(new URLSearchParams({ ...fields, email: emails[1] ?? '' }).toString(), { type: `${form}; charset=UTF-8` }),
      await take(multipart, { type: '' }),
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
    'as a form tool sends it: $file',
    async ({ body, contentType }) => {
      const entry = await take(body, { type: contentType })
      expect(entry).toMatchObject({ status: 'completed', raw_body: body, content_type: contentType })
      const { email } = await contactOf(entry)
      expect(entry.raw_data.email).toBe(email)
    },
  )

  it('issue 22: a tool that takes any other answer than 200 for a failure is answered 200', async () => {
    const strict = ['elementor-advanced.txt', 'google-ads.json', 'tiktok.json', 'unbounce.txt', 'wix.json']
    for (const { file, body, contentType } of leadBodies) {
      const { status } = await post(server, body, { type: contentType })
      expect([file, status]).toEqual([file, strict.includes(file) ? 200 : 202])
    }
    // Elementor without advanced data, and every other form of WordPress.
    const headers = { 'user-agent': 'WordPress/6.8; https://www.clinic.example' }
    expect(await postJson(server, person(), { headers })).toMatchObject({ status: 200 })
  })

  it.each([
    ['iso-8859-1', 'first_name=Zo%EB&last_name=Gagn%E9', form, 'Zoë', 'Gagné'],
    ['windows-1252', 'first_name=Zo%EB&last_name=O%92Brien', form, 'Zoë', 'O’Brien'],
    ['shift_jis', 'first_name=%89%D4%8Eq&last_name=%8ER%93c', form, '花子', '山田'],
  ])('issue 22: a form in the declared charset %s is read in it', async (charset, body, type, firstName, lastName) => {
    const entry = await take(`${body}&email=${address()}`, { type: `${type}; charset=${charset}` })
    expect(await contactOf(entry)).toMatchObject({ firstName, lastName })
    const hidden = await take(`${body}&email=${address()}&_charset_=${charset}`, { type })
    expect(await contactOf(hidden)).toMatchObject({ firstName, lastName })
  })

  it.each([
    ['escaped', 'first_name=Chlo%E9&last_name=O%92Brien'],
    ['as they are', 'first_name=Chlo\xe9&last_name=O\x92Brien'],
  ])('bytes of a form that declares no charset and is not UTF-8 are read as windows-1252, %s', async (_, names) => {
    const sent = Buffer.from(`${names}&email=${address()}&city=Montr%C3%A9al&cut=%C3`, 'latin1')
    const entry = await take(sent, { type: form })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Chloé', lastName: 'O’Brien' })
    // Each value counts for itself: UTF-8 beside it stays what it is.
    expect(entry.raw_data).toMatchObject({ city: 'Montréal', cut: 'Ã' })
    expect(entry.raw_body).not.toContain('\uFFFD')
  })

  it('a multipart form without a charset is read the same way; one that declares UTF-8 is taken at its word, and so is JSON', async () => {
    const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = [part('first_name', 'Chlo\xe9'), part('last_name', 'Gagn\xc3\xa9'), part('email', address()), part('pr\xe9nom', 'x')]
    const multipart = Buffer.from(`${parts.join('')}--b--\r\n`, 'latin1')
    const entry = await take(multipart, { type: 'multipart/form-data; boundary=b' })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Chloé', lastName: 'Gagné' })
    expect(entry.raw_data).toHaveProperty('prénom', 'x')

    const raw = Buffer.from(`first_name=Chlo\xe9&last_name=Li&email=${address()}`, 'latin1')
    expect(await post(server, raw, { type: `${form}; charset=UTF-8` })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    const escaped = await take(`first_name=Chlo%E9&last_name=Li&email=${address()}`, { type: `${form}; charset=UTF-8` })
    expect(await contactOf(escaped)).toMatchObject({ firstName: 'Chlo\uFFFD' })
    const json1252 = Buffer.from(JSON.stringify(person({ first_name: 'Chloé' })), 'latin1')
    expect(await post(server, json1252, { type: json })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
  })

  it('issue 22: JSON and multipart in another charset than UTF-8 are read in it', async () => {
    const sent = JSON.stringify({ first_name: 'Zoë', last_name: 'Łukasz', email: address() })
    const bigEndian = Buffer.from(`\uFEFF${sent}`, 'utf16le').swap16()
    for (const [body, type] of [
      [Buffer.from(sent, 'utf16le'), 'application/json; charset=utf-16le'],
      [new Uint8Array(bigEndian), 'application/json; charset=UTF-16'],
      [bigEndian, json],
    ] as const)
      expect(await contactOf(await take(body, { type }))).toMatchObject({ firstName: 'Zoë', lastName: 'Łukasz' })

    const parts = [
      ['first_name', 'Zoë'],
      ['last_name', 'Gagné'],
      ['email', address()],
    ].map(
      ([name, value]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n${value}\r\n`,
    )
    const multipart = Buffer.from(`${parts.join('')}--b--\r\n`, 'latin1')
    expect(await contactOf(await take(multipart, { type: 'multipart/form-data; boundary=b' }))).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Gagné',
    })
  })

  it('issue 22: multipart with a short boundary, escaped names and a file is read', async () => {
    const part = (disposition: string, value: string) => `--wp24\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
    const sent = [
      part('name="first_name"', 'Zoë'),
      part('name="last_name"', 'Gagné'),
      part('name="email"', address()),
      part('name="say %22hi%22"', 'a\r\nb'),
      part('name="photo"; filename="naïve.png"', '12345'),
    ]
    const entry = await take(`${sent.join('')}--wp24--\r\n`, { type: 'multipart/form-data; boundary="wp24"' })
    expect(await contactOf(entry)).toMatchObject({ firstName: 'Zoë', lastName: 'Gagné' })
    expect(entry.raw_data).toMatchObject({ 'say "hi"': 'a\r\nb', photo: { file: 'naïve.png', size: 5 } })
  })

  it.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
    ['br', zlib.brotliCompressSync],
  ])('issue 22: a body with content-encoding %s is unpacked', async (encoding, pack) => {
    const email = address()
    const entry = await take(pack(Buffer.from(JSON.stringify(person({ email })))), { headers: { 'content-encoding': encoding } })
    expect(await contactOf(entry)).toMatchObject({ email })
  })

  it('issue 22: both values of interest[] are kept, and read', async () => {
    const entry = await take(`${new URLSearchParams(person())}&interest[]=Lips&interest[]=Nose`, { type: form })
    expect(entry.raw_data).toMatchObject({ 'interest[]': ['Lips', 'Nose'] })
    expect(await contactOf(entry)).toMatchObject({ procedureText: 'Lips, Nose' })
  })

  it('a procedure and a source that are known by name are referred to, in any case', async () => {
    const procedure = await admin.procedures.create({ name: `Procedure ${randomUUID()}` })
    const source = await admin.leadSources.create({ name: `Source ${randomUUID()}` })
    const entry = await take(JSON.stringify(person({ procedure: procedure.name.toUpperCase(), source: source.name.toLowerCase() })))
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
  ])("spec 5: %s is kept and ends as 'Missing required fields'", async (_, body) => {
    const sent = JSON.stringify({ ...body, id: randomUUID() })
    const entry = await take(sent)
    expect(entry).toMatchObject({
      status: 'error',
      error_message: 'Missing required fields',
      contact_id: null,
      processed_at: expect.any(Date),
      raw_body: sent,
    })
  })

  it('a known contact is matched by email in any case: nothing is overwritten, what is lacking is filled in, the timeline tells of it', async () => {
    const email = address()
    const known = await admin.contacts.create({
      firstName: 'Known',
      lastName: 'Patient',
      email: email.toUpperCase(),
      notes: 'notes',
      funnelStage: 'Quote Sent',
    })
    const first = await take(JSON.stringify(person({ email, phone: '416 555 0100', procedure: 'Lips' })))
    const second = await take(JSON.stringify(person({ email, phone: '905 555 0100', procedure: 'Nose' })))
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
    const told = (await admin.interactions.list({ contactId: known.id })).data.map(({ type, description }) => [type, description])
    expect(told).toContainEqual(['note', 'Another lead from Website Form, asking about Lips'])
    expect(told).toContainEqual(['note', 'Another lead from Website Form, asking about Nose'])
  })

  it('twenty leads of one person at the same moment make one contact', async () => {
    const email = address()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => postJson(server, person({ email: i % 2 ? email : email.toUpperCase(), message: `${i}` }))),
    )
    const entries = await Promise.all(answers.map(({ id }) => processed(server, id)))
    const contacts = await contactsWith(server, email)
    expect(contacts).toHaveLength(1)
    expect(new Set(answers.map(({ id }) => id)).size).toBe(20)
    expect(entries.every((entry) => entry.status === 'completed' && entry.contact_id === contacts[0]?.id)).toBe(true)
  })

  it('a job that runs twice does no harm', async () => {
    const entry = await take(JSON.stringify(person()))
    const before = await admin.interactions.list({ contactId: entry.contact_id ?? '' })
    await server.rows("select graphile_worker.add_job('leads.process', json_build_object('entryId', $1::text))", [entry.id])
    await until(
      async () =>
        (await server.rows("select 1 from graphile_worker._private_jobs where payload->>'entryId' = $1", [entry.id])).length === 0,
    )
    expect(await admin.interactions.list({ contactId: entry.contact_id ?? '' })).toEqual(before)
    expect(await entryOf(server, entry.id)).toEqual(entry)
  })

  it('anyone who has the list open hears of it', async () => {
    const stream = await openStream(server.url, await server.signIn('front_desk'))
    const entry = await take(JSON.stringify(person()))
    await stream.next(({ topic, id }) => topic === 'contact' && id === entry.contact_id)
    stream.close()
  })

  it('what a text column cannot keep is cleaned, and the lead is not lost over it', async () => {
    const email = address()
    const sent = `{"first_name":"A\\u0000na","last_name":"Sil\\ud800va","email":"${email}","\\u0000":"\\udfff","list":["\\u0000"]}`
    const contact = await contactOf(await take(sent))
    expect(contact).toMatchObject({ firstName: 'A\uFFFDna', lastName: 'Sil\uFFFDva', email })
    const encoded = await contactOf(await take(`first_name=A%00na&last_name=%FF%FE&email=${address()}`, { type: form }))
    expect(encoded).toMatchObject({ firstName: 'A\uFFFDna', lastName: 'ÿþ' })
  })

  it('__proto__ and constructor are names like others', async () => {
    const polluting = `{"__proto__":{"first_name":"Evil","polluted":true},"constructor":{"prototype":{"polluted":true}},"first_name":"Ana","last_name":"Silva","email":"${address()}"}`
    expect(await contactOf(await take(polluting))).toMatchObject({ firstName: 'Ana' })
    expect(await take(`{"__proto__":{"first_name":"Ana","last_name":"Silva","email":"${address()}"}}`)).toMatchObject({ status: 'error' })
    await take(`__proto__=x&constructor=y&hasOwnProperty=z&${new URLSearchParams(person())}`, { type: form })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('a name, address or phone that is far too long is cut for the contact and kept whole in the entry', async () => {
    const long = randomBytes(14_000).toString('hex')
    for (const body of [
      person({ first_name: long }),
      person({ phone: long, procedure: long.slice(0, 9_000) }),
      { ...person(), last_name: `${'x'.repeat(99)}😀` },
    ]) {
      const sent = JSON.stringify(body)
      const entry = await take(sent)
      expect(entry).toMatchObject({ status: 'completed', raw_body: sent })
      const contact = await contactOf(entry)
      expect(contact.firstName.length).toBeLessThanOrEqual(100)
    }
    const sent = JSON.stringify(person({ email: long }))
    const waiting = await take(sent)
    expect(waiting).toMatchObject({ status: 'error', error_message: 'Email is not a valid address', raw_body: sent })
    const again = await take(JSON.stringify(person({ email: { in: long } })))
    expect(again).toMatchObject({ status: 'error', error_message: 'Missing required fields' })
  })

  it.each(['not an email', 'x', 'ana@x', 'nl2@x.example\nBcc: a@b.c', 'a@x.example, none', `a@${'sub.'.repeat(70)}example.com`])(
    'an email that is not an address waits for staff with the reason, whole: %j',
    async (email) => {
      const entry = await take(JSON.stringify(person({ email, message: randomUUID() })))
      expect(entry).toMatchObject({ status: 'error', error_message: 'Email is not a valid address', contact_id: null })
      expect(JSON.parse(entry.raw_body)).toMatchObject({ email })
      expect(await server.rows('select 1 from contacts where email = $1', [email])).toEqual([])
    },
  )

  it('of several addresses the first is the patient’s, the others are kept beside it, and what surrounds them is dropped', async () => {
    const [first, second, third] = [address(), address(), address()]
    const contact = await contactOf(await take(JSON.stringify(person({ email: `Ana <${first}>, mailto:${second}; ${third}.` }))))
    expect(contact).toMatchObject({ email: first, otherEmails: [second, third] })
    // A list longer than one address may be.
    const many = Array.from({ length: 5 }, () => `${randomUUID()}@a-long-domain-name.example`)
    const listed = await contactOf(await take(JSON.stringify(person({ email: many.join(' ') }))))
    expect([listed.email, ...listed.otherEmails]).toEqual(many.slice(0, 1 + listed.otherEmails.length))
    expect(listed.otherEmails.length).toBeGreaterThan(1)
  })

  it('a form adds no address to a patient who is known, nor another patient’s address to anyone; the timeline tells of it', async () => {
    const [known, theirs, stranger, fresh] = [address(), address(), address(), address()]
    const patient = await admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', email: known })
    await admin.contacts.create({ firstName: 'Bea', lastName: 'Silva', email: theirs })
    await take(JSON.stringify(person({ email: `${known}, ${stranger}` })))
    expect((await admin.contacts.get({ id: patient.id })).otherEmails).toEqual([])
    const made = await contactOf(await take(JSON.stringify(person({ email: `${fresh}, ${theirs}` }))))
    expect(made).toMatchObject({ email: fresh, otherEmails: [] })
    const timelines = await Promise.all([patient, made].map(({ id }) => admin.interactions.list({ contactId: id })))
    const descriptions = timelines.map(({ data }) => data.map(({ description }) => description))
    expect(descriptions[0]).toContain(`Another lead from Website Form. Other emails sent: ${stranger}`)
    expect(descriptions[1]).toContain(`Lead from Website Form. Other emails sent: ${theirs}`)
  })

  it('spec 7: entries are listed, newest first, by status and source', async () => {
    const source = await admin.leadSources.create({ name: randomUUID() })
    const good = await postJson(server, person(), { key: source.webhookKey })
    const bad = await postJson(server, { first_name: 'Ana' }, { key: source.webhookKey })
    await Promise.all([processed(server, good.id), processed(server, bad.id)])
    const listed = async (status?: 'completed' | 'error') =>
      (await admin.leads.entries({ sourceId: source.id, ...(status ? { status } : {}) })).data.map(({ id }) => id)
    expect([await listed(), await listed('completed'), await listed('error')]).toEqual([[bad.id, good.id], [good.id], [bad.id]])
  })

  it('issue 3: the first attribution is written once and stays, the latest follows each lead; a form in any shape has one', async () => {
    const sent = person({ utm_source: 'google', utm_campaign: 'noses', landing_page: '/rhinoplasty-oakville', gclid: 'g1' })
    const first = await contactOf(await take(JSON.stringify(sent)))
    expect(first.firstAttribution).toMatchObject({ source: 'Website Form', utmSource: 'google', landingPage: '/rhinoplasty-oakville' })
    expect(first.latestAttribution).toEqual(first.firstAttribution)

    const again = await contactOf(await take(JSON.stringify({ ...sent, utm_source: 'instagram', gclid: undefined, fbclid: 'f1' })))
    expect(again.id).toBe(first.id)
    expect(again.firstAttribution).toEqual(first.firstAttribution)
    expect(again.latestAttribution).toMatchObject({ utmSource: 'instagram', gclid: null, fbclid: 'f1' })
    const { data } = await admin.interactions.list({ contactId: first.id })
    expect(data.map(({ type }) => type).toSorted(), 'the timeline tells of the lead, not of the bookkeeping').toEqual([
      'contact_created',
      'email',
      'note',
    ])

    const updated = await admin.contacts.update({ id: first.id, version: again.version, city: 'Oakville' })
    expect(updated.firstAttribution).toEqual(first.firstAttribution)
    const forged = { id: first.id, version: updated.version, firstAttribution: again.latestAttribution } as never
    await expect(admin.contacts.update(forged)).rejects.toMatchObject({ status: 422 })

    for (const { file, contentType, body } of leadBodies.filter((lead) => lead.file !== 'facebook-leadgen-notification.json')) {
      const entry = await take(body, { type: contentType })
      const { latestAttribution } = await contactOf(entry)
      expect([file, latestAttribution]).toEqual([file, expect.objectContaining({ at: expect.any(String), source: expect.any(String) })])
    }
  })

  it('issue 3: of two who become one, the older first attribution and the newer latest one stay', async () => {
    const leads = [person({ gclid: 'first' }), person({ gclid: 'second' })]
    const [older, newer] = [await contactOf(await take(JSON.stringify(leads[0]))), await contactOf(await take(JSON.stringify(leads[1])))]
    const both = { id: newer.id, version: newer.version, sourceId: older.id, sourceVersion: older.version }
    const merged = await admin.contacts.merge(both)
    expect([merged.firstAttribution?.gclid, merged.latestAttribution?.gclid]).toEqual(['first', 'second'])
    await admin.contacts.undoMerge({ id: merged.mergeId })
    expect(await admin.contacts.get({ id: newer.id })).toMatchObject({ firstAttribution: newer.firstAttribution })
  })
})

describe('issue 2 "Leads": what is refused', () => {
  const server = useServer()
  const count = async () => (await server.rows<{ n: number }>('select count(*)::int as n from lead_entries'))[0]?.n

  it('a wrong key is 401, whatever is sent with it, and so is one that was replaced', async () => {
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

  it('64 KiB are taken, one byte more is 413, whether its length was told or not', async () => {
    const email = address()
    const start = `{"first_name":"Ana","last_name":"Silva","email":"${email}","message":"`
    const body = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 2)}"}`
    expect(await post(server, body(65_536))).toMatchObject({ status: 202 })
    const before = await count()
    expect(await post(server, body(65_537))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    expect(await post(server, body(1_000_000))).toMatchObject({ status: 413 })
    const chunks = `${(70_000).toString(16)}\r\n${body(70_000)}\r\n0\r\n\r\n`
    const head = `POST /api/leads/${webhookKey} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await exchange(server.url, head + chunks)).toMatchObject({ status: 413 })
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
  ])('%s is 400 and nothing is written', async (_, body, type) => {
    const before = await count()
    expect(await post(server, body, { type })).toMatchObject({ status: 400, code: 'INVALID_BODY' })
    expect(await count()).toBe(before)
  })

  it('issue 22: a packed body is bounded by what comes out of it, and one that is broken or packed in an unknown way is refused', async () => {
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
    'the content type %j is 415',
    async (type) => {
      expect(await postJson(server, person(), { type })).toMatchObject({ status: 415, code: 'UNSUPPORTED_CONTENT_TYPE' })
    },
  )

  it.each([json, 'APPLICATION/JSON', 'application/json;charset=utf-8', 'application/ld+json'])(
    'the content type %j is JSON',
    async (type) => {
      expect(await postJson(server, person(), { type })).toMatchObject({ status: 202 })
    },
  )

  it('only POST to one key is an intake', async () => {
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

describe('issue 2 "Leads": replays', () => {
  const start = Date.now()
  let minutes = 0
  const server = useServer({}, { now: () => new Date(start + minutes * 60_000) })
  const later = (more: number) => {
    minutes += more
  }
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
  const entries = (email: string) => server.rows('select 1 from lead_entries where raw_data->>$$email$$ = $1', [email])

  it('the same body within ten minutes is the same lead, then it is another', async () => {
    const body = person()
    const first = await postJson(server, body)
    later(9.9)
    expect(await postJson(server, body)).toMatchObject({ status: 202, id: first.id })
    expect(await entries(body.email)).toHaveLength(1)
    later(0.2)
    const second = await postJson(server, body)
    expect([second.status, second.id === first.id]).toEqual([202, false])
    expect(await postJson(server, body)).toMatchObject({ id: second.id })
    expect(await entries(body.email)).toHaveLength(2)
  })

  it('the same Idempotency-Key and body are the same lead for a day', async () => {
    const body = person()
    const key = randomUUID()
    const first = await postJson(server, body, withKey(key))
    for (const wait of [5, 60, 23 * 60 - 10]) {
      later(wait)
      expect(await postJson(server, body, withKey(key))).toMatchObject({ status: 202, id: first.id })
    }
    expect(await entries(body.email)).toHaveLength(1)
    later(70)
    const next = await postJson(server, body, withKey(key))
    expect([next.status, next.id === first.id]).toEqual([202, false])
  })

  it('the same Idempotency-Key with another body is 422, and that body is not taken', async () => {
    const key = randomUUID()
    const [first, other] = [person(), person()]
    const taken = await postJson(server, first, withKey(key))
    for (const wait of [0, 30]) {
      later(wait)
      expect(await postJson(server, other, withKey(key))).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
    }
    expect(await entries(other.email)).toEqual([])
    expect(await postJson(server, other)).toMatchObject({ status: 202 })
    expect(await postJson(server, first, withKey(key))).toMatchObject({ id: taken.id })
  })

  it('another key with the same body within ten minutes is the same lead', async () => {
    const body = person()
    const first = await postJson(server, body, withKey(randomUUID()))
    expect(await postJson(server, body, withKey(randomUUID()))).toMatchObject({ status: 202, id: first.id })
    expect(await postJson(server, body)).toMatchObject({ status: 202, id: first.id })
  })

  it('keys and bodies belong to their source', async () => {
    const source = await (await server.as('admin')).leadSources.create({ name: randomUUID() })
    const body = person()
    const key = randomUUID()
    const first = await postJson(server, body, withKey(key))
    const second = await postJson(server, body, { ...withKey(key), key: source.webhookKey })
    expect([second.status, second.id === first.id]).toEqual([202, false])
    expect(await postJson(server, person(), { ...withKey(randomUUID()), key: source.webhookKey })).toMatchObject({ status: 202 })
  })

  it('a multipart form that is sent again has another boundary, and is the same lead', async () => {
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

  it('thirty at the same moment: one lead, one id, with a key or without', async () => {
    for (const sent of [{}, withKey(randomUUID())]) {
      const body = person()
      const answers = await Promise.all(Array.from({ length: 30 }, () => postJson(server, body, sent)))
      expect(answers.every(({ status }) => status === 202)).toBe(true)
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(await entries(body.email)).toHaveLength(1)
    }
  })

  it('thirty bodies with one key at the same moment: one is taken, the others are 422', async () => {
    const key = withKey(randomUUID())
    const answers = await Promise.all(Array.from({ length: 30 }, () => postJson(server, person(), key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array.from({ length: 29 }, () => 422)])
  })

  it.each(['', 'x'.repeat(201)])('an Idempotency-Key of %j is 422', async (key) => {
    expect(await postJson(server, person(), withKey(key))).toMatchObject({ status: 400, code: 'INVALID_IDEMPOTENCY_KEY' })
  })

  it('after an hour the same body is a new lead of the same person', async () => {
    const body = person()
    const first = await postJson(server, body)
    later(60)
    const second = await postJson(server, body)
    const [one, two] = await Promise.all([processed(server, first.id), processed(server, second.id)])
    expect([one.contact_id === two.contact_id, await contactsWith(server, body.email)]).toEqual([true, [{ id: one.contact_id }]])
  })
})

describe('issue 2 "Leads": from a browser form on another site', () => {
  const server = useServer({ APP_URL: 'https://refyne.example' })
  const origin = 'https://www.clinic.example'
  const preflight = (path: string, method = 'POST') =>
    fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'content-type,idempotency-key' },
    })

  it('the preflight of this route answers; that of any other does not', async () => {
    const answer = await preflight(`/api/leads/${webhookKey}`)
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringMatching(/content-type.*idempotency-key/),
    })
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
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

  it('the answer may be read there, also when it is a refusal', async () => {
    const from = { headers: { origin, 'sec-fetch-site': 'cross-site' } }
    const answers = [
      await postJson(server, person(), from),
      await postJson(server, person(), { ...from, key: 'wrong' }),
      await post(server, '{', from),
      await post(server, 'x', { ...from, type: 'text/plain' }),
      await post(server, 'x'.repeat(70_000), from),
    ]
    expect(answers.map(({ status }) => status)).toEqual([202, 401, 400, 415, 413])
    expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual(answers.map(() => '*'))
  })

  it('a person is led to the thank-you page of the source, a program is told the id', async () => {
    const admin = await server.as('admin')
    const thankYouUrl = 'https://www.clinic.example/thanks?from=form'
    const source = await admin.leadSources.create({ name: randomUUID(), thankYouUrl })
    const plain = await admin.leadSources.create({ name: randomUUID() })
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', origin }
    const encoded = () => new URLSearchParams(person()).toString()

    const body = encoded()
    for (const sent of [body, body, encoded()]) {
      const answer = await post(server, sent, { key: source.webhookKey, type: form, headers: browser })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, thankYouUrl])
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
    '%j cannot be a thank-you page',
    async (thankYouUrl) => {
      const admin = await server.as('admin')
      await expect(admin.leadSources.create({ name: randomUUID(), thankYouUrl })).rejects.toMatchObject({
        status: 422,
        data: { fields: { thankYouUrl: expect.any(String) } },
      })
    },
  )
})

describe('issue 2 "Leads": limits', () => {
  it('per key: 429 with Retry-After, and other keys go on', async () => {
    const server = await startTestServer(inject('postgres'), { LEADS_PER_MINUTE_PER_KEY: '3' })
    try {
      const source = await (await server.as('admin')).leadSources.create({ name: 'Other' })
      const answers = []
      for (let i = 0; i < 5; i++) answers.push(await postJson(server, person()))
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429, 429])
      expect(answers[3]).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await postJson(server, person(), { key: source.webhookKey })).toMatchObject({ status: 202 })
    } finally {
      await server.stop()
    }
  })

  it('per address, wrong keys included: 429 with Retry-After, and other addresses go on', async () => {
    const server = await startTestServer(inject('postgres'), { LEADS_PER_MINUTE_PER_ADDRESS: '3', TRUST_PROXY: 'true' })
    try {
      const from = (ip: string) => ({ headers: { 'x-forwarded-for': `1.1.1.1, ${ip}` } })
      const statuses = []
      for (let i = 0; i < 5; i++)
        statuses.push((await postJson(server, person(), { ...from('10.0.0.1'), ...(i === 0 ? { key: 'wrong' } : {}) })).status)
      expect(statuses).toEqual([401, 202, 202, 429, 429])
      expect(await postJson(server, person(), from('10.0.0.2'))).toMatchObject({ status: 202 })
    } finally {
      await server.stop()
    }
  })
})

describe('spec 8: a lead that cannot be processed', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(inject('postgres'))
  })
  afterAll(() => server.stop())

  it("after the last attempt it is marked 'Failed to process lead', and keeps what was sent", async () => {
    await server.rows('revoke insert on interactions from refyne_app')
    const { id } = await postJson(server, person())
    const job = (state: string) =>
      server.rows(`select 1 from graphile_worker._private_jobs where payload->>'entryId' = $1 and locked_at is null and ${state}`, [id])
    await until(async () => (await job('attempts = 1')).length > 0)
    expect(await entryOf(server, id)).toMatchObject({ status: 'processing' })
    await server.rows(
      "update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now() where payload->>'entryId' = $1",
      [id],
    )
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
