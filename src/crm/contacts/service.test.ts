import { randomUUID } from 'node:crypto'
import type { ORPCError } from '@orpc/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { clinicalFields } from './derived-fields.ts'

type Given = Partial<Parameters<Client['contacts']['create']>[0]>

const server = useServer()
let admin: Client
beforeAll(async () => {
  admin = await server.as('admin')
})

const add = (given: Given = {}) => admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', ...given })
const address = () => `${randomUUID()}@example.com`
const stageNamed = async (name: string) => (await admin.pipeline.stages()).find((stage) => stage.name === name)?.id ?? ''
const timelineOf = async (contactId: string) => (await admin.interactions.list({ contactId })).data
const auditOf = (id: string, action: string) =>
  server.rows<{ actor_role: string; kind: string; before: Record<string, unknown>; after: Record<string, unknown> }>(
    'select actor_role, kind, before, after from audit_log where $1 = any(contact_ids) and action = $2 order by id',
    [id, action],
  )

/** A value for every field of the form. */
const everyField = {
  firstName: 'Éloïse',
  lastName: "O'Neil-Łuk",
  email: 'eloise.o@example.com',
  otherEmails: ['Eloise@second.example'],
  phone: '(905) 555-0142',
  otherPhones: ['+44 20 7946 0018', 'call her sister'],
  address: '1 King St W',
  city: 'Toronto',
  state: 'ON',
  zipCode: 'M5H 1A1',
  company: 'Company',
  title: 'Ms',
  notes: 'Notes\nin two lines',
  status: 'vip',
  leadSource: 'a friend of Zoe',
  funnelStage: 'Contacted',
  procedureOfInterest: 'something rare',
  assignedSalesRepId: '',
  assignedProviderId: '',
  lastContactDate: '2026-03-08T06:59:59.999Z',
  nextFollowUpDate: '2026-11-01T05:30:00.000Z',
  consentToCommunicate: true,
  importSource: 'old system',
  weightLossMedication: 'semaglutide',
  requiresSpecialistConsult: true,
  specialistConsultType: 'Cardiology',
  specialistConsultReason: 'murmur',
  specialistResultsReceived: true,
  specialistResultsDate: '2026-02-28',
  specialistNotes: 'fine',
  surgicalDate: '2028-02-29',
  revenueCents: 1_234_567_89,
  appointmentDate: '2026-12-31',
  appointmentTime: '23:59',
  appointmentLocation: 'Yorkville',
  metadata: { utm: 'x', ünï: 1.5, yes: true, no: null },
}
/** Fields stored under another name. */
const storedAs: Record<string, string> = {
  leadSource: 'leadSourceText',
  funnelStage: 'funnelStageId',
  procedureOfInterest: 'procedureText',
}

