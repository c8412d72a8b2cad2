import { afterEach, describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import type { Scope } from '../../server/scope.ts'
import { forgetNightly } from './jobs.ts'

const day = 24 * 3_600_000
let offset = 0

describe('issue 9: retention', () => {
  const server = useServer({}, { now: () => new Date(Date.now() + offset) })
  afterEach(async () => {
    offset = 0
    await server.rows('delete from retention_rules')
  })
  const run = () =>
    forgetNightly.run(
      { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'night', address: null } },
      {},
      { last: true },
    )
  const admin = () => server.as('admin')
  const isThere = async (id: string) => (await server.rows('select 1 from contacts where id = $1', [id])).length > 0
  const age = (id: string, days: number) =>
    server.rows(
      'update contacts set created_at = now() - make_interval(days => $2), updated_at = now() - make_interval(days => $2) where id = $1',
      [id, days],
    )

  it('is off until somebody switches it on: the night forgets nothing', async () => {
    expect((await (await admin()).retention.list()).every(({ isOn }) => !isOn)).toBe(true)
    const id = await insertContact(server)
    await age(id, 3_000)
    await run()
    expect(await isThere(id)).toBe(true)
  })

  it('leads that nobody has touched go, and no other: the dry run counts them, each is in the audit log', async () => {
    const [old, young, called, moved, tasked] = await Promise.all([1, 2, 3, 4, 5].map(() => insertContact(server)))
    for (const id of [old!, called!, moved!, tasked!]) await age(id, 400)
    await age(young!, 100)
    await server.rows("insert into interactions (contact_id, type, description) values ($1, 'call', 'Called')", [called])
    await server.rows("update contacts set funnel_stage = (select id from funnel_stages where value = 'contacted') where id = $1", [moved])
    await (await admin()).tasks.create({
      title: 'Call',
      dueDate: '2199-01-31',
      contactId: tasked!,
      assigneeIds: [(await server.account({ role: 'sales_rep' })).id],
    })
    await age(tasked!, 400)
    const client = await admin()
    const { count } = await client.retention.count({ kind: 'untouchedLeads', days: 365 })
    expect(await Promise.all([old!, young!].map(isThere))).toEqual([true, true])
    await client.retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    await run()
    expect(await Promise.all([old!, young!, called!, moved!, tasked!].map(isThere))).toEqual([false, true, true, true, true])
    const rule = (await client.retention.list()).find(({ kind }) => kind === 'untouchedLeads')
    expect(rule).toMatchObject({ isOn: true, days: 365, lastCount: count })
    expect(
      await server.rows("select actor_role from audit_log where action = 'deleted' and kind = 'contact' and $1 = any(contact_ids)", [old]),
    ).toEqual([{ actor_role: 'system' }])
    expect((await server.rows("select 1 from audit_log where kind = 'retention' and action = 'deleted'")).length).toBeGreaterThan(0)
    await Promise.all([run(), run()]) // may run twice
    expect(await isThere(young!)).toBe(true)
  })

  it('refused files, read notifications and ended sessions go after their days; what was accepted stays', async () => {
    const contactId = await insertContact(server)
    const [refused, accepted] = await Promise.all(
      ['rejected', 'accepted'].map(async (state) => {
        const [row] = await server.rows<{ id: string }>(
          `insert into documents (contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared, review_state, scan_state, created_at)
           values ($1, 'Scan.pdf', 'application/pdf', 3, 'a', gen_random_uuid()::text, 'patient', 'patient_upload', true, $2, 'off', now() - interval '40 days') returning id`,
          [contactId, state],
        )
        return row!.id
      }),
    )
    const account = await server.account()
    await server.rows("update sessions set expires_at = now() - interval '10 days' where user_id = $1", [account.id])
    const client = await admin()
    await client.retention.set({ kind: 'refusedUploads', isOn: true, days: 30 })
    await client.retention.set({ kind: 'endedSessions', isOn: true, days: 7 })
    await run()
    const gone = await server.rows<{ id: string; gone: boolean }>(
      'select id, deleted_at is not null as gone from documents where contact_id = $1',
      [contactId],
    )
    expect(new Map(gone.map((row) => [row.id, row.gone]))).toEqual(
      new Map([
        [refused, true],
        [accepted, false],
      ]),
    )
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toEqual([])
  })

  it('what is too short is refused with the field; who set what is in the audit log', async () => {
    const cookie = await server.signIn('admin')
    const answer = await server.send('PUT', '/api/retention/untouchedLeads', { isOn: true, days: 30 }, cookie)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'TOO_SHORT', data: { fields: { days: 'At least 180 days' } } })
    await (await admin()).retention.set({ kind: 'readNotifications', isOn: true, days: 5 })
    const rows = await server.rows(
      "select before, after from audit_log where kind = 'retention' and action = 'changed' order by id desc limit 1",
    )
    expect(rows).toEqual([
      { before: { kind: 'readNotifications', isOn: false, days: null }, after: { kind: 'readNotifications', isOn: true, days: 5 } },
    ])
    offset = day
  })
})
