import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'
import { insertContact, insertContacts, insertOneOfEach } from '../../../test/factories.ts'
import { startTestServer, type TestServer, useServer, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

type Row = {
  actor_id: string | null
  actor_role: string
  action: string
  kind: string
  contact_ids: string[]
  before: unknown
  after: unknown
  address: string | null
}
const rowsOf = (server: TestServer, requestId: string | null) =>
  server.rows<Row>(
    'select actor_id, actor_role, action, kind, contact_ids, before, after, address from audit_log where request_id = $1 order by id',
    [requestId],
  )

describe('views, changes and denials are recorded before the response (spec 2)', () => {
  const server = useServer()

  /** Sends a request as a new staff member and returns its audit rows, by the request id in the response. */
  const ask = async (role: 'admin' | 'sales_rep' | 'billing', method: string, path: string, body?: unknown) => {
    const account = await server.account({ role })
    const response = await server.send(method, path, body, account.cookie)
    const rows = await rowsOf(server, response.headers.get('x-request-id'))
    for (const row of rows)
      expect(row).toMatchObject({ actor_id: account.id, actor_role: role, address: expect.stringContaining('127.0.0.1') })
    return {
      status: response.status,
      rows: rows.map(({ action, kind, contact_ids: contactIds }) => [action, kind, contactIds]),
      full: rows,
    }
  }

  it('records views with the patients and the kind of data; lists name every patient on them', async () => {
    const made = await insertOneOfEach(server)
    const email = `${randomUUID()}@example.com`
    const [one = '', two = ''] = await insertContacts(server, [
      { email, leadSourceText: made.tagId, stage: 'quote_sent' },
      { leadSourceText: made.tagId },
    ])
    await server.rows('insert into contact_tags (contact_id, tag_id) values ($1, $3), ($2, $3)', [one, two, made.tagId])
    const view = async (path: string) => (await ask('sales_rep', 'GET', path)).rows
    expect(await view(`/api/contacts/${one}`)).toEqual([['viewed', 'contact', [one]]])
    expect(await view(`/api/contacts?tagId=${made.tagId}`)).toEqual([['viewed', 'contact', [two, one]]])
    expect(await view(`/api/contacts?search=ana&tagId=${made.tagId}&limit=1`)).toEqual([['viewed', 'contact', [two]]])
    expect(await view(`/api/contacts/by-email?email=${encodeURIComponent(email)}`)).toEqual([['viewed', 'contact', [one]]])
    expect(await view('/api/contacts/by-stage?stage=quote_sent')).toEqual([['viewed', 'contact', [one]]])
    expect(await view(`/api/contacts/by-source?source=${made.tagId}`)).toEqual([['viewed', 'contact', [two, one]]])
    expect(await view(`/api/contacts/${one}/interactions`)).toEqual([['viewed', 'interaction', [one]]])
    expect(await view(`/api/contacts/${one}/stage-history`)).toEqual([['viewed', 'stage-history', [one]]])
    expect(await view(`/api/contacts/${one}/tags`)).toEqual([['viewed', 'tag', [one]]])
    const [, , everybody] = (await view('/api/contacts/batch'))[0] ?? []
    expect(everybody).toEqual(expect.arrayContaining([one, two, made.contactId]))
    const welcome = await server.rows<{ id: string }>(
      "insert into contact_tags (contact_id, tag_id) select $1, id from tags where name = 'Welcome' returning contact_id as id",
      [one],
    )
    expect(await view('/api/contacts/welcome')).toEqual([['viewed', 'contact', welcome.map(({ id }) => id)]])
    await server.rows("insert into lead_entries (source_id, contact_id, raw_data, raw_body, content_type) values ($1, $2, '{}', '', '')", [
      made.sourceId,
      two,
    ])
    expect(await view(`/api/lead-entries?sourceId=${made.sourceId}`)).toEqual([['viewed', 'lead-entry', [two]]])
  })

  it('records nothing when no patient data is shown: vocabularies, counts, missing records', async () => {
    await insertContact(server)
    const paths = [
      '/api/tags',
      '/api/funnel-stages',
      '/api/people',
      '/api/contacts/count?search=ana',
      `/api/contacts/by-email?email=nobody@example.com`,
      '/api/contacts?search=nobodyatall',
    ]
    for (const path of paths) expect([path, (await ask('sales_rep', 'GET', path)).rows]).toEqual([path, []])
  })

  it('records requests for unknown contact ids, because someone may be guessing', async () => {
    const id = randomUUID()
    expect((await ask('sales_rep', 'GET', `/api/contacts/${id}`)).rows).toEqual([['viewed', 'contact', [id]]])
  })

  it('records changes with the values before and after', async () => {
    const made = await insertOneOfEach(server)
    const { contactId, otherContactId, tagId, sourceId, procedureId, accountId } = made
    const email = `${randomUUID()}@example.com`
    const created = await ask('sales_rep', 'POST', '/api/contacts', { firstName: 'Ana', lastName: 'Silva', email, city: 'Ottawa' })
    expect(created.full).toMatchObject([
      {
        action: 'created',
        kind: 'contact',
        contact_ids: [expect.any(String)],
        before: null,
        after: { email, city: 'Ottawa', lastName: 'Silva' },
      },
    ])
    const existing = created.full[0]?.contact_ids ?? []
    expect(await ask('sales_rep', 'POST', '/api/contacts', { firstName: 'B', lastName: 'C', email })).toMatchObject({
      status: 409,
      rows: [['viewed', 'contact', existing]],
    })

    const changed = await ask('sales_rep', 'PATCH', `/api/contacts/${contactId}`, { version: 1, city: 'Guelph', phone: '1' })
    expect(changed.full).toMatchObject([
      {
        action: 'changed',
        kind: 'contact',
        contact_ids: [contactId],
        before: { city: null, phone: null, version: 1 },
        after: { city: 'Guelph', phone: '1', version: 2 },
      },
    ])
    expect(Object.keys(changed.full[0]?.after as object).toSorted()).toEqual(['city', 'phone', 'version'])
    expect(await ask('sales_rep', 'PATCH', `/api/contacts/${contactId}`, { version: 1, city: 'London' })).toMatchObject({
      status: 409,
      rows: [['viewed', 'contact', [contactId]]],
    })

    const change = async (method: string, path: string, body?: unknown) => (await ask('admin', method, path, body)).rows
    expect(await change('POST', `/api/contacts/${contactId}/interactions`, { type: 'note', description: 'x' })).toEqual([
      ['created', 'interaction', [contactId]],
    ])
    expect(await change('PUT', `/api/contacts/${contactId}/tags/${tagId}`)).toEqual([['changed', 'tag', [contactId]]])
    expect(await change('PUT', `/api/contacts/${contactId}/tags/${tagId}`)).toEqual([])
    expect(await change('DELETE', `/api/contacts/${contactId}/tags/${tagId}`)).toEqual([['changed', 'tag', [contactId]]])
    const [versions] = await server.rows(
      'select a.version, b.version as "sourceVersion" from contacts a, contacts b where a.id = $1 and b.id = $2',
      [contactId, otherContactId],
    )
    expect(await change('POST', `/api/contacts/${contactId}/merge`, { sourceId: otherContactId, ...versions })).toEqual([
      ['changed', 'contact', [contactId]],
      ['merged', 'contact', [contactId, otherContactId]],
    ])
    expect(await change('DELETE', `/api/contacts/${contactId}`)).toEqual([['deleted', 'contact', [contactId]]])
    expect(await change('PATCH', `/api/accounts/${accountId}`, { role: 'billing' })).toEqual([['changed', 'account', []]])
    expect(await change('PATCH', `/api/lead-sources/${sourceId}`, { name: randomUUID() })).toEqual([['changed', 'lead-source', []]])
    expect(await change('POST', `/api/lead-sources/${sourceId}/webhook-key`)).toEqual([['changed', 'lead-source', []]])
    expect(await change('DELETE', `/api/lead-sources/${sourceId}`)).toEqual([['deleted', 'lead-source', []]])
    expect(await change('POST', '/api/lead-sources', { name: randomUUID() })).toEqual([['created', 'lead-source', []]])
    expect(await change('POST', '/api/tags', { name: randomUUID() })).toEqual([['created', 'tag', []]])
    expect(await change('DELETE', `/api/tags/${tagId}`)).toEqual([['deleted', 'tag', []]])
    expect(await change('POST', '/api/procedures', { name: randomUUID() })).toEqual([['created', 'procedure', []]])
    expect(await change('DELETE', `/api/procedures/${procedureId}`)).toEqual([['deleted', 'procedure', []]])
  })

  it('never logs a webhook key', async () => {
    const source = await (await server.as('admin')).leadSources.create({ name: randomUUID() })
    const [row] = await server.rows<Row>("select * from audit_log where kind = 'lead-source' and after->>'id' = $1", [source.id])
    expect(JSON.stringify(row)).not.toContain(source.webhookKey)
  })

  it('records denials by role, of clinical notes, and of pending accounts', async () => {
    const id = await insertContact(server)
    expect((await ask('billing', 'DELETE', `/api/contacts/${id}`)).rows).toEqual([['denied', 'contacts.delete', []]])
    expect((await ask('billing', 'POST', `/api/contacts/${id}/interactions`, { type: 'note', description: 'x' })).rows).toEqual([
      ['denied', 'interactions.create', []],
    ])
    expect((await ask('billing', 'PATCH', `/api/contacts/${id}`, { version: 1, notes: 'x' })).rows).toEqual([['denied', 'contact', [id]]])
    const waiting = await server.account({ role: 'provider', status: 'pending' })
    const refused = await server.send('GET', `/api/contacts/${id}`, undefined, waiting.cookie)
    expect(await rowsOf(server, refused.headers.get('x-request-id'))).toMatchObject([
      { actor_id: waiting.id, action: 'denied', kind: 'contacts.get' },
    ])
  })

  it('writes two hundred rows for two hundred simultaneous views', async () => {
    const ids = await insertContacts(
      server,
      Array.from({ length: 20 }, () => ({})),
    )
    const cookie = await server.signIn('provider')
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => server.send('GET', `/api/contacts/${ids[i % 20]}`, undefined, cookie)),
    )
    expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(200)
    const rows = await server.rows<{ n: number }>(
      'select count(*)::int as n from audit_log where request_id = any($1) and cardinality(contact_ids) = 1',
      [answers.map((answer) => answer.headers.get('x-request-id'))],
    )
    expect(rows).toEqual([{ n: 200 }])
  })

  it('attributes automatic changes to the system and the job', async () => {
    const email = `${randomUUID()}@example.com`
    await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email })
    const [row] = await until(async () => {
      const rows = await server.rows<Row & { request_id: string }>(
        "select * from audit_log where action = 'created' and after->>'email' = $1",
        [email],
      )
      return rows.length > 0 && rows
    })
    expect(row).toMatchObject({ actor_id: null, actor_role: 'system', kind: 'contact', request_id: expect.stringMatching(/^job-\d+$/) })
  })
})