describe('create (spec 7)', () => {
  it('requires only a first and a last name, and applies the defaults (spec 3)', async () => {
    const created = await add({ firstName: ' Ana ', lastName: 'Silva' })
    expect(created).toMatchObject({
      firstName: 'Ana',
      status: 'active',
      consentToCommunicate: false,
      email: null,
      funnelStageId: await stageNamed('Lead'),
      version: 1,
    })
    expect((await refusal(admin.contacts.create({ firstName: ' ', lastName: '' }))).data).toEqual({
      fields: { firstName: 'First name is required', lastName: 'Last name is required' },
    })
  })

  it('stores every field as given (spec 3)', async () => {
    const [{ id: rep }, { id: surgeon }] = await Promise.all([server.account({ role: 'sales_rep' }), server.account({ role: 'provider' })])
    const given = { ...everyField, email: address(), assignedSalesRepId: rep, assignedProviderId: surgeon }
    const created = await admin.contacts.create(given)
    const expected = Object.fromEntries(Object.entries(given).map(([field, value]) => [storedAs[field] ?? field, value]))
    expect(created).toMatchObject({ ...expected, funnelStageId: await stageNamed('Contacted') })
    expect(await admin.contacts.get({ id: created.id })).toEqual(created)
  })

  it('accepts stage, source and procedure by id or by name in any case, and keeps unknown sources and procedures as text', async () => {
    const source = await admin.leadSources.create({ name: `Source ${randomUUID()}` })
    const procedure = await admin.procedures.create({ name: `Procedure ${randomUUID()}` })
    const stage = await stageNamed('Quote Sent')
    const ways = [
      { funnelStage: stage, leadSource: source.id, procedureOfInterest: procedure.id },
      { funnelStage: 'quote sent', leadSource: source.name.toUpperCase(), procedureOfInterest: procedure.name.toLowerCase() },
      { funnelStage: 'QUOTE_SENT', leadSource: ` ${source.name} `, procedureOfInterest: procedure.name },
    ]
    for (const way of ways) {
      const { funnelStageId, leadSourceId, leadSourceText, procedureId, procedureText } = await add(way)
      expect({ funnelStageId, leadSourceId, leadSourceText, procedureId, procedureText }).toEqual({
        funnelStageId: stage,
        leadSourceId: source.id,
        leadSourceText: null,
        procedureId: procedure.id,
        procedureText: null,
      })
    }
    expect(await add({ leadSource: 'Uncle Bob', procedureOfInterest: 'dimples' })).toMatchObject({
      leadSourceId: null,
      leadSourceText: 'Uncle Bob',
      procedureId: null,
      procedureText: 'dimples',
    })
  })

  it('refuses an unknown stage or staff member by its field, and adds no one', async () => {
    const email = address()
    const { id: pending } = await server.account({ status: 'pending' })
    const refused = await refusal(add({ email, funnelStage: 'nowhere', assignedSalesRepId: randomUUID(), assignedProviderId: pending }))
    expect([refused.code, refused.status, Object.keys(refused.data.fields ?? {}).toSorted()]).toEqual([
      'INVALID_REFERENCE',
      422,
      ['assignedProviderId', 'assignedSalesRepId', 'funnelStage'],
    ])
    expect(await admin.contacts.byEmail({ email })).toBeNull()
  })

  it('accepts only sales staff as owner and only providers as provider, and administrators as either', async () => {
    const [owner, provider] = ['assignedSalesRepId', 'assignedProviderId'] as const
    const may = { admin: [owner, provider], sales_rep: [owner], provider: [provider], front_desk: [], billing: [] }
    for (const [role, fields] of Object.entries(may)) {
      const { id } = await server.account({ role: role as keyof typeof may })
      for (const field of [owner, provider]) {
        if ((fields as string[]).includes(field)) expect(await add({ [field]: id })).toMatchObject({ [field]: id })
        else expect((await refusal(add({ [field]: id }))).data).toEqual({ fields: { [field]: 'This staff member has a different role' } })
      }
    }
  })

  it('starts the stage history, the timeline and the audit log', async () => {
    const { id } = await add()
    expect(await admin.contacts.stageHistory({ id })).toMatchObject([{ fromStageId: null, toStageId: await stageNamed('Lead') }])
    expect(await timelineOf(id)).toMatchObject([{ type: 'contact_created', description: 'Patient added' }])
    expect(await auditOf(id, 'created')).toMatchObject([
      { actor_role: 'admin', kind: 'contact', after: { firstName: 'Ana', lastName: 'Silva' } },
    ])
  })

  it('refuses a taken email in any case and returns the existing patient, unless duplicates are allowed', async () => {
    const email = address()
    const first = await add({ email })
    const refused = await refusal(add({ email: email.toUpperCase() }))
    expect([refused.code, refused.status, refused.data]).toMatchObject([
      'EMAIL_TAKEN',
      409,
      { fields: { email: 'A patient with this email already exists' }, existing: { id: first.id, firstName: 'Ana' } },
    ])
    const second = await add({ email, allowDuplicateEmail: true })
    expect(second.id).not.toBe(first.id)
    expect((await refusal(add({ email }))).data.existing?.id).toBe(first.id)
  })

  it('creates one contact from twenty simultaneous requests with the same email', async () => {
    for (let round = 0; round < 6; round++) {
      const email = address()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          add({ email: i % 2 ? email : email.toUpperCase() }).then(
            () => 'created',
            (error: ORPCError<string, unknown>) => error.code,
          ),
        ),
      )
      expect(answers.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'EMAIL_TAKEN'), 'created'])
      expect(await server.rows('select 1 from contacts where lower(email) = $1', [email])).toHaveLength(1)
    }
  })
})

