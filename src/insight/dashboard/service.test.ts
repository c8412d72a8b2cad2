import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../test/factories.ts'
import { type Account, type Client, useServer } from '../../../test/server.ts'
import type { Scope } from '../../kernel/scope.ts'
import { foldContactCounts } from '../../crm/contacts/jobs.ts'
import { interactionTypes } from '../../crm/interactions/contract.ts'

// A Saturday, 12:30 a.m. in Toronto, when the previous day still matches UTC's evening.
const now = new Date('2026-11-21T05:30:00Z')
const server = useServer({}, { now: () => now })
let admin: Client
let [rep, provider] = [{} as Account, {} as Account]
beforeAll(async () => {
  admin = await server.as('admin')
  rep = await server.account({ role: 'sales_rep' })
  provider = await server.account({ role: 'provider' })
})

type Contact = { at: string; stage?: string; source?: string; text?: string; procedure?: string; importSource?: string }
const add = async ({ at, stage = 'lead', source, text, procedure, importSource }: Contact): Promise<string> => {
  const [id = ''] = await insertContacts(server, [{ stage, ...(text ? { leadSourceText: text } : {}) }])
  await server.rows(
    `update contacts set created_at = $2, lead_source = (select id from lead_sources where name = $3),
       procedure_of_interest = (select id from procedures where name = $4), import_source = $5 where id = $1`,
    [id, at, source ?? null, procedure ?? null, importSource ?? null],
  )
  return id
}
const log = (contactId: string, type: string, date: string, by: string | null = rep.id, metadata: object | null = null) =>
  server.rows('insert into interactions (contact_id, type, description, date, created_by, metadata) values ($1, $2, $2, $3, $4, $5)', [
    contactId,
    type,
    date,
    by,
    metadata,
  ])
const clear = () =>
  server.rows(`
    with gone as (delete from interactions), moves as (delete from contact_stage_history), tasks as (delete from tasks)
    delete from contacts`)
const [minute, hour, day] = [60, 3600, 86_400]
const none = { seconds: null, of: 0 }