describe('the audit log is append-only', () => {
  const server = useServer()
  const statements = ['update audit_log set actor_role = $$x$$', 'delete from audit_log', 'truncate audit_log']

  it.each(statements)('the application role cannot: %s', async (statement) => {
    const app = server.running.runtime.db.$client
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
    for (const way of [
      'alter table audit_log disable trigger all',
      'drop table audit_log',
      'create table mine (id int)',
      'set role postgres',
      'create role another',
    ]) {
      await expect(app.query(way)).rejects.toMatchObject({ code: '42501' })
    }
  })

  it.each(statements)('the table owner cannot: %s', async (statement) => {
    await expect(server.rows(statement)).rejects.toThrow('audit_log is append-only')
  })

  it('the application role owns no table and is no superuser', async () => {
    const app = server.running.runtime.db.$client
    const { rows } = await app.query<{ owned: number; rolsuper: boolean }>(
      'select (select count(*)::int from pg_class where relowner = r.oid) as owned, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles as r where rolname = current_user',
    )
    expect(rows).toEqual([{ owned: 0, rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }])
  })
})

describe('an audit failure fails the read and rolls back the change', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(inject('postgres'))
  })
  afterAll(() => server.stop())

  it('for every kind of request', async () => {
    const cookie = await server.signIn('admin')
    const billing = await server.signIn('billing')
    const { contactId, otherContactId, tagId, sourceId, procedureId, accountId } = await insertOneOfEach(server)
    const email = `${randomUUID()}@example.com`
    const taken = await insertContact(server, { email, notes: 'a clinical note' })
    await server.rows('insert into contact_tags (contact_id, tag_id) values ($1, $2)', [taken, tagId])
    await server.rows('update contacts set version = 3 where id = $1', [otherContactId])
    const attempts: [string, string, unknown?, string?][] = [
      ['GET', '/api/contacts'],
      ['GET', '/api/contacts?search=ana'],
      ['GET', '/api/contacts/batch'],
      ['GET', '/api/contacts/by-stage?stage=lead'],
      ['GET', `/api/contacts/by-email?email=${encodeURIComponent(email)}`],
      ['GET', `/api/contacts/${taken}`],
      ['GET', `/api/contacts/${taken}/interactions`],
      ['GET', `/api/contacts/${taken}/stage-history`],
      ['GET', `/api/contacts/${taken}/tags`],
      ['GET', '/api/audit'],
      ['GET', '/api/audit?action=created&limit=1'],
      ['GET', `/api/contacts/${taken}/views`],
      ['POST', '/api/audit/printed', { kind: 'surgery', contactIds: [taken] }],
      ['POST', '/api/contacts', { firstName: 'New', lastName: 'Person' }],
      ['POST', '/api/contacts', { firstName: 'New', lastName: 'Person', email }],
      ['PATCH', `/api/contacts/${contactId}`, { version: 1, city: 'Ottawa', funnelStage: 'Contacted' }],
      ['DELETE', `/api/contacts/${contactId}`],
      ['POST', `/api/contacts/${contactId}/merge`, { sourceId: otherContactId, version: 1, sourceVersion: 3 }],
      ['PUT', `/api/contacts/${contactId}/tags/${tagId}`],
      ['DELETE', `/api/contacts/${taken}/tags/${tagId}`],
      ['POST', `/api/contacts/${contactId}/interactions`, { type: 'call', description: 'x' }],
      ['PATCH', `/api/accounts/${accountId}`, { role: 'admin' }],
      ['POST', '/api/lead-sources', { name: 'Unaudited' }],
      ['PATCH', `/api/lead-sources/${sourceId}`, { name: 'Unaudited' }],
      ['POST', `/api/lead-sources/${sourceId}/webhook-key`],
      ['DELETE', `/api/lead-sources/${sourceId}`],
      ['POST', '/api/tags', { name: 'Unaudited' }],
      ['DELETE', `/api/tags/${tagId}`],
      ['POST', '/api/procedures', { name: 'Unaudited' }],
      ['DELETE', `/api/procedures/${procedureId}`],
      ['DELETE', `/api/contacts/${contactId}`, undefined, billing],
      ['PATCH', `/api/contacts/${contactId}`, { version: 1, notes: 'x' }, billing],
    ]
    const before = await databaseFingerprint(server)
    await server.rows('revoke insert on audit_log from refyne_app')
    for (const [method, path, body, as = cookie] of attempts) {
      const answer = await server.send(method, path, body, as)
      const text = await answer.text()
      expect([method, path, answer.status, text]).toEqual([
        method,
        path,
        500,
        expect.stringMatching(/^\{"defined":false,"code":"INTERNAL_SERVER_ERROR"/),
      ])
      expect(text).not.toMatch(/Ana|clinical|audit/)
    }
    expect(await databaseFingerprint(server)).toEqual(before)

    await server.rows('grant insert on audit_log to refyne_app')
    expect((await server.send('GET', '/api/contacts', undefined, cookie)).status).toBe(200)
  })

  it('processes a queued lead once the log is writable again', async () => {
    const email = `${randomUUID()}@example.com`
    await server.rows('revoke insert on audit_log from refyne_app')
    const taken = await server.send('POST', `/api/leads/${webhookKey}`, { first_name: 'Ana', last_name: 'Silva', email })
    expect(taken.status).toBe(202)
    const { id } = (await taken.json()) as { id: string }
    const job = () =>
      server.rows<{ attempts: number }>(
        "select attempts from graphile_worker._private_jobs where payload->>'entryId' = $1 and locked_at is null and attempts > 0",
        [id],
      )
    await until(async () => (await job()).length > 0)
    expect(await server.rows('select 1 from contacts where email = $1', [email])).toEqual([])

    await server.rows('grant insert on audit_log to refyne_app')
    await server.rows("update graphile_worker._private_jobs set run_at = now() where payload->>'entryId' = $1", [id])
    await until(async () => (await server.rows('select 1 from contacts where email = $1', [email])).length === 1)
  })
})