describe('update of provided fields (spec 7)', () => {
  // A consult requires its type and reason: see consult.test.ts.
  it.each(Object.keys(everyField).filter((field) => field !== 'requiresSpecialistConsult'))('updates %s alone', async (field) => {
    const { id: staff } = await server.account({ role: field === 'assignedProviderId' ? 'provider' : 'sales_rep' })
    const before = await add({ phone: '1', email: address(), notes: 'x', city: 'Guelph' })
    const value = field.startsWith('assigned') ? staff : everyField[field as keyof typeof everyField]
    const after = await admin.contacts.update({ id: before.id, version: 1, [field]: value })
    const { version, updatedAt, stageEnteredAt, ...rest } = after
    const stored = storedAs[field] ?? field
    expect(rest).toEqual({ ...rest, ...Object.fromEntries(Object.entries(before).filter(([key]) => key in rest && key !== stored)) })
    expect(version).toBe(2)
    expect(updatedAt >= before.updatedAt).toBe(true)
    expect(stageEnteredAt === before.stageEnteredAt).toBe(field !== 'funnelStage')
    expect(after[stored as keyof typeof after]).toEqual(field === 'funnelStage' ? await stageNamed('Contacted') : value)
    expect(await admin.contacts.get({ id: before.id })).toEqual(after)
    expect(await auditOf(before.id, 'changed')).toMatchObject([
      { before: { [stored]: before[stored as keyof typeof before] }, after: { [stored]: after[stored as keyof typeof after] } },
    ])
  })

  it('clears a field given an empty text, except a name', async () => {
    const { id } = await add({ phone: '416 555 0100', city: 'Ottawa' })
    expect(await admin.contacts.update({ id, version: 1, phone: ' ', city: null })).toMatchObject({ phone: null, city: null })
    expect((await refusal(admin.contacts.update({ id, version: 2, firstName: ' ' }))).data.fields).toEqual({
      firstName: 'First name is required',
    })
  })

  it('changes neither version, timeline nor audit log when the values are the same', async () => {
    const { id } = await add({ city: 'Ottawa' })
    expect(await admin.contacts.update({ id, version: 1, city: 'Ottawa', funnelStage: 'lead' })).toMatchObject({ version: 1 })
    expect([await auditOf(id, 'changed'), (await timelineOf(id)).length]).toEqual([[], 1])
  })

  it('names several changed fields on the timeline without their values', async () => {
    const { id } = await add()
    await admin.contacts.update({ id, version: 1, phone: '416 555 0100', notes: 'secret', city: 'Ottawa' })
    const [entry] = await timelineOf(id)
    expect(entry).toMatchObject({ type: 'contact_updated', description: 'Phone, City and Notes changed' })
  })
})