describe('the dashboard (spec 2, spec 7, spec 9)', () => {
  it('shows zeros, no medians and no rows for a new practice', async () => {
    const { stages, leads, ...rest } = await admin.dashboard.get()
    expect(leads).toEqual({
      week: { count: 0, before: 0 },
      month: { count: 0, before: 0 },
      total: 0,
      since: null,
      perDay: Array.from({ length: 30 }, () => 0),
    })
    expect(rest).toEqual({
      at: now.toISOString(),
      firstResponse: { now: none, before: none },
      leadToConsult: { now: none, before: none },
      sources: [],
      procedures: [],
      activity: [],
      overdue: { total: 0, data: [] },
    })
    expect(stages.map(({ value, count }) => [value, count])).toEqual([
      ['lead', 0],
      ['contacted', 0],
      ['consult_booked', 0],
      ['consult_done', 0],
      ['quote_sent', 0],
      ['surgery_booked', 0],
      ['cold_lead', 0],
    ])
    expect(stages.every(({ stay }) => stay.now.of === 0 && stay.before.seconds === null)).toBe(true)
  })

  it('counts leads of whole days over 7 and 30 days and the previous ones, unchanged by folding', async () => {
    // First and last instant of each period in Toronto, where clocks went back on November 1.
    const instants = {
      week: ['2026-11-15T05:00:00Z', '2026-11-22T04:59:59.999Z'],
      weekBefore: ['2026-11-08T05:00:00Z', '2026-11-15T04:59:59.999Z', '2026-11-12T12:00:00Z'],
      monthOnly: ['2026-10-23T04:00:00Z', '2026-11-08T04:59:59.999Z'],
      monthBefore: ['2026-09-23T04:00:00Z', '2026-10-23T03:59:59.999Z', '2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z'],
      older: ['2026-09-23T03:59:59.999Z', '2025-06-09T15:00:00Z'],
    }
    for (const at of Object.values(instants).flat()) await add({ at })
    const check = async () => {
      const { leads } = await admin.dashboard.get()
      expect(leads).toMatchObject({
        week: { count: 2, before: 3 },
        month: { count: 7, before: 4 },
        total: 13,
        since: '2025-06-09T15:00:00.000Z',
      })
      const perDay = { 0: 1, 15: 1, 16: 1, 20: 1, 22: 1, 23: 1, 29: 1 }
      expect(Object.fromEntries([...leads.perDay.entries()].filter(([, count]) => count > 0))).toEqual(perDay)
      expect(leads.perDay).toHaveLength(30)
    }
    await check()
    await foldContactCounts.run(server.running.runtime as unknown as Scope, {}, { last: true })
    await check()
    const list = await admin.contacts.count({ filter: 'added:last-30-days' })
    expect(list.total).toBe(7) // the filter that a click on the number opens
    await clear()
  })

  it('groups sources by display group, largest first, and each opens the same number of patients in the list', async () => {
    for (const name of ['Referral', 'Facebook Ads', 'Google Ads']) await admin.leadSources.create({ name })
    const at = now.toISOString()
    for (const source of ['Referral', 'Referral', 'Facebook Ads', 'Google Ads']) await add({ at, source, text: 'is not looked at' })
    for (const text of ['INSTAGRAM', 'instagram_story', 'google cpc', 'phone_call', 'tik tok', ' ']) await add({ at, text })
    await add({ at })
    const { sources, leads } = await admin.dashboard.get()
    expect(sources).toEqual([
      { group: 'Social Media', count: 3 },
      { group: 'Google CPC', count: 2 },
      { group: 'Referral', count: 2 },
      { group: 'Unknown', count: 2 },
      { group: 'Phone Inquiry', count: 1 },
      { group: 'Tik Tok', count: 1 },
    ])
    expect(sources.reduce((sum, { count }) => sum + count, 0)).toBe(leads.total)
    for (const { group, count } of sources) {
      expect([group, (await admin.contacts.count({ filter: `source-group:${group}` })).total]).toEqual([group, count])
    }
    await clear()
  })

  it('counts patients per stage in funnel order, and conversion per procedure for all time and 30 days', async () => {
    for (const name of ['Rhinoplasty', 'Facelift', 'Mastopexy', 'Eyelids']) await admin.procedures.create({ name })
    const [recent, old] = ['2026-11-10T15:00:00Z', '2026-02-10T15:00:00Z']
    const make = async (count: number, contact: Contact) => {
      for (let i = 0; i < count; i++) await add(contact)
    }
    await make(2, { at: recent, procedure: 'Rhinoplasty', stage: 'surgery_booked' })
    await make(1, { at: recent, procedure: 'Rhinoplasty', stage: 'quote_sent' })
    await make(3, { at: old, procedure: 'Rhinoplasty', stage: 'cold_lead' })
    await make(2, { at: old, procedure: 'Rhinoplasty', stage: 'surgery_booked' })
    await make(8, { at: old, procedure: 'Facelift' })
    await make(1, { at: old, procedure: 'Facelift', stage: 'surgery_booked' })
    await make(1, { at: recent, procedure: 'Mastopexy' })
    await make(5, { at: recent })
    const { stages, procedures } = await admin.dashboard.get()
    expect(Object.fromEntries(stages.map(({ value, count }) => [value, count]))).toEqual({
      lead: 14,
      contacted: 0,
      consult_booked: 0,
      consult_done: 0,
      quote_sent: 1,
      surgery_booked: 5,
      cold_lead: 3,
    })
    expect(procedures.map(({ name, allTime, last30Days }) => [name, allTime, last30Days])).toEqual([
      ['Facelift', { total: 9, booked: 1, rate: 11 }, { total: 0, booked: 0, rate: 0 }],
      ['Rhinoplasty', { total: 8, booked: 4, rate: 50 }, { total: 3, booked: 2, rate: 67 }],
      ['Mastopexy', { total: 1, booked: 0, rate: 0 }, { total: 1, booked: 0, rate: 0 }],
      ['Eyelids', { total: 0, booked: 0, rate: 0 }, { total: 0, booked: 0, rate: 0 }],
    ])
    await clear()
  })
})

