import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgeNightly } from '../../admin/retention/jobs.ts'

const server = useServer()
let admin: Client
let sales: Client
beforeAll(async () => {
  admin = await server.as('admin')
  sales = await server.as('sales_rep')
})

const newSource = () => admin.leadSources.create({ name: randomUUID() })
const newAddress = () => `${randomUUID()}@elsewhere.example`

/** Sends leads to a source one by one and waits until they are processed. */
async function send(source: { id: string; webhookKey: string }, ...bodies: object[]): Promise<void> {
  for (const body of bodies) {
    const response = await server.send('POST', `/api/leads/${source.webhookKey}`, body)
    expect(response.status).toBe(202)
  }
  await waitUntilProcessed(source.id)
}
const waitUntilProcessed = (sourceId: string) =>
  until(async () => (await admin.leads.entries({ sourceId })).data.every(({ status }) => status !== 'processing'))

const waitingOf = async (sourceId: string) => (await sales.leads.queue({ sourceId })).data
const countOf = async (sourceId: string) => (await sales.leads.queueCounts()).sources.find(({ id }) => id === sourceId)?.waiting ?? 0
const contactsWith = (email: string) => server.rows<{ id: string; first_name: string }>('select * from contacts where email = $1', [email])
const person = (email: string) => ({ firstName: 'Ana', lastName: 'Silva', email })

