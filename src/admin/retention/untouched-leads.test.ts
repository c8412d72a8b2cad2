import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { makeChildRow, tablesWithMaker } from '../../../test/child-rows.ts'
import { useServer, webhookKey } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgeNightly } from './jobs.ts'

describe('issue 9: retention of leads that no one has touched', () => {
  const server = useServer()
  afterEach(async () => {
    await server.rows('delete from retention_rules')
  })
  const run = () =>
    purgeNightly.run(
      { ...(server.running.runtime as unknown as Scope), actor: null, origin: { requestId: 'night', address: null } },
      {},
      { last: true },
    )
  const admin = () => server.as('admin')
  const isThere = async (id: string) => (await server.rows('select 1 from contacts where id = $1', [id])).length > 0
  /** A patient made by a form that someone has sent. */
  const lead = async (key = webhookKey, email = `${randomUUID()}@example.com`) => {
    const answer = await server.send('POST', `/api/leads/${key}`, { first_name: 'Ana', last_name: 'Silva', email, message: randomUUID() })
    const { id } = (await answer.json()) as { id: string }
    return until(async () => (await server.rows<{ contact_id: string }>('select * from lead_entries where id = $1', [id]))[0]!.contact_id)
  }
  /** As if they and what they have had come so many days ago. */
  const age = async (id: string, days: number) => {
    for (const [table, key, columns] of [
      ['contacts', 'id', ['created_at', 'updated_at']],
      ['interactions', 'contact_id', ['created_at']],
      ['lead_entries', 'contact_id', ['received_at']],
    ] as const)
      await server.rows(
        `update ${table} set ${columns.map((name) => `${name} = now() - make_interval(days => $2)`).join(', ')} where ${key} = $1`,
        [id, days],
      )
  }
  const leftOf = async (ids: Record<string, string>) => {
    const names = Object.keys(ids)
    const isLeft = await Promise.all(names.map((name) => isThere(ids[name]!)))
    return names.filter((_, i) => isLeft[i])
  }
  const importOne = async () => {
    const name = `${randomUUID()}.csv`
    const answer = await server.request(`/api/imports?name=${name}`, {
      method: 'POST',
      body: `First name,Last name\r\nAna,Silva`,
      headers: { cookie: await server.signIn('admin'), 'content-type': 'text/csv' },
    })
    const { imports } = await admin()
    const { id, columns } = await imports.get({ id: ((await answer.json()) as { id: string }).id })
    const settled = (status: string) => until(async () => (await imports.get({ id })).status === status)
    await imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await settled('checked')
    await imports.run({ id, onMatch: 'skip' })
    await settled('done')
    return (await server.rows<{ id: string }>('select id from contacts where import_source = $1', [`Import: ${name}`]))[0]!.id
  }

  it('is off until someone switches it on: the night forgets nothing', async () => {
    expect((await (await admin()).retention.list()).every(({ isOn }) => !isOn)).toBe(true)
    const id = await lead()
    await age(id, 3_000)
    await run()
    expect(await isThere(id)).toBe(true)
  })

  it('leads that no one has touched go, and no other: the dry run counts them, each is in the audit log', async () => {
    const client = await admin()
    const email = `${randomUUID()}@example.com`
    const welcoming = (await client.leadSources.create({ name: 'Landing page', sendsWelcome: true })).webhookKey
    const ids = {
      old: await lead(),
      welcomed: await lead(welcoming),
      answered: await lead(welcoming),
      young: await lead(),
      called: await lead(),
      moved: await lead(),
      tasked: await lead(),
      operated: await lead(),
      consented: await lead(),
      again: await lead(webhookKey, email),
      imported: await importOne(),
      entered: (await client.contacts.create({ firstName: 'Ana', lastName: 'Silva' })).id,
    }
    expect(await server.rows('select 1 from conversations where contact_id = any($1)', [[ids.welcomed, ids.answered]])).toHaveLength(2)
    await server.rows(
      `insert into messages (conversation_id, direction, from_email, to_email, subject, body, status, created_at)
       select id, 'inbound', address, 'team@refyne.example', 'Re', 'Yes', 'received', now() from conversations where contact_id = $1`,
      [ids.answered],
    )
    await client.interactions.create({ contactId: ids.called, type: 'call', description: 'Called' })
    await server.rows("update contacts set funnel_stage = (select id from funnel_stages where value = 'contacted') where id = $1", [
      ids.moved,
    ])
    await client.tasks.create({
      title: 'Call',
      dueDate: '2199-01-31',
      contactId: ids.tasked,
      assigneeIds: [(await server.account({ role: 'sales_rep' })).id],
    })
    await server.rows("update contacts set surgical_date = '2199-01-31' where id = $1", [ids.operated])
    await server.rows("insert into consents (contact_id, basis, source, given_at) values ($1, 'express', 'record', now())", [ids.consented])
    expect(await lead(webhookKey, email)).toBe(ids.again)
    for (const id of Object.values(ids)) await age(id, id === ids.young ? 100 : 400)
    const { count } = await client.retention.count({ kind: 'untouchedLeads', days: 365 })
    expect(await leftOf(ids)).toEqual(Object.keys(ids))
    await client.retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    await run()
    const { old, welcomed: _gone, ...others } = ids
    expect(await leftOf(ids)).toEqual(Object.keys(others))
    const rule = (await client.retention.list()).find(({ kind }) => kind === 'untouchedLeads')
    expect(rule).toMatchObject({ isOn: true, days: 365, lastCount: count })
    expect(
      await server.rows("select actor_role from audit_log where action = 'deleted' and kind = 'contact' and $1 = any(contact_ids)", [old]),
    ).toEqual([{ actor_role: 'system' }])
    expect((await server.rows("select 1 from audit_log where kind = 'retention' and action = 'deleted'")).length).toBeGreaterThan(0)
    await Promise.all([run(), run()]) // may run twice
    expect(await leftOf(ids)).toEqual(Object.keys(others))
  })

  it('whatever refers to a lead keeps it, but for what came with its form', async () => {
    const ids = Object.fromEntries(await Promise.all(tablesWithMaker.map(async (table) => [table, await lead()] as const)))
    for (const [table, id] of Object.entries(ids)) {
      await makeChildRow(server, table, id)
      await age(id, 400)
    }
    await (await admin()).retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    await run()
    const came = ['contact_stage_history', 'lead_entries', 'automation_state', 'consents']
    expect(await leftOf(ids)).toEqual(tablesWithMaker.filter((table) => !came.includes(table)))
  })

  it('a lead to whom someone is writing a note at that moment stays', async () => {
    const [noted, other] = [await lead(), await lead()]
    for (const id of [noted, other]) await age(id, 400)
    await (await admin()).retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    const busy = await server.hold('select 1 from contacts where id = $1 for key share', [noted])
    const night = run()
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'select contacts.id%'`
    await until(async () => (await server.rows(waiting)).length > 0)
    await server.rows("insert into interactions (contact_id, type, description) values ($1, 'note', 'Calls back in May')", [noted])
    await busy.release()
    await night
    expect(await leftOf({ noted, other })).toEqual(['noted'])
  })
})