describe('medians of the last 30 days and the previous 30', () => {
  it('measures first response to the first human reply, ignoring notes, forms and imported patients', async () => {
    const at = '2026-11-02T15:00:00Z'
    const after = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString()
    const [one, two, three, unanswered, imported] = [
      await add({ at }),
      await add({ at }),
      await add({ at }),
      await add({ at }),
      await add({ at, importSource: 'Import: patients.csv' }),
    ]
    await log(one, 'call', after(10 * minute))
    await log(one, 'email', after(5 * hour))
    await log(two, 'note', after(minute)) // reached no one
    await log(two, 'stage_change', after(30 * minute), null) // by the system
    await log(two, 'meeting', after(-hour)) // from earlier
    await log(two, 'stage_change', after(40 * minute))
    await log(three, 'email', after(2 * day))
    await log(unanswered, 'task', after(minute))
    await log(imported, 'call', after(minute))
    const before = await add({ at: '2026-10-01T15:00:00Z' })
    await log(before, 'consult_booked', '2026-10-01T16:30:00Z')
    const { firstResponse } = await admin.dashboard.get()
    expect(firstResponse).toEqual({ now: { seconds: 40 * minute, of: 3 }, before: { seconds: 90 * minute, of: 1 } })
    await clear()
  })

  it('samples large numbers with late leads in proportion', async () => {
    await server.rows(
      `
      with made as (
        insert into contacts (first_name, last_name, funnel_stage, created_at)
        select 'Many', n::text, (select id from funnel_stages where is_initial), '2026-11-01T15:00:00Z'::timestamptz + n * interval '1 second'
        from generate_series(1, 8000) as n returning id, created_at, last_name::int as n
      )
      insert into interactions (contact_id, type, description, date, created_by)
      select id, 'call', 'Called', created_at + n * interval '1 minute', $1 from made`,
      [rep.id],
    )
    const { firstResponse } = await admin.dashboard.get()
    expect(firstResponse.now.of).toBeGreaterThan(700)
    expect(firstResponse.now.of).toBeLessThan(1500)
    expect(Math.abs(firstResponse.now.seconds! / minute - 4000)).toBeLessThan(600) // five times the expected deviation
    await clear()
  })

  it('gives ten simultaneous callers the same figures, including a change made before they asked', async () => {
    const ask = async () => (await admin.dashboard.get()).leads.total
    const before = await ask()
    const asking = Array.from({ length: 10 }, ask)
    await add({ at: now.toISOString() })
    expect(await ask()).toBe(before + 1)
    for (const total of await Promise.all(asking)) expect([before, before + 1]).toContain(total)
    await clear()
  })

  it('measures days per stage of patients who left it, ignoring moves undone immediately, and days from lead to consult', async () => {
    let at = now
    const clock = server.running.runtime.now
    Object.assign(server.running.runtime, { now: () => at })
    const on = (iso: string) => (at = new Date(iso))
    const made: { id: string; version: number }[] = []
    for (const iso of ['2026-11-01T15:00:00Z', '2026-11-03T15:00:00Z', '2026-09-20T15:00:00Z']) {
      on(iso)
      made.push(await admin.contacts.create({ firstName: 'Ana', lastName: 'Test' }))
    }
    const move = async (index: number, iso: string, funnelStage: string) => {
      on(iso)
      const { id, version } = made[index]!
      made[index] = await admin.contacts.update({ id, version, funnelStage })
    }
    await move(2, '2026-10-02T15:00:00Z', 'contacted') // 12 days
    await move(0, '2026-11-05T15:00:00Z', 'contacted') // 4 days
    await move(0, '2026-11-05T16:00:00Z', 'quote_sent')
    await move(0, '2026-11-05T16:00:20Z', 'contacted') // undone move
    await move(0, '2026-11-08T15:00:00Z', 'consult_booked') // 3 days, 7 from the start
    await move(1, '2026-11-13T15:00:00Z', 'consult_booked') // 10 days
    await move(1, '2026-11-14T15:00:00Z', 'lead')
    await move(1, '2026-11-15T15:00:00Z', 'consult_booked') // not the first time
    Object.assign(server.running.runtime, { now: clock })
    const { stages, leadToConsult } = await admin.dashboard.get()
    const stays = Object.fromEntries(stages.filter(({ stay }) => stay.now.of + stay.before.of > 0).map(({ value, stay }) => [value, stay]))
    expect(stays).toEqual({
      lead: { now: { seconds: 4 * day, of: 3 }, before: { seconds: 12 * day, of: 1 } },
      contacted: { now: { seconds: 3 * day, of: 1 }, before: none },
      consult_booked: { now: { seconds: day, of: 1 }, before: none },
    })
    expect(leadToConsult).toEqual({ now: { seconds: 8.5 * day, of: 2 }, before: none })
    await clear()
  })
})

