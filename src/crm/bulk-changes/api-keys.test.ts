import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { type KeyScope, keyScopes } from '../../kernel/access/key-rules.ts'
import type { BulkProgress } from './contract.ts'

describe('scopes of an API key in bulk changes and imports', () => {
  const server = useServer({ API_CALLS_PER_MINUTE: '1000' })
  let admin: Client
  let cookie: string
  let me: string
  let ids: { stage: string; tag: string; person: string }
  beforeAll(async () => {
    const account = await server.account({ role: 'admin' })
    ;({ cookie, email: me } = account)
    admin = server.client(cookie)
    const stages = await admin.pipeline.stages()
    const tag = await admin.tags.create({ name: randomUUID() })
    ids = { stage: stages.find(({ value }) => value === 'consult_booked')!.id, tag: tag.id, person: account.id }
  })

  const keyOf = async (scopes: readonly KeyScope[]) => (await admin.apiKeys.create({ name: 'Program', scopes: [...scopes], days: 1 })).token
  const send = async (scopes: readonly KeyScope[], method: string, path: string, body?: object | string) =>
    server.request(path, {
      method,
      headers: {
        authorization: `Bearer ${await keyOf(scopes)}`,
        'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const waitUntilSettled = ({ id }: Pick<BulkProgress, 'id'>) =>
    until(async () => {
      const progress = await admin.bulkChanges.get({ id })
      return progress.status !== 'running' && progress.status !== 'undoing' && progress
    })
  const rowOf = async (id: string) =>
    server.rows('select c.*, (select count(*) from contact_tags where contact_id = c.id) as tags from contacts as c where id = $1', [id])
  const allScopesExcept = (...without: KeyScope[]) => keyScopes.filter((scope) => !without.includes(scope))

  const changes = [
    ['stage', () => ({ kind: 'stage', stageId: ids.stage })],
    ['owner', () => ({ kind: 'owner', personId: ids.person })],
    ['provider', () => ({ kind: 'provider', personId: ids.person })],
    ['followUp', () => ({ kind: 'followUp', date: '2027-01-04T14:00:00.000Z' })],
    ['tag on', () => ({ kind: 'tag', tagId: ids.tag, on: true })],
    ['tag off', () => ({ kind: 'tag', tagId: ids.tag, on: false })],
    ['delete', () => ({ kind: 'delete' })],
    ['delete permanently', () => ({ kind: 'delete', forGood: true })],
  ] as const

  it.each(changes)('%s and its undo require contacts:write in addition to bulkChanges:write', async (name, change) => {
    const id = await insertContact(server)
    if (name === 'tag off') await admin.contacts.addTag({ id, tagId: ids.tag })
    const before = await rowOf(id)
    const body = { selection: { ids: [id] }, change: change() }
    for (const scopes of [['bulkChanges:write'], allScopesExcept('contacts:write')] as const) {
      const refused = await send(scopes, 'POST', '/api/bulk-changes', body)
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'FORBIDDEN', message: 'This API key may not do this' }])
    }
    expect(await rowOf(id)).toEqual(before)
    expect(await server.rows('select 1 from bulk_change_items where contact_id = $1', [id])).toEqual([])

    const started = await send(['bulkChanges:write', 'contacts:write'], 'POST', '/api/bulk-changes', body)
    expect(started.status).toBe(200)
    const done = await waitUntilSettled((await started.json()) as BulkProgress)
    expect(done).toMatchObject({ status: 'done', changed: 1 })
    const path = `/api/bulk-changes/${done.id}/undo`
    expect((await send(allScopesExcept('contacts:write'), 'POST', path)).status).toBe(403)
    expect((await admin.bulkChanges.get({ id: done.id })).status).toBe('done')
    const undone = await send(['bulkChanges:write', 'contacts:write'], 'POST', path)
    expect(undone.status).toBe(name === 'delete permanently' ? 409 : 200)
    if (undone.ok) await waitUntilSettled(done)
  })

  it('requires contacts:read to select patients by a filter', async () => {
    const body = { selection: { matching: { search: randomUUID() } }, change: { kind: 'stage', stageId: ids.stage } }
    expect((await send(allScopesExcept('contacts:read'), 'POST', '/api/bulk-changes', body)).status).toBe(403)
    expect((await send(['bulkChanges:write', 'contacts:write', 'contacts:read'], 'POST', '/api/bulk-changes', body)).status).toBe(200)
  })

  it('requires contacts:write to merge or delete a tag and to merge a stage', async () => {
    const tag = await admin.tags.create({ name: randomUUID() })
    const stage = await admin.pipeline.addStage({ name: randomUUID().slice(0, 20), kind: 'open' })
    const calls = [
      ['POST', `/api/tags/${tag.id}/merge`, { into: ids.tag }],
      ['DELETE', `/api/tags/${tag.id}`, undefined],
      ['POST', `/api/funnel-stages/${stage.id}/merge`, { into: ids.stage }],
    ] as const
    for (const [method, path, body] of calls) {
      const refused = await send(allScopesExcept('contacts:write'), method, path, body)
      expect([path, refused.status]).toEqual([path, 403])
    }
    expect((await send(['tags:write', 'contacts:write'], 'DELETE', `/api/tags/${tag.id}`)).status).toBe(200)
  })

  const email = () => `${randomUUID()}@example.com`
  const imports = [
    ['patients', 'contacts:write', async () => `First name,Last name,Email\nAna,Silva,${email()}\n`],
    [
      'tasks',
      'tasks:write',
      async () => {
        const contact = await admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', email: email() })
        return `Title,Email,Due,Assignee\nCall,${contact.email},2199-01-31,${me}\n`
      },
    ],
    [
      'interactions',
      'interactions:write',
      async () => {
        const contact = await admin.contacts.create({ firstName: 'Ana', lastName: 'Silva', email: email() })
        return `Email,Type,Date,Description\n${contact.email},Call,2026-01-04,Called\n`
      },
    ],
  ] as const

  it.each(imports)('importing %s and undoing the import require %s in addition to imports:write', async (kind, scope, file) => {
    const uploaded = await server.request(`/api/imports?kind=${kind}&name=rows.csv`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'text/csv' },
      body: await file(),
    })
    expect([kind, uploaded.status]).toEqual([kind, 201])
    const { id } = (await uploaded.json()) as { id: string }
    const { columns } = await admin.imports.get({ id })
    const waitForStatus = (status: string) => until(async () => (await admin.imports.get({ id })).status === status)
    await admin.imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await waitForStatus('checked')
    const path = `/api/imports/${id}`
    expect((await send(allScopesExcept(scope), 'POST', `${path}/run`, { onMatch: 'skip' })).status).toBe(403)
    expect((await admin.imports.get({ id })).status).toBe('checked')
    expect((await send(['imports:write', scope], 'POST', `${path}/run`, { onMatch: 'skip' })).status).toBe(200)
    await waitForStatus('done')
    expect((await send(allScopesExcept('contacts:read'), 'GET', `${path}/findings?kind=error`)).status).toBe(403)
    expect((await send(allScopesExcept(scope), 'POST', `${path}/undo`)).status).toBe(403)
    expect((await send(['imports:write', scope], 'POST', `${path}/undo`)).status).toBe(200)
    await waitForStatus('undone')
  })
})