describe('queue of leads to complete', () => {
  it('lists the received fields and the recognized values, and counts leads by source', async () => {
    const source = await newSource()
    await send(source, { first_name: 'Ana', f1: 'Silva', 'Best time': 'evenings' })
    expect(await waitingOf(source.id)).toEqual([
      expect.objectContaining({
        sourceName: source.name,
        errorMessage: 'Missing required fields',
        dismissedAt: null,
        lead: { firstName: 'Ana', lastName: null, email: null, phone: null, procedure: null },
        received: [
          { name: 'f1', value: 'Silva' },
          { name: 'Best time', value: 'evenings' },
          { name: 'first_name', value: 'Ana' },
        ],
      }),
    ])
    expect(await countOf(source.id)).toBe(1)
  })

  it('queues a lead with a web address in its name, which becomes a patient with the name that staff enter', async () => {
    const source = await newSource()
    const email = newAddress()
    await send(
      source,
      { first_name: 'WIN $500 at https://evil.example', last_name: 'Silva', email },
      { first_name: 'Ana', last_name: 'www.evil.example/claim', email, message: 'again' },
      { first_name: 'Bo\nLi', last_name: 'Li', email: newAddress() },
    )
    expect(await contactsWith(email)).toEqual([])
    const waiting = await waitingOf(source.id)
    expect(waiting.map(({ errorMessage }) => errorMessage)).toEqual([
      "Last name can't contain a web address or a line break",
      "First name can't contain a web address or a line break",
    ])
    const [{ id, lead }] = waiting as [(typeof waiting)[number]]
    expect(lead).toMatchObject({ firstName: 'Ana', lastName: 'www.evil.example/claim', email })
    const asSent = await refusal(sales.leads.complete({ id, firstName: 'Ana', lastName: 'www.evil.example/claim', email }))
    expect([asSent.status, asSent.data.fields]).toEqual([422, { lastName: "Last name can't contain a web address or a line break" }])
    await sales.leads.complete({ id, ...person(email) })
    expect(await contactsWith(email)).toMatchObject([{ first_name: 'Ana' }])
    // A line break alone is removed, because people press Enter by mistake.
    expect(await server.rows("select 1 from contacts where first_name = 'Bo Li'")).toHaveLength(1)
  })

  it('queues a lead with an invalid email, which is completed with the one that staff enter', async () => {
    const [source, email] = [await newSource(), newAddress()]
    await send(source, { ...person('ana at work'), message: 'call me' })
    const [{ id, ...waiting }] = (await waitingOf(source.id)) as [Awaited<ReturnType<typeof waitingOf>>[number]]
    expect(waiting).toMatchObject({ errorMessage: 'Email is not a valid address', lead: { email: 'ana at work' } })
    expect(waiting.received).toContainEqual({ name: 'message', value: 'call me' })
    const { contactId } = await sales.leads.complete({ id, ...person(email) })
    expect(await admin.contacts.get({ id: contactId })).toMatchObject({ email, otherEmails: [] })
  })

  it('suggests the first of several addresses and keeps the others, unless staff enter another', async () => {
    const source = await newSource()
    const [a, b, c, d, typed] = Array.from({ length: 5 }, newAddress) as [string, string, string, string, string]
    await send(source, { first_name: 'Ana', email: `Ana <${a}>, ${b}` }, { first_name: 'Bo', email: `${c} ${d}` })
    const [second, first] = await waitingOf(source.id)
    expect([first!.lead.email, second!.lead.email]).toEqual([a, c])
    const kept = await sales.leads.complete({ id: first!.id, ...person(a.toUpperCase()) })
    expect((await admin.contacts.get({ id: kept.contactId })).otherEmails).toEqual([b])
    const replaced = await sales.leads.complete({ id: second!.id, ...person(typed) })
    expect((await admin.contacts.get({ id: replaced.contactId })).otherEmails).toEqual([])
  })

  it('turns a completed lead into a patient of its source and removes it from the queue', async () => {
    const [source, email] = [await newSource(), newAddress()]
    await send(source, { who: 'Ana', utm_source: 'instagram' })
    const { id } = (await waitingOf(source.id))[0]!
    const completed = await sales.leads.complete({ id, ...person(email), phone: '416 555 0100', procedure: 'Botox' })
    expect(completed.isNew).toBe(true)
    expect(await admin.contacts.get({ id: completed.contactId })).toMatchObject({ ...person(email), phone: '416 555 0100', status: 'new' })
    expect(await countOf(source.id)).toBe(0)
    expect((await admin.leads.entries({ sourceId: source.id })).data).toMatchObject([
      { id, status: 'completed', contactId: completed.contactId, errorMessage: null },
    ])
    const [audit] = await server.rows(
      "select actor_role, contact_ids, before, after from audit_log where kind = 'lead-entry' and action = 'changed' and after->>'id' = $1",
      [id],
    )
    expect(audit).toMatchObject({
      actor_role: 'sales_rep',
      contact_ids: [completed.contactId],
      before: { status: 'error' },
      after: { status: 'completed' },
    })
  })

  it('adds a completed lead to the patient who has its email by then', async () => {
    const [source, email] = [await newSource(), newAddress()]
    await send(source, { who: 'Ana' })
    const { id } = (await waitingOf(source.id))[0]!
    const known = await admin.contacts.create({ firstName: 'Anna', lastName: 'Silva', email, phone: '' })
    expect(await sales.leads.complete({ id, ...person(email.toUpperCase()) })).toEqual({ contactId: known.id, isNew: false })
    expect(await contactsWith(email)).toMatchObject([{ id: known.id, first_name: 'Anna' }])
    const timeline = await admin.interactions.list({ contactId: known.id })
    expect(JSON.stringify(timeline)).toContain(`Another lead from ${source.name}`)
  })

  it('answers 409 to all but one of several people who complete a lead at the same time', async () => {
    const source = await newSource()
    await send(source, { who: 'Ana' })
    const { id } = (await waitingOf(source.id))[0]!
    const emails = [newAddress(), newAddress(), newAddress()]
    const results = await Promise.allSettled(emails.map((email, i) => [admin, sales][i % 2]!.leads.complete({ id, ...person(email) })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(sales.leads.complete({ id, ...person(newAddress()) }))).toMatchObject({ status: 409, code: 'NOT_WAITING' })
    expect((await Promise.all(emails.map(contactsWith))).flat()).toHaveLength(1)
    expect(await refusal(sales.leads.complete({ id: randomUUID(), ...person(newAddress()) }))).toMatchObject({ status: 404 })
  })

  it.each([
    ['firstName', { firstName: ' ' }, 'First name is required'],
    ['lastName', { lastName: '' }, 'Last name is required'],
    ['email', { email: 'ana at example.com' }, 'Please enter a valid email address'],
    ['email', { email: '' }, 'Please enter a valid email address'],
    ['phone', { phone: '4'.repeat(51) }, 'Use at most 50 characters'],
    ['procedure', { procedure: 'a\0b' }, null],
  ])('refuses a %s that cannot be stored (%j)', async (field, change, message) => {
    const refused = await refusal(sales.leads.complete({ id: randomUUID(), ...person('a@elsewhere.example'), ...change }))
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused)).toContain(field)
    if (message) expect(JSON.stringify(refused)).toContain(message)
  })

  it('removes a discarded lead from the queue, restores it on undo, and erases its data by the retention rule', async () => {
    const source = await newSource()
    await send(source, { who: 'Spam' }, { who: 'Ana' })
    const [newer, older] = await waitingOf(source.id)
    expect((await sales.leads.discard({ id: older!.id })).dismissedAt).toEqual(expect.any(String))
    expect((await waitingOf(source.id)).map(({ id }) => id)).toEqual([newer!.id])
    expect((await sales.leads.queue({ sourceId: source.id, show: 'discarded' })).data.map(({ id }) => id)).toEqual([older!.id])
    expect((await refusal(sales.leads.discard({ id: older!.id }))).code).toBe('NOT_WAITING')
    expect((await refusal(sales.leads.complete({ id: older!.id, ...person(newAddress()) }))).code).toBe('NOT_WAITING')
    expect((await refusal(sales.leads.restore({ id: newer!.id }))).code).toBe('NOT_DISCARDED')
    await sales.leads.restore({ id: older!.id })
    expect(await countOf(source.id)).toBe(2)
    await sales.leads.discard({ id: older!.id })
    await server.rows("update lead_entries set received_at = now() - interval '400 days' where source_id = $1", [source.id])
    await admin.retention.set({ kind: 'leadBodies', isOn: true, days: 365 })
    const system = { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'night', address: null } }
    await purgeNightly.run(system, {}, { last: true })
    expect((await sales.leads.queue({ sourceId: source.id, show: 'discarded' })).data[0]?.received).toEqual([])
    expect((await refusal(sales.leads.restore({ id: older!.id }))).code).toBe('NOT_DISCARDED')
    expect((await waitingOf(source.id))[0]?.received).toEqual([{ name: 'who', value: 'Ana' }])
    const audit = await server.rows<{ action: string }>(
      "select action from audit_log where kind = 'lead-entry' and before->>'id' = $1 order by id",
      [older!.id],
    )
    expect(audit.map(({ action }) => action)).toEqual(['deleted', 'restored', 'deleted'])
  })
})