describe('permissions (spec 6)', () => {
  const task = async (title: string, dueAt: string, given: { assignee?: Account; contactId?: string; status?: string } = {}) => {
    const id = randomUUID()
    await server.rows(
      `insert into tasks (id, title, type, status, completed, completed_at, due_date, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
       values ($1, $2, 'Call', $3, $3 = 'completed', case when $3 = 'completed' then now() end, $4::timestamptz::date, $4, $4, $5, $6, now(), now())`,
      [id, title, given.status ?? 'pending', dueAt, given.contactId ?? null, (given.assignee ?? rep).id],
    )
    await server.rows('insert into task_assignees (task_id, profile_id, position) values ($1, $2, 0)', [id, (given.assignee ?? rep).id])
    return id
  }

  it('lists overdue tasks, most overdue first: all for sales and administrators, own for others', async () => {
    const contactId = await add({ at: now.toISOString() })
    await task('Yesterday', '2026-11-20T14:00:00Z', { contactId })
    await task('Last week', '2026-11-13T14:00:00Z', { assignee: provider })
    await task('Later', '2026-11-21T14:00:00Z')
    await task('Done', '2026-11-13T14:00:00Z', { status: 'completed' })
    await task('Cancelled', '2026-11-13T14:00:00Z', { status: 'cancelled' })
    const titles = async (client: Client) => {
      const { overdue } = await client.dashboard.get()
      expect(overdue.total).toBe(overdue.data.length)
      return overdue.data.map(({ title }) => title)
    }
    expect(await titles(admin)).toEqual(['Last week', 'Yesterday'])
    expect(await titles(server.client(rep.cookie))).toEqual(['Last week', 'Yesterday'])
    expect(await titles(server.client(provider.cookie))).toEqual(['Last week'])
    expect(await titles(await server.as('billing'))).toEqual([])
    const { overdue } = await admin.dashboard.get()
    expect(overdue.data[1]).toMatchObject({ type: 'Call', dueAt: '2026-11-20T14:00:00.000Z', contact: { id: contactId, firstName: 'Ana' } })
    expect(overdue.data[0]?.contact).toBe(null)
    await clear()
  })

  it('lists the last 20 interactions of every type: tasks by visibility, no care for billing, no money for providers', async () => {
    const contactId = await add({ at: now.toISOString() })
    const taskId = await task('Hers', '2026-12-01T14:00:00Z', { assignee: provider })
    for (const [i, type] of interactionTypes.entries())
      await log(contactId, type, new Date(now.getTime() - i * 60_000).toISOString(), rep.id, type === 'task' ? { taskId } : null)
    await log(contactId, 'task', '2026-01-01T15:00:00Z', rep.id, { taskId: randomUUID() })
    const typesOf = async (client: Client) => (await client.dashboard.get()).activity.map(({ type }) => type)
    expect(await typesOf(admin)).toEqual([...interactionTypes, 'task'])
    expect(await typesOf(server.client(provider.cookie))).toEqual(
      interactionTypes.filter((type) => type !== 'sales_receipt' && type !== 'quickbooks'),
    )
    expect(await typesOf(await server.as('front_desk'))).toEqual(interactionTypes.filter((type) => type !== 'task'))
    const clinical = ['call', 'email', 'note', 'meeting', 'document']
    expect(await typesOf(await server.as('billing'))).toEqual(interactionTypes.filter((type) => ![...clinical, 'task'].includes(type)))

    for (let i = 0; i < 10; i++) await log(contactId, 'tag', '2026-11-21T05:29:59Z')
    const { activity } = await admin.dashboard.get()
    expect(activity).toHaveLength(20)
    expect(activity.map(({ date }) => date)).toEqual(
      activity
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    )
    expect(activity[0]).toMatchObject({ type: 'call', contact: { id: contactId, firstName: 'Ana', lastName: 'Test' } })
  })

  it('records the view of these patients', async () => {
    const [row] = await server.rows<{ views: number }>(
      `select count(*)::int as views from audit_log where action = 'viewed' and kind = 'interaction' and actor_id = $1 and cardinality(contact_ids) > 0`,
      [provider.id],
    )
    expect(row?.views).toBeGreaterThan(0)
  })
})
