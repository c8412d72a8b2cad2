import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { insertChildRow, childTables } from '../../../test/crm/child-rows.ts'
import { useServer, webhookKey } from '../../../test/server.ts'
import { untilNoneLeft } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { purgeNightly } from './jobs.ts'

describe('retention of inactive leads', () => {
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
  const exists = async (id: string) => (await server.rows('select 1 from contacts where id = $1', [id])).length > 0
  /** Submits a lead form and returns the id of the patient created from it, once its welcome email is written. */
  const createLead = async (key = webhookKey, email = `${randomUUID()}@example.com`) => {
    const response = await server.send('POST', `/api/leads/${key}`, { first_name: 'Ana', last_name: 'Silva', email, message: randomUUID() })
    const { id } = (await response.json()) as { id: string }
    const contactId = await until(
      async () => (await server.rows<{ contact_id: string }>('select * from lead_entries where id = $1', [id]))[0]!.contact_id,
    )
    await untilNoneLeft(server, 'inbox.welcome')
    return contactId
  }
  /** Backdates a lead and its rows by a number of days. */
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
  const remainingOf = async (ids: Record<string, string>) => {
    const names = Object.keys(ids)
    const isRemaining = await Promise.all(names.map((name) => exists(ids[name]!)))
    return names.filter((_, i) => isRemaining[i])
  }
  const importContact = async () => {
    const name = `${randomUUID()}.csv`
    const response = await server.request(`/api/imports?name=${name}`, {
      method: 'POST',
      body: `First name,Last name\r\nAna,Silva`,
      headers: { cookie: await server.signIn('admin'), 'content-type': 'text/csv' },
    })
    const { imports } = await admin()
    const { id, columns } = await imports.get({ id: ((await response.json()) as { id: string }).id })
    const reachStatus = (status: string) => until(async () => (await imports.get({ id })).status === status)
    await imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await reachStatus('checked')
    await imports.run({ id, onMatch: 'skip' })
    await reachStatus('done')
    return (await server.rows<{ id: string }>('select id from contacts where import_source = $1', [`Import: ${name}`]))[0]!.id
  }

  it('deletes nothing overnight until the rule is turned on', async () => {
    expect((await (await admin()).retention.list()).every(({ isOn }) => !isOn)).toBe(true)
    const id = await createLead()
    await age(id, 3_000)
    await run()
    expect(await exists(id)).toBe(true)
  })

  it('deletes only inactive leads, counts them in the preview, and audits each', async () => {
    const client = await admin()
    const email = `${randomUUID()}@example.com`
    const welcomeKey = (await client.leadSources.create({ name: 'Landing page', sendsWelcome: true })).webhookKey
    const ids = {
      old: await createLead(),
      welcomed: await createLead(welcomeKey),
      answered: await createLead(welcomeKey),
      recent: await createLead(),
      called: await createLead(),
      moved: await createLead(),
      tasked: await createLead(),
      operated: await createLead(),
      consented: await createLead(),
      resubmitted: await createLead(webhookKey, email),
      imported: await importContact(),
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
    expect(await createLead(webhookKey, email)).toBe(ids.resubmitted)
    for (const id of Object.values(ids)) await age(id, id === ids.recent ? 100 : 400)
    const { count } = await client.retention.count({ kind: 'untouchedLeads', days: 365 })
    expect(await remainingOf(ids)).toEqual(Object.keys(ids))
    await client.retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    await run()
    const { old, welcomed: _gone, ...others } = ids
    expect(await remainingOf(ids)).toEqual(Object.keys(others))
    const rule = (await client.retention.list()).find(({ kind }) => kind === 'untouchedLeads')
    expect(rule).toMatchObject({ isOn: true, days: 365, lastCount: count })
    expect(
      await server.rows("select actor_role from audit_log where action = 'deleted' and kind = 'contact' and $1 = any(contact_ids)", [old]),
    ).toEqual([{ actor_role: 'system' }])
    expect((await server.rows("select 1 from audit_log where kind = 'retention' and action = 'deleted'")).length).toBeGreaterThan(0)
    await Promise.all([run(), run()]) // may run twice
    expect(await remainingOf(ids)).toEqual(Object.keys(others))
  })

  it('keeps a lead with any related row except those created by its form', async () => {
    const ids = Object.fromEntries(await Promise.all(childTables.map(async (table) => [table, await createLead()] as const)))
    for (const [table, id] of Object.entries(ids)) {
      await insertChildRow(server, table, id)
      await age(id, 400)
    }
    await (await admin()).retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    await run()
    const createdByForm = ['contact_stage_history', 'lead_entries', 'automation_state', 'consents', 'campaign_recipients']
    expect(await remainingOf(ids)).toEqual(childTables.filter((table) => !createdByForm.includes(table)))
  })

  it('keeps a lead that gets a note while the purge is running', async () => {
    const [noted, other] = [await createLead(), await createLead()]
    for (const id of [noted, other]) await age(id, 400)
    await (await admin()).retention.set({ kind: 'untouchedLeads', isOn: true, days: 365 })
    const lock = await server.hold('select 1 from contacts where id = $1 for key share', [noted])
    const nightlyRun = run()
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'select contacts.id%'`
    await until(async () => (await server.rows(waiting)).length > 0)
    await server.rows("insert into interactions (contact_id, type, description) values ($1, 'note', 'Calls back in May')", [noted])
    await lock.release()
    await nightlyRun
    expect(await remainingOf({ noted, other })).toEqual(['noted'])
  })
})