describe('field mapping of a source', () => {
  it('processes every waiting lead once, keeps incomplete ones in the queue and applies to later leads', async () => {
    const source = await newSource()
    const emails = Array.from({ length: 12 }, newAddress)
    await send(source, ...emails.map((email, i) => ({ a: `Ana Silva-${i}`, b: email })), { a: 'Cher', b: 'none' })
    const discarded = (await waitingOf(source.id)).at(-1)!
    await sales.leads.discard({ id: discarded.id })
    const fields = await sales.leads.fields({ sourceId: source.id })
    expect(fields).toMatchObject({ fieldMap: {}, received: [{ name: 'a', value: 'Cher' }, { name: 'b' }] })
    const fieldMap = { fullName: 'a', email: 'b' }
    const both = await Promise.all([admin, sales].map((client) => client.leads.mapFields({ sourceId: source.id, fieldMap })))
    expect(both.reduce((sum, { queued }) => sum + queued, 0)).toBeGreaterThanOrEqual(12)
    await waitUntilProcessed(source.id)
    const made = (await Promise.all(emails.map(contactsWith))).map((found) => found.length)
    expect(made).toEqual([0, ...Array.from({ length: 11 }, () => 1)]) // the discarded one stays discarded
    expect(await waitingOf(source.id)).toMatchObject([{ lead: { firstName: 'Cher', lastName: null, email: 'none' } }])
    // Saving the mapping again creates nothing twice.
    await sales.leads.mapFields({ sourceId: source.id, fieldMap })
    await waitUntilProcessed(source.id)
    const [later, own] = [newAddress(), newAddress()]
    await send(source, { a: 'van der Berg, Anna', b: later }, { a: 'Anna Lim', b: '', email: own })
    expect(await contactsWith(later)).toMatchObject([{ first_name: 'Anna', last_name: 'van der Berg' }])
    expect(await contactsWith(own)).toMatchObject([{ first_name: 'Anna', last_name: 'Lim' }]) // spec 5's name, as the mapped field is empty
    const audit = await server.rows(
      "select before, after from audit_log where kind = 'lead-source' and after ? 'fieldMap' and after->>'id' = $1 order by id limit 1",
      [source.id],
    )
    expect(audit).toMatchObject([{ before: { fieldMap: {} }, after: { fieldMap } }])
    expect(
      (await server.rows('select n.contact_id from lead_entries n where n.source_id = $1 and status = $2', [source.id, 'completed']))
        .length,
    ).toBe(13)
  })

  it('takes precedence over a standard field name, whose value is kept', async () => {
    const source = await newSource()
    const [parent, patient, later] = [newAddress(), newAddress(), newAddress()]
    await send(source, { first_name: 'Ana', email: parent, patient_email: patient })
    await sales.leads.mapFields({ sourceId: source.id, fieldMap: { email: 'patient_email' } })
    await waitUntilProcessed(source.id)
    expect(await waitingOf(source.id)).toMatchObject([{ lead: { email: patient } }])
    await send(source, { ...person(parent), patient_email: later })
    expect([await contactsWith(parent), (await contactsWith(later)).length]).toEqual([[], 1])
    const sent = await server.rows("select raw_data->>'email' as email from lead_entries where source_id = $1", [source.id])
    expect(sent).toEqual([{ email: parent }, { email: parent }])
  })

  it('refuses to map a field that the source has never sent, and names it', async () => {
    const source = await newSource()
    await send(source, { 'Your mail': 'none', details: { town: 'Oakville' } }, ...Array.from({ length: 3 }, () => ({ f1: randomUUID() })))
    const map = (fieldMap: object) => sales.leads.mapFields({ sourceId: source.id, fieldMap })
    const refused = await refusal(map({ email: 'Your mail', phone: 'nowhere', procedure: 'toString' }))
    expect([refused.status, refused.data.fields]).toEqual([
      422,
      {
        phone: 'This source has not sent a field named “nowhere”',
        procedure: 'This source has not sent a field named “toString”',
      },
    ])
    expect((await sales.leads.fields({ sourceId: source.id })).fieldMap).toEqual({})
    const fieldMap = { email: 'Your mail', procedure: 'details › town' }
    await map(fieldMap)
    // Fields that are already mapped may stay, even if their leads have been erased.
    await server.rows("update lead_entries set raw_data = '{}' where source_id = $1", [source.id])
    await map({ ...fieldMap })
    expect((await refusal(map({ ...fieldMap, source: 'Your mail 2' }))).data.fields).toEqual({
      source: 'This source has not sent a field named “Your mail 2”',
    })
  })

  it('creates one patient from a lead that is completed while its source is being mapped', async () => {
    const [source, email] = [await newSource(), newAddress()]
    await send(source, { a: 'Ana Silva', b: email })
    const { id } = (await waitingOf(source.id))[0]!
    await Promise.allSettled([
      sales.leads.mapFields({ sourceId: source.id, fieldMap: { fullName: 'a', email: 'b' } }),
      admin.leads.complete({ id, ...person(email) }),
    ])
    await waitUntilProcessed(source.id)
    expect(await contactsWith(email)).toHaveLength(1)
    expect(await countOf(source.id)).toBe(0)
  })

  it('limits long lists of fields, names and values, and treats hostile ones as text', async () => {
    const [source, email] = [await newSource(), newAddress()]
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`field ${i}`, 'x']))
    await send(source, many)
    expect((await waitingOf(source.id))[0]?.received).toHaveLength(200)
    const name = 'n'.repeat(400)
    const hostile = '<img src=x onerror=alert(1)> \u202e"; drop table contacts; --'
    await send(source, { [name]: email, [hostile]: hostile, constructor: 'Silva', 'who?': 'Ana' })
    expect((await waitingOf(source.id))[0]?.received).toEqual([
      { name: 'who?', value: 'Ana' },
      { name: 'constructor', value: 'Silva' },
      { name: hostile, value: hostile },
      { name: name.slice(0, 300), value: email },
    ])
    const fieldMap = { firstName: 'who?', lastName: 'constructor', email: name.slice(0, 300), procedure: hostile }
    await sales.leads.mapFields({ sourceId: source.id, fieldMap })
    await waitUntilProcessed(source.id)
    expect(await contactsWith(email)).toMatchObject([{ first_name: 'Ana', last_name: 'Silva' }])
  })

  it('refuses an unknown lead field, a name that is too long and an unknown source', async () => {
    const source = await newSource()
    const map = (fieldMap: object) => refusal(sales.leads.mapFields({ sourceId: source.id, fieldMap }))
    expect((await map({ role: 'a' })).status).toBe(422)
    expect((await map({ email: 'a'.repeat(301) })).status).toBe(422)
    expect((await map({ email: 'a\0' })).status).toBe(422)
    expect((await refusal(sales.leads.mapFields({ sourceId: randomUUID(), fieldMap: {} }))).status).toBe(404)
    expect((await refusal(sales.leads.fields({ sourceId: randomUUID() }))).status).toBe(404)
  })

  it.each(['provider', 'front_desk', 'billing'] as const)('answers 403 to a %s for all lead calls', async (role) => {
    const other = await server.as(role)
    const source = await newSource()
    await send(source, { who: 'Ana' })
    const { id } = (await waitingOf(source.id))[0]!
    const calls = [
      () => other.leads.queue({}),
      () => other.leads.queueCounts(),
      () => other.leads.complete({ id, ...person(newAddress()) }),
      () => other.leads.discard({ id }),
      () => other.leads.restore({ id }),
      () => other.leads.fields({ sourceId: source.id }),
      () => other.leads.mapFields({ sourceId: source.id, fieldMap: { email: 'who' } }),
    ]
    for (const call of calls) expect((await refusal(call())).status).toBe(403)
    expect(await countOf(source.id)).toBe(1)
  })
})