describe('concurrent edits', () => {
  it('refuses a change of the same field with 409: who, when, old and new value, and the current record', async () => {
    const rep = await server.account({ role: 'sales_rep' })
    const { id } = await add({ city: 'Ottawa', phone: '1' })
    await server.client(rep.cookie).contacts.update({ id, version: 1, city: 'Guelph', title: 'Dr' })
    await server.client(rep.cookie).contacts.update({ id, version: 2, city: 'Kingston' })
    const refused = await refusal(admin.contacts.update({ id, version: 1, city: 'London', phone: '2' }))
    expect([refused.code, refused.status]).toEqual(['CONFLICT', 409])
    expect(refused.data.changes).toEqual([
      { field: 'city', by: rep.id, at: expect.stringMatching(/^20\d\d-.*Z$/), from: 'Guelph', to: 'Kingston' },
    ])
    expect(refused.data.current).toMatchObject({ city: 'Kingston', phone: '1', title: 'Dr', version: 3 })
    expect(await admin.contacts.get({ id })).toMatchObject({ city: 'Kingston', phone: '1', version: 3 })
  })

  it('keeps changes of different fields', async () => {
    const { id } = await add({ city: 'Ottawa', phone: '1' })
    await admin.contacts.update({ id, version: 1, city: 'Guelph' })
    expect(await admin.contacts.update({ id, version: 1, phone: '2' })).toMatchObject({ city: 'Guelph', phone: '2', version: 3 })
  })

  it('accepts the same value from both users', async () => {
    const { id } = await add({ city: 'Ottawa' })
    await admin.contacts.update({ id, version: 1, city: 'Guelph' })
    expect(await admin.contacts.update({ id, version: 1, city: 'Guelph' })).toMatchObject({ city: 'Guelph', version: 2 })
  })

  it('detects conflicts of stage, source and procedure', async () => {
    const { id } = await add()
    await admin.contacts.update({ id, version: 1, funnelStage: 'Contacted', leadSource: 'one', procedureOfInterest: 'one' })
    for (const change of [{ funnelStage: 'Cold Lead' }, { leadSource: 'two' }, { procedureOfInterest: 'two' }]) {
      expect((await refusal(admin.contacts.update({ id, version: 1, ...change }))).code).toBe('CONFLICT')
    }
  })

  it('lets one of thirty simultaneous changes of one field win and refuses the others', async () => {
    const { id } = await add()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        admin.contacts.update({ id, version: 1, city: `City ${i}` }).then(
          ({ city }) => city,
          (error: ORPCError<string, unknown>) => error.code,
        ),
      ),
    )
    const { city } = await admin.contacts.get({ id })
    expect(answers.filter((answer) => answer !== 'CONFLICT')).toEqual([city])
  })

  it('keeps thirty simultaneous changes of different fields', async () => {
    const { id } = await add()
    const fields = [
      'address',
      'city',
      'state',
      'company',
      'title',
      'notes',
      'importSource',
      'specialistNotes',
      'appointmentLocation',
      'phone',
    ] as const
    await Promise.all([...fields, ...fields, ...fields].map((field) => admin.contacts.update({ id, version: 1, [field]: 'new' })))
    expect(await admin.contacts.get({ id })).toMatchObject({ ...Object.fromEntries(fields.map((field) => [field, 'new'])), version: 11 })
  })
})

describe('stage changes (PRODUCT.md "Data")', () => {
  it.each([
    ['Consult Booked', 'consult_booked'],
    ['Surgery Booked', 'surgery_booked'],
    ['Cold Lead', 'stage_change'],
  ])('records a move to %s with time and user, an interaction of type %s, and an audit entry', async (name, type) => {
    const rep = await server.account({ role: 'sales_rep' })
    const { id, funnelStageId: lead } = await add()
    const stage = await stageNamed(name)
    const after = await server.client(rep.cookie).contacts.update({ id, version: 1, funnelStage: name })
    expect(after.funnelStageId).toBe(stage)
    const [, move] = await admin.contacts.stageHistory({ id })
    const at = after.stageEnteredAt
    expect(move).toEqual({ id: move?.id, fromStageId: lead, toStageId: stage, changedBy: rep.id, changedAt: at, lostReason: null })
    expect(await timelineOf(id)).toMatchObject([
      { type, createdBy: rep.id, description: `Stage changed from Lead to ${name}` },
      { type: 'contact_created' },
    ])
    expect(await auditOf(id, 'changed')).toMatchObject([
      { actor_role: 'sales_rep', before: { funnelStageId: lead, version: 1 }, after: { funnelStageId: stage, version: 2 } },
    ])
  })
})

