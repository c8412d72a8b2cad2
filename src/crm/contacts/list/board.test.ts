import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { encodeCursor } from '../../../shared/page-lists.ts'

type Order = 'latest' | 'longest'
type Filters = Omit<NonNullable<Parameters<Client['contacts']['board']>[0]>, 'limit' | 'order' | 'ids'>

describe('board', () => {
  const server = useServer()
  let client: Client
  let stages: Awaited<ReturnType<Client['pipeline']['stages']>>
  let tagId: string
  const stage = (value: string) => stages.find((one) => one.value === value)?.id ?? ''
  const values = ['lead', 'contacted', 'consult_booked'] as const

  beforeAll(async () => {
    client = await server.as('sales_rep')
    stages = await client.pipeline.stages()
    const ids = await insertContacts(
      server,
      Array.from({ length: 60 }, (_, i) => ({
        firstName: i % 4 === 0 ? 'Zeno' : 'Ana',
        lastName: `N${i}`,
        stage: values[i % 3] ?? 'lead',
      })),
    )
    // Times to the microsecond, many of them equal: only the sequence number orders those.
    await server.rows(
      `update contacts set stage_entered_at = timestamptz '2026-03-02 15:00:00.000001Z' + (seq % 7) * interval '1 microsecond' where id = any($1)`,
      [ids],
    )
    tagId = (await client.tags.create({ name: 'Board' })).id
    for (const id of ids.slice(0, 20)) await client.contacts.addTag({ id, tagId })
  })

  /** The ids of a column as a plain query without a limit orders them. */
  const expected = async (stageId: string, order: Order, where = 'true') => {
    const by = { latest: 'stage_entered_at desc, seq desc', longest: 'stage_entered_at, seq' }[order]
    return (
      await server.rows<{ id: string }>(`select id from contacts where funnel_stage = $1 and ${where} order by ${by}`, [stageId])
    ).map(({ id }) => id)
  }
  /** All of a column, a few cards at a time. */
  const walk = async (stageId: string, order: Order, filters: Filters, limit: number) => {
    const { columns } = await client.contacts.board({ ...filters, order, limit })
    const first = columns.find((column) => column.stageId === stageId)
    const cards = [...(first?.data ?? [])]
    for (let cursor = first?.nextCursor ?? null; cursor !== null;) {
      const next = await client.contacts.boardColumn({ ...filters, stage: stageId, order, limit, cursor })
      cards.push(...next.data)
      cursor = next.nextCursor
    }
    return cards.map(({ id }) => id)
  }

  it.each(['latest', 'longest'] as const)('lists every card of each column once, %s first, at any page size', async (order) => {
    for (const value of values)
      for (const limit of [1, 7, 19, 20, 200])
        expect([value, limit, await walk(stage(value), order, {}, limit)]).toEqual([value, limit, await expected(stage(value), order)])
  })

  it('returns all stages in order with exact totals, including empty ones', async () => {
    const { columns } = await client.contacts.board({})
    expect(columns.map(({ stageId }) => stageId)).toEqual(stages.map(({ id }) => id))
    expect(columns.map(({ total, totalIsExact, nextCursor }) => ({ total, totalIsExact, nextCursor }))).toEqual(
      stages.map(({ value }) => ({ total: (values as readonly string[]).includes(value) ? 20 : 0, totalIsExact: true, nextCursor: null })),
    )
  })

  it('applies each filter, alone and combined, to cards, totals and further pages', async () => {
    const tagged = () => `exists (select 1 from contact_tags where contact_id = contacts.id and tag_id = '${tagId}')`
    const cases: { filters: Filters; where: string }[] = [
      { filters: { tagId }, where: tagged() },
      { filters: { search: 'zeno' }, where: `first_name = 'Zeno'` },
      { filters: { search: 'n' }, where: 'true' },
      { filters: { stageId: stage('lead') }, where: `funnel_stage = '${stage('lead')}'` },
      {
        filters: { tagId, search: 'zeno', stageId: stage('lead') },
        where: `first_name = 'Zeno' and funnel_stage = '${stage('lead')}' and exists (select 1 from contact_tags where contact_id = contacts.id)`,
      },
      {
        filters: { filter: `tag:${tagId};stage!:${stage('contacted')}` },
        where: `funnel_stage <> '${stage('contacted')}' and ${tagged()}`,
      },
      { filters: { filter: `any|tag:${tagId};follow-up:overdue` }, where: tagged() },
      { filters: { filter: `tag:${tagId}`, search: 'zeno' }, where: `first_name = 'Zeno' and ${tagged()}` },
      { filters: { search: 'nobody' }, where: 'false' },
      { filters: { tagId: randomUUID() }, where: 'false' },
    ]
    for (const { filters, where } of cases) {
      const { columns } = await client.contacts.board({ ...filters, limit: 3 })
      for (const value of values) {
        const ids = await expected(stage(value), 'latest', where)
        const column = columns.find(({ stageId }) => stageId === stage(value))
        expect([filters, column?.total, column?.totalIsExact]).toEqual([filters, ids.length, true])
        expect([filters, await walk(stage(value), 'latest', filters, 3)]).toEqual([filters, ids])
      }
    }
  })

  it('marks a total beyond the count limit as inexact, and still shows each card once in order', async () => {
    await insertContacts(
      server,
      Array.from({ length: 1100 }, (_, i) => ({
        firstName: 'Crowd',
        lastName: `Member ${i}`,
        stage: i < 1050 ? 'quote_sent' : 'consult_done',
      })),
    )
    const { columns } = await client.contacts.board({ search: 'crowd', limit: 5 })
    const total = (value: string) => columns.find(({ stageId }) => stageId === stage(value))
    expect(total('quote_sent')).toMatchObject({ total: 1000, totalIsExact: false, nextCursor: expect.any(String) })
    expect(total('consult_done')).toMatchObject({ total: 50, totalIsExact: true })
    expect(await walk(stage('quote_sent'), 'longest', { search: 'crowd' }, 200)).toEqual(await expected(stage('quote_sent'), 'longest'))
    expect(await walk(stage('consult_done'), 'longest', { search: 'crowd' }, 20)).toEqual(await expected(stage('consult_done'), 'longest'))
    const tag = await client.tags.create({ name: 'Crowd' })
    await server.rows(`insert into contact_tags (contact_id, tag_id) select id, $1 from contacts where first_name = 'Crowd'`, [tag.id])
    const tagged = await client.contacts.board({ tagId: tag.id, limit: 1 })
    expect(tagged.columns.find(({ stageId }) => stageId === stage('quote_sent'))).toMatchObject({ total: 1000, totalIsExact: false })
  })

  it('returns only the requested cards that match, with the totals of all', async () => {
    const [one = '', other = ''] = await expected(stage('lead'), 'latest', `first_name = 'Zeno'`)
    const [ana = ''] = await expected(stage('contacted'), 'latest', `first_name = 'Ana'`)
    const ids = [one, other, ana, randomUUID()]
    for (const search of [undefined, 'zeno']) {
      const { columns } = await client.contacts.board({ ids, ...(search ? { search } : {}) })
      expect(columns.flatMap(({ data }) => data.map(({ id }) => id)).toSorted()).toEqual(
        (search ? [one, other] : [one, other, ana]).toSorted(),
      )
      expect(columns.find(({ stageId }) => stageId === stage('lead'))?.total).toBe(search ? 5 : 20)
    }
  })

  it('is visible to every role but not to visitors, and audits the cards shown', async () => {
    for (const role of ['admin', 'sales_rep', 'provider', 'front_desk', 'billing'] as const)
      expect((await (await server.as(role)).contacts.board({ limit: 1 })).columns).toHaveLength(stages.length)
    expect(await refusal(server.client().contacts.board({}))).toMatchObject({ status: 401 })
    const before = await server.rows<{ id: string }>('select max(id)::text as id from audit_log')
    const { columns } = await client.contacts.board({ limit: 2 })
    const seen = await server.rows<{ contact_ids: string[] }>('select contact_ids from audit_log where id > $1::bigint', [before[0]?.id])
    expect(seen.flatMap(({ contact_ids }) => contact_ids).toSorted()).toEqual(
      columns.flatMap(({ data }) => data.map(({ id }) => id)).toSorted(),
    )
  })

  it('answers 422 to an invalid cursor, limit or list of ids', async () => {
    for (const place of [
      '',
      '1',
      '2026-02-31T00:00:00.000000Z_1',
      '2026-03-02T15:00:00Z_1',
      '2026-03-02T15:00:00.000000Z_x',
      '2026-03-02T15:00:00.000000Z_9999999999999999',
    ])
      expect([place, await refusal(client.contacts.boardColumn({ stage: stage('lead'), cursor: encodeCursor(place) }))]).toMatchObject([
        place,
        { status: 422 },
      ])
    expect(await refusal(client.contacts.board({ limit: 201 }))).toMatchObject({ status: 422 })
    expect(await refusal(client.contacts.board({ ids: Array.from({ length: 101 }, () => randomUUID()) }))).toMatchObject({ status: 422 })
    const cursor = encodeCursor('2026-03-02T15:00:00.000000Z_1')
    expect(await client.contacts.boardColumn({ stage: randomUUID(), cursor })).toEqual({ data: [], nextCursor: null })
  })
})
