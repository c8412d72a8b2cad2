import { randomUUID } from 'node:crypto'
import { TZDate } from '@date-fns/tz'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyFilter } from '../../../../test/crm/filters.ts'
import { insertContacts } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { roles } from '../../../kernel/access/rules.ts'
import { sourceGroup } from '../../lead-sources/rules.ts'
import { type Condition, type Filter, writeFilter } from '../filter.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { daysOf } from './filter-days.ts'

const zone = 'America/Toronto'
const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id)

interface Stored {
  id: string
  stage: string
  source: string | null
  sourceText: string | null
  procedure: string | null
  procedureText: string | null
  owner: string | null
  provider: string | null
  added: Date
  lastContact: Date | null
  followUp: Date | null
  surgery: string | null
  consent: boolean
  city: string | null
  tags: string[]
}

describe('filters of the patient list', () => {
  // A few minutes after midnight UTC on Monday: at the practice it is still Sunday, the day clocks go back.
  const now = new Date('2026-11-02T00:30:00Z')
  const server = useServer({}, { now: () => now })
  let client: Client
  let me: string
  let other: string
  let provider: string
  const made = { stages: [] as string[], sources: [] as { id: string; name: string }[], tags: [] as string[], procedures: [] as string[] }
  let all: Stored[]

  const list = async (filter: string, more: Parameters<Client['contacts']['list']>[0] = {}) =>
    ids((await client.contacts.list({ filter, limit: 200, ...more })).data)
  const who = (test: (contact: Stored) => boolean) => ids(all.filter(test)).toReversed()

  beforeAll(async () => {
    const account = await server.account({ role: 'sales_rep' })
    client = server.client(account.cookie)
    me = account.id
    other = (await server.account({ role: 'sales_rep' })).id
    provider = (await server.account({ role: 'provider' })).id
    const admin = await server.as('admin')
    made.stages = (await client.pipeline.stages()).map(({ id }) => id).slice(0, 3)
    for (const name of ['Google Ads', 'google_cpc', 'Our Facebook page', 'Uncle Bob'])
      made.sources.push(await admin.leadSources.create({ name }))
    for (const name of ['VIP', 'Recall']) made.tags.push((await client.tags.create({ name })).id)
    for (const name of ['Facelift', 'Peel']) made.procedures.push((await admin.procedures.create({ name })).id)

    const pick = <Value>(i: number, values: readonly Value[]): Value => values[i % values.length]!
    const day = 24 * 3_600_000
    /** Around now, around midnight on the day clocks change and the day before, and at the ends of the week. */
    const instants = [
      null,
      new Date('2026-11-01T03:59:59Z'),
      new Date('2026-11-01T04:00:00Z'),
      new Date('2026-11-02T04:59:59Z'),
      new Date('2026-11-02T05:00:00Z'),
      new Date(now.getTime() - 6 * day),
      new Date(now.getTime() - 40 * day),
      new Date(now.getTime() + 3 * day),
      new Date('2026-03-08T05:00:00Z'),
    ]
    const rows = Array.from({ length: 140 }, (_, i) => ({
      stage: pick(i, made.stages),
      source: pick(i * 7 + 1, [null, null, ...made.sources.map(({ id }) => id)]),
      sourceText: pick(i * 5, [null, 'Facebook', ' GOOGLE--ads ', 'my instagram  story', '__', 'unknown', 'UNCLE_bob', 'ÉCOLE de danse']),
      procedure: pick(i * 3, [null, null, ...made.procedures]),
      procedureText: pick(i, [null, 'lips', null]),
      owner: pick(i, [null, me, other, null, me]),
      provider: pick(i * 11, [null, provider, null]),
      added: pick(i + 4, instants) ?? now,
      lastContact: pick(i * 2 + 1, instants),
      followUp: pick(i, instants),
      surgery: pick(i * 13, [null, '2026-11-01', '2026-11-02', null, '2026-10-31', '2027-02-01', null]),
      consent: i % 3 === 0,
      city: pick(i * 5 + 2, [
        null,
        'Montréal',
        'MONTREAL',
        'Montréal-Est',
        'Barrie, ON',
        'None',
        '100%',
        null,
        'St. John’s',
        '東京',
        'barrie, on',
      ]),
      tags: pick(i, [[], [made.tags[0]!], made.tags, [], [made.tags[1]!]]),
    }))
    const inserted = await insertContacts(
      server,
      rows.map((_, i) => ({ firstName: i % 4 === 0 ? 'Zeno' : 'Ana', lastName: `N${i}` })),
    )
    all = rows.map((row, i) => ({ id: inserted[i]!, ...row }))
    await server.rows(
      `update contacts set funnel_stage = r.stage, lead_source = r.source, lead_source_text = r."sourceText", procedure_of_interest = r.procedure,
         procedure_text = r."procedureText", assigned_sales_rep_id = r.owner, assigned_provider_id = r.provider, created_at = r.added,
         last_contact_date = r."lastContact", next_follow_up_date = r."followUp", surgical_date = r.surgery, consent_to_communicate = r.consent,
         city = r.city
       from jsonb_to_recordset($1) as r(id uuid, stage uuid, source uuid, "sourceText" text, procedure uuid, "procedureText" text, owner uuid,
         provider uuid, added timestamptz, "lastContact" timestamptz, "followUp" timestamptz, surgery date, consent boolean,
         city text)
       where contacts.id = r.id`,
      [JSON.stringify(all)],
    )
    await server.rows(
      `insert into contact_tags (contact_id, tag_id) select r.id, tag::uuid from jsonb_to_recordset($1) as r(id uuid, tags jsonb), jsonb_array_elements_text(r.tags) as tag`,
      [JSON.stringify(all)],
    )
  })

  /** The rule in plain code, to compare the database with. */
  const meets = (contact: Stored, { field, not, values }: Condition): boolean => {
    const name = made.sources.find(({ id }) => id === contact.source)?.name ?? contact.sourceText
    const person = (value: string) => (value === 'me' ? me : value === 'none' ? null : value)
    const onDays = (value: string, at: string | null) => {
      if (value === 'none' || at === null) return value === 'none' && at === null
      const { from, to } = daysOf(value, '2026-11-01')
      return (from === null || at >= from) && (to === null || at <= to)
    }
    const local = (at: Date | null) => at && new TZDate(at.getTime(), zone).toISOString().slice(0, 10)
    const plain = (text: string) =>
      text
        .trim()
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase()
    const has = values.some((value) => {
      switch (field) {
        case 'stage':
          return contact.stage === value
        case 'source':
          return value === 'none' ? contact.source === null && contact.sourceText === null : contact.source === value
        case 'source-group':
          return sourceGroup(name) === value
        case 'procedure':
          return value === 'none' ? contact.procedure === null && contact.procedureText === null : contact.procedure === value
        case 'tag':
          return value === 'none' ? contact.tags.length === 0 : contact.tags.includes(value)
        case 'owner':
          return contact.owner === person(value)
        case 'provider':
          return contact.provider === person(value)
        case 'added':
          return onDays(value, local(contact.added))
        case 'last-contact':
          return onDays(value, local(contact.lastContact))
        case 'follow-up':
          return onDays(value, local(contact.followUp))
        case 'surgery':
          return onDays(value, contact.surgery)
        case 'consent':
          return contact.consent === (value === 'yes')
        case 'city':
          return value === 'none' ? contact.city === null : contact.city !== null && plain(contact.city) === plain(value)
        // The other fields are empty here; fields.test.ts filters by every field.
        default:
          return value === 'none'
      }
    })
    return has !== not
  }
  const matches = ({ mode, conditions }: Filter) =>
    who((contact) => conditions[mode === 'all' ? 'every' : 'some']((one) => meets(contact, one)))

  it('filters by each field and value, with is and is not', async () => {
    const cases: [Condition['field'], string[]][] = [
      ['stage', made.stages],
      ['source', [...ids(made.sources), 'none']],
      ['source-group', ['Google CPC', 'Social Media', 'Uncle Bob', 'École De Danse', 'Unknown', 'Google Ads', 'Nothing']],
      ['tag', [...made.tags, 'none']],
      ['owner', [me, other, 'me', 'none']],
      ['provider', [provider, 'me', 'none']],
      ['procedure', [...made.procedures, 'none']],
      [
        'follow-up',
        [
          'overdue',
          'today',
          'tomorrow',
          'this-week',
          'next-week',
          'last-week',
          'none',
          '2026-11-01..2026-11-01',
          '2026-11-02..',
          '..2026-10-31',
        ],
      ],
      ['last-contact', ['today', 'yesterday', 'last-7-days', 'last-30-days', 'last-90-days', 'none', '..2026-10-01']],
      ['added', ['today', 'this-month', 'last-month', 'last-30-days', '2026-03-08..2026-03-08']],
      ['surgery', ['today', 'tomorrow', 'this-month', 'next-7-days', 'next-30-days', 'next-month', 'none', '2027-01-01..']],
      ['consent', ['yes', 'no']],
      ['city', ['Montréal', ' montreal ', 'Montre\u0301al', 'Montr', 'BARRIE, ON', 'None', '%', '100%', '東京', 'Nowhere', 'none']],
    ]
    const failures: unknown[] = []
    const check = async (filter: Filter) => {
      const [found, expected] = [await list(writeFilter(filter)!), matches(filter)]
      if (JSON.stringify(found) !== JSON.stringify(expected)) failures.push([writeFilter(filter), found.length, expected.length])
    }
    for (const [field, values] of cases)
      await Promise.all(
        [...values.map((one) => [one]), values].flatMap((value) =>
          [false, true].map((not) => check({ mode: 'all', conditions: [{ field, not, values: value }] })),
        ),
      )
    expect(failures).toEqual([])
  })

  it('takes today as the date at the practice, even when clocks change and it is tomorrow elsewhere', async () => {
    expect(dayAt(now, zone)).toBe('2026-11-01')
    const today = ids(
      all.filter(
        ({ followUp }) =>
          followUp && followUp.getTime() >= Date.parse('2026-11-01T04:00:00Z') && followUp.getTime() < Date.parse('2026-11-02T05:00:00Z'),
      ),
    )
    expect(today.length).toBeGreaterThan(0)
    expect(await list('follow-up:today')).toEqual(today.toReversed())
  })

  it('finds what the plain rule finds with any filter, in the rows, the total and the count', async () => {
    const days = fc.constantFrom('2026-10-26', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-05', '2027-02-01')
    const known = {
      stage: made.stages,
      source: ids(made.sources),
      tag: made.tags,
      owner: [me, other],
      provider: [provider],
      procedure: made.procedures,
    }
    const groups = ['Google CPC', 'Social Media', 'Unknown', 'Uncle Bob']
    const texts = ['montreal', 'MONTRÉAL-EST', 'Barrie, ON', 'None', '100%', 'Nowhere']
    await fc.assert(
      fc.asyncProperty(anyFilter({ ids: known, groups, texts, days }), async (filter) => {
        const text = writeFilter(filter)!
        fc.pre(text.length <= 4000)
        const expected = matches(filter)
        const [page, count] = await Promise.all([
          client.contacts.list({ filter: text, limit: 200 }),
          client.contacts.count({ filter: text }),
        ])
        expect(ids(page.data)).toEqual(expected)
        expect([page.total, page.totalIsExact]).toEqual([expected.length, true])
        expect(count).toEqual({ total: expected.length })
      }),
      { numRuns: 60 },
    )
  })

  it('combines a filter with search, stage, tag, any order and pages', async () => {
    const filter = 'owner:me;consent:no'
    const mine = (contact: Stored) => contact.owner === me && !contact.consent
    const isZeno = ({ id }: Stored) => all.findIndex((contact) => contact.id === id) % 4 === 0
    expect(await list(filter, { search: 'zeno' })).toEqual(who((contact) => mine(contact) && isZeno(contact)))
    expect(await list(filter, { stageId: made.stages[0]! })).toEqual(who((contact) => mine(contact) && contact.stage === made.stages[0]))
    expect(await list(filter, { tagId: made.tags[1]! })).toEqual(who((contact) => mine(contact) && contact.tags.includes(made.tags[1]!)))
    expect(await list(filter, { sort: 'oldest' })).toEqual(who(mine).toReversed())
    expect(await list(filter, { limit: 3, page: 2 })).toEqual(who(mine).slice(3, 6))
    expect(await list(filter, { sort: 'oldest', limit: 3, page: 2 })).toEqual(who(mine).toReversed().slice(3, 6))
    expect((await list(filter, { sort: 'follow-up' })).toSorted()).toEqual(who(mine).toSorted())
    expect(await list(`stage:${made.stages[1]}`)).toEqual(who(({ stage }) => stage === made.stages[1]))
    expect(await client.contacts.count({ filter, search: 'zeno' })).toEqual({
      total: who((contact) => mine(contact) && isZeno(contact)).length,
    })
  })

  it("resolves 'me' to the signed-in user", async () => {
    const theirs = await server.client((await server.account({ role: 'sales_rep' })).cookie).contacts.list({ filter: 'owner:me' })
    expect(theirs).toMatchObject({ data: [], total: 0 })
  })

  it.each(roles)('filters for the role %s', async (role) => {
    const page = await (await server.as(role)).contacts.list({ filter: 'tag:none;consent:yes', limit: 200 })
    expect(ids(page.data)).toEqual(who(({ tags, consent }) => tags.length === 0 && consent))
  })

  it('answers 422 to an invalid filter in each call that accepts one', async () => {
    for (const filter of ['nonsense', 'tag:vip', `tag:${randomUUID()};`, 'x'.repeat(5_000)]) {
      expect(await refusal(client.contacts.list({ filter }))).toMatchObject({
        status: 422,
        data: { fields: { filter: expect.any(String) } },
      })
      expect(await refusal(client.contacts.count({ filter }))).toMatchObject({ status: 422 })
      const change = { kind: 'tag', tagId: made.tags[0]!, on: true } as const
      expect(await refusal(client.bulkChanges.start({ selection: { matching: { filter } }, change }))).toMatchObject({ status: 422 })
    }
  })

  it('changes exactly the matching patients in a bulk change', async () => {
    const filter = `any|owner:me;follow-up:overdue`
    const expected = matches({
      mode: 'any',
      conditions: [
        { field: 'owner', not: false, values: ['me'] },
        { field: 'follow-up', not: false, values: ['overdue'] },
      ],
    })
    const { id: tagId } = await client.tags.create({ name: 'Chosen' })
    const { id } = await client.bulkChanges.start({ selection: { matching: { filter } }, change: { kind: 'tag', tagId, on: true } })
    const done = await until(async () => {
      const progress = await client.bulkChanges.get({ id })
      return progress.status === 'done' && progress
    })
    expect(done).toMatchObject({ total: expected.length, changed: expected.length })
    expect(await list(`tag:${tagId}`)).toEqual(expected)
    await (await server.as('admin')).tags.delete({ id: tagId })
  })
})

describe('filters with many matches', () => {
  const server = useServer()

  it('counts up to 1,000, exactly through the count call, and pages beyond', async () => {
    const client = await server.as('sales_rep')
    const all = await insertContacts(
      server,
      Array.from({ length: 1_203 }, (_, i) => ({ lastName: `N${i}` })),
    )
    expect(await client.contacts.list({ filter: 'consent:no' })).toMatchObject({ total: 1_000, totalIsExact: false, totalPages: 20 })
    expect(await client.contacts.count({ filter: 'consent:no' })).toEqual({ total: 1_203 })
    const last = await client.contacts.list({ filter: 'consent:no', page: 25 })
    expect(ids(last.data)).toEqual(all.slice(0, 3).toReversed())
    const oldest = await client.contacts.list({ filter: 'consent:no', sort: 'oldest', page: 25 })
    expect(ids(oldest.data)).toEqual(all.slice(-3))
    const [stage] = await client.pipeline.stages()
    expect(await client.contacts.list({ filter: `stage:${stage!.id}` })).toMatchObject({ total: 1_203, totalIsExact: true })
  })
})