describe('delete (spec 7)', () => {
  /** A contact with a tag and an automation state, and a function that adds lead entries. */
  const addWithAll = async (email: string) => {
    const { id } = await add({ email })
    const tag = await admin.tags.create({ name: randomUUID() })
    await admin.contacts.addTag({ id, tagId: tag.id })
    await server.rows("insert into automation_state (contact_id, automation, state) values ($1, 'welcome', '{}')", [id])
    const [source] = await server.rows<{ id: string }>('insert into lead_sources (name) values ($1) returning id', [randomUUID()])
    const entry = async (contactId: string | null, status: string, mail: string | null) => {
      const values = [source?.id, contactId, status, JSON.stringify(mail ? { email: mail } : {})]
      const [row] = await server.rows<{ id: string }>(
        "insert into lead_entries (source_id, contact_id, status, raw_data, raw_body, content_type) values ($1, $2, $3, $4, '', '') returning id",
        values,
      )
      return row?.id ?? ''
    }
    return { id, tag, entry }
  }
  const left = async (id: string) => {
    const tables = ['lead_entries', 'automation_state', 'interactions', 'contact_tags', 'contact_stage_history']
    const counts = await server.rows<{ n: number }>(
      tables.map((table) => `select count(*)::int as n from ${table} where contact_id = '${id}'`).join(' union all '),
    )
    return counts.map(({ n }) => n)
  }

  it('deletes lead entries by contact and raw email, automation state, tags, interactions and stage history only', async () => {
    const email = address()
    const { id, tag, entry } = await addWithAll(email)
    const other = await addWithAll(address())
    const gone = [await entry(id, 'completed', email), await entry(null, 'error', email.toUpperCase())]
    const kept = [
      await entry(null, 'error', address()),
      await entry(null, 'processing', email),
      await entry(other.id, 'completed', email),
      await entry(null, 'error', null),
    ]
    expect((await left(id)).every((n) => n > 0)).toBe(true)
    const before = await left(other.id)

    await admin.contacts.delete({ id })
    expect(await left(id)).toEqual([0, 0, 0, 0, 0])
    expect(await left(other.id)).toEqual(before)
    const remaining = await server.rows<{ id: string }>('select id from lead_entries where id = any($1)', [[...gone, ...kept]])
    expect(remaining.map((row) => row.id).toSorted()).toEqual(kept.toSorted())
    expect((await admin.tags.list()).some((one) => one.id === tag.id)).toBe(true)
    await expect(admin.contacts.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await auditOf(id, 'deleted')).toMatchObject([{ actor_role: 'admin', before: { email, firstName: 'Ana' } }])
  })

  it('deletes once on ten simultaneous requests and answers 404 to the others', async () => {
    const { id } = await add()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        admin.contacts.delete({ id }).then(
          () => 'deleted',
          (error: ORPCError<string, unknown>) => error.code,
        ),
      ),
    )
    expect(answers.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'NOT_FOUND'), 'deleted'])
    expect(await auditOf(id, 'deleted')).toHaveLength(1)
  })
})

