import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact, insertContacts } from '../../../test/factories.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import type { AuditAction } from '../../kernel/audit/rules.ts'
import { encodeCursor } from '../../shared/page-lists.ts'

type NewEntry = {
  actorId?: string
  action?: AuditAction
  kind?: string
  contactIds?: string[]
  at?: string
  before?: unknown
  after?: unknown
}

const server = useServer()
let admin: Client
let cookie: string
let nurse: Account
beforeAll(async () => {
  cookie = await server.signIn('admin')
  admin = server.client(cookie)
  nurse = await server.account({ role: 'provider' })
})

/** Inserts an entry at a given time and returns its number. */
const add = async ({ actorId, action = 'viewed', kind = 'contact', contactIds = [], at, before, after }: NewEntry): Promise<number> => {
  const [row] = await server.rows<{ id: string }>(
    `insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, before, after, request_id, address)
     values (coalesce($1::timestamptz, now()), $2, $3, $4, $5, $6, $7, $8, 'request', '10.0.0.1') returning id`,
    [at ?? null, actorId ?? null, actorId ? 'provider' : 'system', action, kind, contactIds, json(before), json(after)],
  )
  return Number(row!.id)
}
const json = (side: unknown) => (side === undefined ? null : JSON.stringify(side))

describe('audit log', () => {
  it('lists entries newest first in pages, with up to three patient names per row', async () => {
    const actorId = (await server.account({ role: 'provider' })).id
    const ids = await insertContacts(server, [{ lastName: 'One' }, { lastName: 'Two' }, { lastName: 'Three' }, { lastName: 'Four' }])
    const numbers = []
    for (let i = 0; i < 5; i++) numbers.push(await add({ actorId, contactIds: ids }))
    const first = await admin.audit.list({ actorId, kind: 'contact', limit: 3 })
    expect(first.data.map(({ id }) => id)).toEqual(numbers.slice(2).toReversed())
    expect(first.data[0]).toMatchObject({
      by: actorId,
      byName: 'Test provider',
      byRole: 'provider',
      action: 'viewed',
      kind: 'contact',
      about: 'Patient',
      patientCount: 4,
      patients: [{ name: 'Ana One' }, { name: 'Ana Two' }, { name: 'Ana Three' }],
    })
    const second = await admin.audit.list({ actorId, kind: 'contact', limit: 3, cursor: first.nextCursor! })
    expect(second).toMatchObject({ data: [{ id: numbers[1] }, { id: numbers[0] }], nextCursor: null })
  })

  it('filters by person, patient, action and kind, separately and combined', async () => {
    const [one, other] = [(await server.account()).id, (await server.account()).id]
    const [ana, bo] = await insertContacts(server, [{}, {}])
    const view = await add({ actorId: one, contactIds: [ana!] })
    const change = await add({ actorId: one, action: 'changed', kind: 'task', contactIds: [bo!, ana!] })
    const denial = await add({ actorId: other, action: 'denied', kind: 'contacts.delete' })
    const idsOf = async (filters: Parameters<Client['audit']['list']>[0]) =>
      (await admin.audit.list(filters)).data.filter(({ kind }) => !['audit-log', 'session'].includes(kind)).map(({ id }) => id)
    expect(await idsOf({ actorId: one })).toEqual([change, view])
    expect(await idsOf({ contactId: ana! })).toEqual([change, view])
    expect(await idsOf({ contactId: ana!, action: 'viewed' })).toEqual([view])
    expect(await idsOf({ contactId: bo! })).toEqual([change])
    expect(await idsOf({ actorId: one, kind: 'task' })).toEqual([change])
    expect(await idsOf({ actorId: other, action: 'denied' })).toEqual([denial])
    expect(await idsOf({ actorId: other, contactId: ana! })).toEqual([])
    expect((await admin.audit.get({ id: denial })).about).toBe('Delete a patient with all its data')
  })

  it('returns an entry with the values before and after, its origin, and a patient deleted since', async () => {
    const deletedId = randomUUID()
    const id = await add({ action: 'changed', contactIds: [deletedId], before: { city: null }, after: { city: 'Guelph' } })
    expect(await admin.audit.get({ id })).toMatchObject({
      by: null,
      byName: null,
      byRole: 'system',
      before: { city: null },
      after: { city: 'Guelph' },
      requestId: 'request',
      address: '10.0.0.1',
      patients: [{ id: deletedId, name: null }],
    })
    await expect(admin.audit.get({ id: 999_999_999 })).rejects.toMatchObject({ status: 404 })
  })

  it('shows an API client by the name of its key in the list, entry, export and access log, and filters by key', async () => {
    const contactId = await insertContact(server)
    const { token, key } = await admin.apiKeys.create({ name: 'Warehouse of the tests', scopes: ['contacts:read'], days: 30 })
    const response = await server.request(`/api/contacts/${contactId}`, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(200)
    const [line] = (await admin.audit.list({ actorId: key.id })).data
    expect(line).toMatchObject({ by: key.id, byName: 'Warehouse of the tests', byRole: 'api_key', action: 'viewed' })
    expect(await admin.audit.get({ id: line!.id })).toMatchObject({ byName: 'Warehouse of the tests' })
    expect((await admin.audit.seen({ contactId })).data.map(({ byName, byRole }) => [byName, byRole])).toContainEqual([
      'Warehouse of the tests',
      'api_key',
    ])
    expect(await (await server.send('GET', `/api/audit.csv?actorId=${key.id}`, undefined, cookie)).text()).toContain(
      'Warehouse of the tests',
    )
  })

  it('logs views of the audit log with the patients shown', async () => {
    const contactId = await insertContact(server)
    const id = await add({ contactIds: [contactId] })
    const paths = [`/api/audit?contactId=${contactId}`, `/api/audit/${id}`, `/api/contacts/${contactId}/views`]
    for (const path of paths) {
      const response = await server.send('GET', path, undefined, cookie)
      const rows = await server.rows('select action, kind, contact_ids from audit_log where request_id = $1', [
        response.headers.get('x-request-id'),
      ])
      expect([path, rows]).toEqual([path, [{ action: 'viewed', kind: 'audit-log', contact_ids: [contactId] }]])
    }
  })
})

describe('access log of a patient', () => {
  it('counts views, list views, exports and prints by day in the practice’s time zone and person', async () => {
    const [ana, bo] = (await insertContacts(server, [{}, {}])) as [string, string]
    await add({ actorId: nurse.id, contactIds: [ana], at: '2026-05-01T14:00:00Z' })
    await add({ actorId: nurse.id, contactIds: [ana], kind: 'document', at: '2026-05-01T15:00:00Z' })
    await add({ actorId: nurse.id, contactIds: [bo, ana], at: '2026-05-02T03:59:00Z' }) // still the first in Toronto
    await add({ actorId: nurse.id, contactIds: [bo, ana], action: 'exported', at: '2026-05-02T14:00:00Z' })
    await add({ contactIds: [ana], action: 'changed', at: '2026-05-02T14:00:00Z' })
    await add({ actorId: nurse.id, contactIds: [bo], at: '2026-05-02T14:00:00Z' })
    const { data, nextCursor } = await admin.audit.seen({ contactId: ana })
    expect(nextCursor).toBeNull()
    expect(data.map(({ day, by, opened, listed, taken, about }) => [day, by, opened, listed, taken, about])).toEqual([
      ['2026-05-02', nurse.id, 0, 0, 1, ['Patient']],
      ['2026-05-01', nurse.id, 2, 1, 0, ['Patient', 'Document']],
    ])
    expect(data[1]).toMatchObject({ byName: 'Test provider', firstAt: '2026-05-01T14:00:00.000Z', lastAt: '2026-05-02T03:59:00.000Z' })
    expect((await admin.audit.seen({ contactId: ana, cursor: encodeCursor('2026-05-02') })).data.map(({ day }) => day)).toEqual([
      '2026-05-01',
    ])
    await expect(admin.audit.seen({ contactId: randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  it('includes the views of merged patients through any number of merges, until a merge is undone', async () => {
    const [ana, anna, anne] = (await insertContacts(server, [{}, {}, {}])) as [string, string, string]
    const view = (contactId: string, at: string) => add({ actorId: nurse.id, contactIds: [contactId], at })
    await view(anne, '2026-05-01T14:00:00Z')
    await view(anna, '2026-05-02T14:00:00Z')
    await view(ana, '2026-05-03T14:00:00Z')
    const merge = (id: string, sourceId: string) => admin.contacts.merge({ id, sourceId, version: 1, sourceVersion: 1, choices: {} })
    const daysOf = async (contactId: string) => {
      const { data } = await admin.audit.seen({ contactId })
      return data.filter(({ by }) => by === nurse.id).map(({ day }) => day)
    }
    await merge(anna, anne)
    const [merged] = await server.rows<{ version: number }>('select version from contacts where id = $1', [anna])
    const last = await admin.contacts.merge({ id: ana, sourceId: anna, version: 1, sourceVersion: merged!.version, choices: {} })
    // Merges that can no longer be undone are deleted; their views are kept.
    await server.rows('delete from contact_merges where source_id = $1', [anne])
    expect(await daysOf(ana)).toEqual(['2026-05-03', '2026-05-02', '2026-05-01'])
    expect((await admin.audit.list({ contactId: ana })).data.filter(({ by }) => by === nurse.id)).toHaveLength(3)

    await server.client(nurse.cookie).contacts.get({ id: ana })
    const today = (await daysOf(ana))[0]!
    await admin.contacts.undoMerge({ id: last.mergeId })
    expect(await daysOf(ana)).toEqual([today, '2026-05-03'])
    // In the meantime her data was under the other id.
    expect(await daysOf(anna)).toEqual([today, '2026-05-02', '2026-05-01'])
    await server.client(nurse.cookie).contacts.get({ id: ana })
    expect((await admin.audit.seen({ contactId: anna })).data.filter(({ by, opened }) => by === nurse.id && opened > 1)).toEqual([])
  })

  it('pages by a hundred rows without splitting a day', async () => {
    const contactId = await insertContact(server)
    await server.rows(
      `insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, request_id)
       select timestamptz '2026-01-01 12:00Z' + make_interval(days => n / 30), gen_random_uuid(), 'sales_rep', 'viewed', 'contact', array[$1::uuid], 'r'
       from generate_series(0, 149) as n`,
      [contactId],
    )
    const first = await admin.audit.seen({ contactId })
    expect([first.data.length, first.nextCursor]).toEqual([90, encodeCursor('2026-01-03')])
    const second = await admin.audit.seen({ contactId, cursor: first.nextCursor! })
    expect([second.data.length, second.nextCursor]).toEqual([60, null])
    // A day with more lines than a page has is a page of its own.
    const walked = await admin.audit.seen({ contactId, limit: 7, cursor: encodeCursor('2026-01-06') })
    expect([walked.data.length, walked.nextCursor]).toEqual([30, encodeCursor('2026-01-05')])
  })
})

describe('exports and printouts', () => {
  it('exports the log without executable formulas, and logs the export before sending it', async () => {
    const contactId = await insertContact(server, { firstName: '=cmd()', lastName: 'Test' })
    const actorId = (await server.account()).id
    await add({ actorId, contactIds: [contactId], action: 'changed', after: { city: 'Guelph' } })
    const response = await server.send('GET', `/api/audit.csv?actorId=${actorId}&kind=contact`, undefined, cookie)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''audit-log-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await response.text()).split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain("'=cmd() Test")
    expect(lines[1]).toContain('Guelph')
    expect(
      await server.rows('select action, kind, contact_ids from audit_log where request_id = $1', [response.headers.get('x-request-id')]),
    ).toEqual([{ action: 'exported', kind: 'audit-log', contact_ids: [contactId] }])
    expect((await server.send('GET', '/api/audit.csv?from=never', undefined, cookie)).status).toBe(422)
  })

  it('records who printed a page and which patient it shows', async () => {
    const contactId = await insertContact(server)
    await server.client(nurse.cookie).audit.printed({ kind: 'surgery', contactIds: [contactId] })
    const [entry] = (await admin.audit.list({ contactId, action: 'printed' })).data
    expect(entry).toMatchObject({ by: nurse.id, action: 'printed', kind: 'surgery', about: 'Surgery' })
    const statement = await server.send('GET', `/api/contacts/${contactId}/statement.pdf`, undefined, cookie)
    expect(statement.status).toBe(200)
    const rows = await server.rows('select action, kind from audit_log where request_id = $1', [statement.headers.get('x-request-id')])
    expect(rows).toEqual([{ action: 'printed', kind: 'ledger' }])
  })
})

describe('period filter of the audit log', () => {
  const clinic = useServer()

  it('filters by days in the practice’s time zone, both inclusive, including late entries of slow transactions', async () => {
    const admin = await clinic.as('admin')
    const who = randomUUID()
    for (const text of ['disable trigger append_only', 'enable trigger append_only']) {
      await clinic.rows(`alter table audit_log ${text}`)
      if (text.startsWith('disable')) await clinic.rows('delete from audit_log')
    }
    // In the order of writing, each with the start of its transaction. In Toronto the clocks go forward on March 8, 2026.
    const entries = [
      ['2026-03-07T04:30:00Z', 'March 6, 23:30'],
      ['2026-03-08T04:30:00Z', 'March 7, 23:30'],
      ['2026-03-08T05:30:00Z', 'March 8, 00:30'],
      ['2026-03-08T04:59:00Z', 'March 7, 23:59, written half an hour later'],
      ['2026-03-09T03:59:00Z', 'March 8, 23:59'],
      ['2026-03-09T04:00:00Z', 'March 9, 00:00'],
    ] as const
    for (const [at, name] of entries) {
      await clinic.rows(
        `insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, after, request_id)
         values ($1, $2, 'provider', 'changed', 'contact', '{}', to_jsonb($3::text), 'r')`,
        [at, who, name],
      )
    }
    const on = async (from: string, to?: string) => {
      const { data } = await admin.audit.list({ actorId: who, from, ...(to ? { to } : {}) })
      const rows = await Promise.all(data.map(({ id }) => admin.audit.get({ id })))
      return rows.map(({ after }) => String(after).split(',')[0])
    }
    expect(await on('2026-03-06', '2026-03-06')).toEqual(['March 6'])
    expect(await on('2026-03-07', '2026-03-07')).toEqual(['March 7', 'March 7'])
    expect(await on('2026-03-08', '2026-03-08')).toEqual(['March 8', 'March 8'])
    expect(await on('2026-03-09', '2026-03-31')).toEqual(['March 9'])
    expect(await on('2026-03-08')).toEqual(['March 9', 'March 8', 'March 8'])
    expect(await on('2027-01-01', '2027-01-31')).toEqual([])
    expect(await on('1990-01-01', '1990-01-31')).toEqual([])
  })
})