describe('clinical notes and billing (PRODUCT.md "billing: contacts (no clinical notes)")', () => {
  const clinical = {
    notes: 'a clinical note',
    weightLossMedication: 'semaglutide',
    requiresSpecialistConsult: true,
    specialistConsultType: 'Cardiology',
    specialistConsultReason: 'murmur',
    specialistResultsReceived: true,
    specialistResultsDate: '2026-02-28',
    specialistNotes: 'a specialist wrote',
    metadata: { question: 'asked about her scars' },
  }
  const hidden = Object.fromEntries(clinicalFields.map((field) => [field, typeof clinical[field] === 'boolean' ? false : null]))
  let billing: Client
  beforeAll(async () => {
    billing = await server.as('billing')
  })

  it('hides clinical notes from billing in every call, but not from other roles', async () => {
    expect(Object.keys(clinical).toSorted()).toEqual([...clinicalFields].toSorted())
    const email = address()
    const { id } = await add({ ...clinical, email, city: 'Ottawa' })
    expect(await billing.contacts.get({ id })).toMatchObject({ ...hidden, city: 'Ottawa' })
    expect(await billing.contacts.update({ id, version: 1, city: 'Guelph' })).toMatchObject({ ...hidden, city: 'Guelph' })
    expect(await billing.contacts.update({ id, version: 2, city: 'Guelph' })).toMatchObject(hidden)
    const conflict = await refusal(billing.contacts.update({ id, version: 1, city: 'London' }))
    expect(conflict.data).toMatchObject({ current: hidden, changes: [{ field: 'city' }] })
    const ahead = await refusal(admin.contacts.update({ id, version: 99, city: 'London' }))
    expect([ahead.status, ahead.data.fields]).toEqual([422, { version: 'This patient does not have this version yet' }])
    for (const answer of [
      await server.send('GET', `/api/contacts/by-email?email=${encodeURIComponent(email)}`, undefined, await server.signIn('billing')),
      await server.send('GET', `/api/contacts/by-stage?stage=lead`, undefined, await server.signIn('billing')),
      await server.send('POST', '/api/contacts', { firstName: 'A', lastName: 'B', email }, await server.signIn('billing')),
    ]) {
      const text = await answer.text()
      for (const value of ['a clinical note', 'semaglutide', 'murmur', 'a specialist wrote', 'asked about her scars'])
        expect(text).not.toContain(value)
    }
    for (const role of ['admin', 'sales_rep', 'provider', 'front_desk'] as const) {
      expect(await (await server.as(role)).contacts.get({ id })).toMatchObject(clinical)
    }
  })

  it('refuses clinical notes from billing, new or changed, and audits the attempt', async () => {
    const { id } = await add(clinical)
    for (const field of clinicalFields) {
      const refused = await refusal(billing.contacts.update({ id, version: 1, [field]: clinical[field] }))
      expect([field, refused.status, Object.keys(refused.data.fields ?? {})]).toEqual([field, 422, [field]])
    }
    const refused = await refusal(billing.contacts.create({ firstName: 'Ana', lastName: 'Silva', notes: 'mine' }))
    expect([refused.status, Object.keys(refused.data.fields ?? {})]).toEqual([422, ['notes']])
    expect(await admin.contacts.get({ id })).toMatchObject({ ...clinical, version: 1 })
    expect(await auditOf(id, 'denied')).toHaveLength(clinicalFields.length)
  })

  it('hides timeline entries about care from billing, and refuses new ones', async () => {
    const id = await insertContact(server)
    const types = [
      'call',
      'email',
      'note',
      'task',
      'document',
      'tag',
      'meeting',
      'quickbooks',
      'stage_change',
      'consult_booked',
      'surgery_booked',
      'sales_receipt',
    ]
    await server.rows(
      "insert into interactions (contact_id, type, description) select $1, type, 'about ' || type from unnest($2::text[]) as type",
      [id, types],
    )
    const seen = async (client: Client) => (await client.interactions.list({ contactId: id })).data.map((entry) => entry.type).toSorted()
    // Task entries are for assignees (spec 6).
    expect(await seen(billing)).toEqual(['consult_booked', 'quickbooks', 'sales_receipt', 'stage_change', 'surgery_booked', 'tag'])
    expect(await seen(admin)).toEqual(types.toSorted())
    for (const type of ['call', 'email', 'note', 'meeting'] as const) {
      expect((await refusal(billing.interactions.create({ contactId: id, type, description: 'x' }))).status).toBe(403)
    }
    expect(await seen(admin)).toEqual(types.toSorted())
  })
})

describe('timeline (spec 9)', () => {
  it('pages newest first without losing or repeating entries of the same time', async () => {
    const id = await insertContact(server)
    await server.rows(
      "insert into interactions (contact_id, type, description, date) select $1, 'note', n::text, '2026-01-01'::timestamptz + (n / 10) * interval '1 second' from generate_series(1, 57) as n",
      [id],
    )
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<Client['interactions']['list']>> = await admin.interactions.list({
        contactId: id,
        limit: 7,
        ...(cursor ? { cursor } : {}),
      })
      expect(page.data.length).toBeLessThanOrEqual(7)
      seen.push(...page.data.map((entry) => entry.description))
      cursor = page.nextCursor
    }
    expect(seen.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 57 }, (_, i) => i + 1))
    expect(seen.map((n) => Math.floor(Number(n) / 10))).toEqual(seen.map((n) => Math.floor(Number(n) / 10)).toSorted((a, b) => b - a))
  })

  it('moves the last contact forward, never back, on a call, email or meeting, but not on a note, and records the user', async () => {
    const rep = await server.account({ role: 'sales_rep' })
    const client = server.client(rep.cookie)
    const { id } = await add({ lastContactDate: '2026-05-01T00:00:00.000Z' })
    const last = async () => (await admin.contacts.get({ id })).lastContactDate
    await client.interactions.create({
      contactId: id,
      type: 'call',
      outcome: 'voicemail',
      description: 'Left a message',
      date: '2026-04-01T00:00:00Z',
    })
    expect(await last()).toBe('2026-05-01T00:00:00.000Z')
    await client.interactions.create({ contactId: id, type: 'note', description: 'Thinks about it', date: '2026-07-01T00:00:00Z' })
    expect(await last()).toBe('2026-05-01T00:00:00.000Z')
    const meeting = await client.interactions.create({
      contactId: id,
      type: 'meeting',
      description: 'Consulted',
      date: '2026-06-01T00:00:00Z',
    })
    expect(await last()).toBe('2026-06-01T00:00:00.000Z')
    expect(meeting).toMatchObject({ createdBy: rep.id, type: 'meeting', date: '2026-06-01T00:00:00.000Z' })
  })

  it('adds one timeline entry per added or removed tag, and answers 404 for an unknown tag or patient', async () => {
    const { id } = await add()
    const tag = await admin.tags.create({ name: `Tag ${randomUUID()}` })
    for (let i = 0; i < 2; i++) await admin.contacts.addTag({ id, tagId: tag.id })
    expect(await admin.contacts.tags({ id })).toEqual([tag])
    for (let i = 0; i < 2; i++) await admin.contacts.removeTag({ id, tagId: tag.id })
    expect(await admin.contacts.tags({ id })).toEqual([])
    const entries = (await timelineOf(id)).filter((entry) => entry.type === 'tag').map((entry) => entry.description)
    expect(entries).toEqual([`Tag ${tag.name} removed`, `Tag ${tag.name} added`])
    await expect(admin.contacts.addTag({ id, tagId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(admin.contacts.addTag({ id: randomUUID(), tagId: tag.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('procedures, lead sources and tags (spec 7)', () => {
  it('lists them by name, and answers 409 to a taken name in any case', async () => {
    for (const name of ['zeta', 'Éclair', 'alpha', 'Edge']) {
      await admin.procedures.create({ name })
      await admin.tags.create({ name })
      await admin.leadSources.create({ name })
    }
    for (const list of [await admin.procedures.list(), await admin.tags.list(), await admin.leadSources.list()]) {
      expect(list.map((row) => row.name).filter((name) => ['zeta', 'Éclair', 'alpha', 'Edge'].includes(name))).toEqual([
        'alpha',
        'Éclair',
        'Edge',
        'zeta',
      ])
    }
    expect((await refusal(admin.procedures.create({ name: 'ALPHA' }))).code).toBe('NAME_TAKEN')
    expect((await refusal(admin.tags.create({ name: 'ÉCLAIR' }))).code).toBe('NAME_TAKEN')
    expect((await refusal(admin.leadSources.create({ name: ' Zeta ' }))).code).toBe('NAME_TAKEN')
    const [source] = await admin.leadSources.list()
    expect((await refusal(admin.leadSources.update({ id: source?.id ?? '', name: 'ZETA' }))).code).toBe('NAME_TAKEN')
  })

  it('refuses to delete a procedure or source in use, with the number of patients, but deletes a tag', async () => {
    const name = randomUUID()
    const [procedure, source, tag] = [
      await admin.procedures.create({ name }),
      await admin.leadSources.create({ name }),
      await admin.tags.create({ name }),
    ]
    const { id } = await add({ procedureOfInterest: name, leadSource: name })
    await admin.contacts.addTag({ id, tagId: tag.id })
    const before = await admin.contacts.get({ id })
    for (const kept of [() => admin.procedures.delete({ id: procedure.id }), () => admin.leadSources.delete({ id: source.id })])
      expect(await refusal(kept())).toMatchObject({
        status: 409,
        code: 'IN_USE',
        message: expect.stringMatching(/^Used by 1 patient\./),
        data: { count: 1 },
      })
    expect(await admin.contacts.get({ id })).toEqual(before)
    await admin.tags.delete({ id: tag.id })
    expect(await admin.contacts.tags({ id })).toEqual([])
    expect((await auditOf(id, 'deleted')).map((row) => row.kind)).toEqual(['tag'])
    // An inactive source stays on its patients, and can be restored.
    expect(await admin.leadSources.update({ id: source.id, isActive: false })).toMatchObject({ isActive: false })
    expect(await admin.contacts.get({ id })).toEqual(before)
    expect(await admin.leadSources.get({ id: source.id })).toMatchObject({ isActive: false, patients: 1, leads: 0 })
    await admin.contacts.update({ id, version: before.version, procedureOfInterest: null, leadSource: null })
    await admin.procedures.delete({ id: procedure.id })
    await admin.leadSources.delete({ id: source.id })
    expect((await refusal(admin.procedures.delete({ id: procedure.id }))).code).toBe('NOT_FOUND')
    expect((await refusal(admin.leadSources.delete({ id: source.id }))).code).toBe('NOT_FOUND')
    expect((await refusal(admin.tags.delete({ id: tag.id }))).code).toBe('NOT_FOUND')
  })

  it('never leaves a patient with the id of a source that is being deleted', async () => {
    const source = await admin.leadSources.create({ name: randomUUID() })
    const { id, version } = await add({})
    const held = await server.hold('select 1 from lead_sources where id = $1 for key share', [source.id])
    const deleted = refusal(admin.leadSources.delete({ id: source.id }))
    await server.rows('update contacts set lead_source = $2 where id = $1', [id, source.id])
    await held.release()
    expect(version).toBeGreaterThan(0)
    expect(await deleted).toMatchObject({ code: 'IN_USE', data: { count: 1 } })
    expect(await admin.contacts.get({ id })).toMatchObject({ leadSourceId: source.id })
  })

  it('refuses to delete a source with leads, and shows its webhook key once without storing it', async () => {
    const source = await admin.leadSources.create({ name: randomUUID() })
    await server.send('POST', `/api/leads/${source.webhookKey}`, { first_name: 'Ana' })
    expect(await refusal(admin.leadSources.delete({ id: source.id }))).toMatchObject({ code: 'IN_USE', data: { count: 1 } })
    const [stored] = await server.rows('select * from lead_sources where id = $1', [source.id])
    expect(JSON.stringify(stored)).not.toContain(source.webhookKey)
    const listed = (await admin.leadSources.list()).find((one) => one.id === source.id)
    expect(Object.keys(listed ?? {}).toSorted()).toEqual(['hasWebhookKey', 'id', 'isActive', 'name', 'sendsWelcome', 'thankYouUrl'])
  })
})
