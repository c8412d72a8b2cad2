import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { foldContactCounts } from '../jobs.ts'

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id)
const newestFirst = <Item>(items: readonly Item[]) => items.toReversed()

describe('pages of the list (spec 7)', () => {
  const server = useServer()
  let client: Client
  let all: string[]
  /** Every third contact has the tag, every fifth is at 'Consult Booked', every seventh is called Zeno. */
  const isTagged = (i: number) => i % 3 === 0
  const isBooked = (i: number) => i % 5 === 0
  const isZeno = (i: number) => i % 7 === 0
  let tagId: string
  let emptyTagId: string
  let stageId: string
  const where = (...tests: ((i: number) => boolean)[]) => newestFirst(all.filter((_, i) => tests.every((test) => test(i))))

  beforeAll(async () => {
    client = await server.as('admin')
    tagId = (await client.tags.create({ name: 'VIP' })).id
    emptyTagId = (await client.tags.create({ name: 'No one' })).id
    stageId = (await client.pipeline.stages()).find((stage) => stage.value === 'consult_booked')?.id ?? ''
    all = await insertContacts(
      server,
      Array.from({ length: 125 }, (_, i) => ({ firstName: isZeno(i) ? 'Zeno' : 'Ana', stage: isBooked(i) ? 'consult_booked' : 'lead' })),
    )
    await server.rows('insert into contact_tags (contact_id, tag_id) select id, $2 from unnest($1::uuid[]) as id', [
      all.filter((_, i) => isTagged(i)),
      tagId,
    ])
  })

  it('filters by a stage, source or procedure given as id, name or value in any case, in every view of the list', async () => {
    const [source, procedure] = [
      await client.leadSources.create({ name: 'By Name' }),
      await client.procedures.create({ name: 'Named Lift' }),
    ]
    const { id } = await client.contacts.create({
      firstName: 'Ana',
      lastName: 'Named',
      leadSource: source.id,
      procedureOfInterest: procedure.id,
    })
    const cookie = await server.signIn('admin')
    const shownBy = async (filters: Record<string, string>) => {
      const [list, count, tally, board] = await Promise.all([
        client.contacts.list({ ...filters, limit: 200 }),
        client.contacts.count(filters),
        client.contacts.tally(filters),
        client.contacts.board(filters),
      ])
      const cards = board.columns.reduce((sum, column) => sum + column.total, 0)
      return { ids: ids(list.data), totals: [list.total, count.total, tally.total, cards] }
    }
    const linesOf = async (filters: Record<string, string>) => {
      const file = await server.request(`/api/contacts/export.csv?${new URLSearchParams(filters)}`, { headers: { cookie } })
      return (await file.text()).trim().split('\n').length - 1
    }
    const check = async (queries: Record<string, string>[], wanted: string[]) => {
      const { length } = wanted
      const expected = { ids: wanted, totals: [length, length, length, length] }
      expect(await Promise.all(queries.map(shownBy))).toEqual(queries.map(() => expected))
      // One after another: someone may run two exports at a time.
      for (const filters of queries) expect([filters, await linesOf(filters)]).toEqual([filters, length])
    }
    const stages = [stageId, 'consult_booked', 'CONSULT_BOOKED', 'consult booked']
    await check(
      stages.map((stage) => ({ stageId: stage })),
      where(isBooked),
    )
    const matching: Record<string, string>[] = [
      { sourceId: source.id },
      { sourceId: 'by name' },
      { procedureId: 'NAMED LIFT' },
      { sourceId: 'By Name', stageId: 'Lead' },
    ]
    await check(matching, [id])
    const matchless: Record<string, string>[] = [
      { stageId: 'nothing' },
      { sourceId: 'nothing' },
      { procedureId: 'nothing' },
      { sourceId: 'By Name', stageId: 'consult_booked' },
    ]
    await check(matchless, [])
    // So does the filter syntax, and with it bulk changes and saved views.
    const filtered = (filters: string[]) => filters.map((filter) => ({ filter }))
    await check(filtered(['stage:consult_booked', 'stage:CONSULT BOOKED', `stage:${stageId.toUpperCase()}`]), where(isBooked))
    await check(
      filtered(['source:by name', 'procedure:NAMED LIFT', 'any|source:By Name;procedure:nothing', 'source:By Name;stage!:consult_booked']),
      [id],
    )
    await check(filtered(['stage:nothing', 'source:nothing', 'procedure:nothing', 'source:By Name;stage:consult_booked']), [])
    const long = `procedure:${Array.from({ length: 50 }, (_, i) => i).join(',')};source:${Array.from({ length: 50 }, (_, i) => i).join(',')}`
    await check(filtered([long]), [])
    await client.contacts.delete({ id })
  })

  it('returns page 1 of size 50 by default, newest first, with totals (spec 9)', async () => {
    const page = await client.contacts.list({})
    expect(page).toMatchObject({ total: 125, totalIsExact: true, page: 1, limit: 50, totalPages: 3 })
    expect(ids(page.data)).toEqual(newestFirst(all).slice(0, 50))
  })

  it.each([
    [2, 50, 50, 3],
    [3, 50, 25, 3],
    [4, 50, 0, 3],
    [1, 125, 125, 1],
    [2, 125, 0, 1],
    [1, 124, 124, 2],
    [2, 124, 1, 2],
    [125, 1, 1, 125],
    [1_000_000, 200, 0, 1],
  ])('returns page %i of size %i with %i rows of %i pages', async (page, limit, rows, totalPages) => {
    const result = await client.contacts.list({ page, limit })
    expect(result).toMatchObject({ total: 125, page, limit, totalPages })
    expect(ids(result.data)).toEqual(newestFirst(all).slice((page - 1) * limit, page * limit))
    expect(result.data).toHaveLength(rows)
  })

  it('applies each filter alone and combined to rows, total and count', async () => {
    const cases = [
      { filter: { stageId }, found: where(isBooked) },
      { filter: { tagId }, found: where(isTagged) },
      { filter: { search: 'zeno' }, found: where(isZeno) },
      { filter: { stageId, tagId }, found: where(isBooked, isTagged) },
      { filter: { stageId, search: 'ZENO' }, found: where(isBooked, isZeno) },
      { filter: { tagId, search: 'zen' }, found: where(isTagged, isZeno) },
      { filter: { stageId, tagId, search: 'zeno test' }, found: where(isBooked, isTagged, isZeno) },
      { filter: { stageId: 'all' as const, tagId: 'all' as const, search: ' ' }, found: where() },
      { filter: { tagId: emptyTagId }, found: [] },
      { filter: { tagId: emptyTagId, search: 'zeno' }, found: [] },
      { filter: { tagId: randomUUID() }, found: [] },
      { filter: { stageId: randomUUID() }, found: [] },
      { filter: { search: 'nobody' }, found: [] },
    ]
    for (const { filter, found } of cases) {
      const page = await client.contacts.list({ ...filter, limit: 200 })
      expect([filter, ids(page.data)]).toEqual([filter, found])
      expect([filter, page.total, page.totalIsExact, page.totalPages]).toEqual([filter, found.length, true, Math.ceil(found.length / 200)])
      expect([filter, await client.contacts.count(filter)]).toEqual([filter, { total: found.length }])
      const second = await client.contacts.list({ ...filter, limit: 3, page: 2 })
      expect([filter, ids(second.data), second.total]).toEqual([filter, found.slice(3, 6), found.length])
    }
  })
})

describe('lists (spec 7)', () => {
  const server = useServer()

  it('keeps totals right through simultaneous additions, moves, merges and deletions, and after folding', async () => {
    const client = await server.as('admin')
    const stages = await client.pipeline.stages()
    const stage = (value: string) => stages.find((one) => one.value === value)?.id ?? ''
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) => client.contacts.create({ firstName: `Count ${i}`, lastName: 'Test' })),
    )
    await Promise.all([
      ...made.slice(0, 8).map(({ id }) => client.contacts.update({ id, version: 1, funnelStage: 'Quote Sent' })),
      ...made.slice(8, 12).map(({ id }) => client.contacts.delete({ id })),
      ...made
        .slice(12, 16)
        .map(({ id }, i) => client.contacts.merge({ id, version: 1, sourceId: made[16 + i]?.id ?? '', sourceVersion: 1 })),
    ])
    const check = async () => {
      for (const stageId of ['all', ...stages.map((one) => one.id)]) {
        const counted = await server.rows<{ n: number }>(
          "select count(*)::int as n from contacts where $1 = 'all' or funnel_stage::text = $1",
          [stageId],
        )
        expect([stageId, (await client.contacts.list({ stageId })).total]).toEqual([stageId, counted[0]?.n])
      }
    }
    await check()
    expect((await client.contacts.list({ stageId: stage('quote_sent') })).total).toBe(8)
    await foldContactCounts.run(server.running.runtime as unknown as Scope, {}, { last: true })
    await check()
    expect((await server.rows('select 1 from contact_counts')).length).toBeLessThanOrEqual(stages.length)
  })

  it('sorts names alphabetically, and patients without last contact or follow-up last', async () => {
    const client = await server.as('admin')
    const tag = await client.tags.create({ name: 'Sorted' })
    const add = async (firstName: string, lastName: string, day: number | null) => {
      const date = day === null ? null : new Date(Date.UTC(2026, 0, day)).toISOString()
      const { id } = await client.contacts.create({ firstName, lastName, lastContactDate: date, nextFollowUpDate: date })
      await client.contacts.addTag({ id, tagId: tag.id })
      return id
    }
    const eloise = await add('Éloïse', 'Zed', 3)
    const adam = await add('adam', 'zed', null)
    const bea = await add('Bea', 'Åkesson', 1)
    const zoe = await add('Zoe', 'Andrews', 2)
    const sorted = async (sort: Parameters<Client['contacts']['list']>[0]['sort']) =>
      ids((await client.contacts.list({ tagId: tag.id, sort })).data)
    expect(await sorted('newest')).toEqual([zoe, bea, adam, eloise])
    expect(await sorted('oldest')).toEqual([eloise, adam, bea, zoe])
    expect(await sorted('name')).toEqual([bea, zoe, adam, eloise])
    expect(await sorted('name-desc')).toEqual([eloise, adam, zoe, bea])
    expect(await sorted('last-contact')).toEqual([eloise, zoe, bea, adam])
    expect(await sorted('follow-up')).toEqual([bea, zoe, eloise, adam])
    const searched = async (sort: 'name' | 'oldest', page: number) =>
      ids((await client.contacts.list({ tagId: tag.id, sort, search: 'zed', limit: 1, page })).data)
    expect([await searched('name', 1), await searched('name', 2), await searched('oldest', 1)]).toEqual([[adam], [eloise], [eloise]])
  })

  it('lists contacts by stage id, name or value in any case, and none for an unknown stage', async () => {
    const client = await server.as('admin')
    const [older, newer] = await insertContacts(server, [{ stage: 'consult_done' }, { stage: 'consult_done' }])
    const id = (await client.pipeline.stages()).find((stage) => stage.value === 'consult_done')?.id ?? ''
    for (const stage of [id, id.toUpperCase(), 'Consult Done', 'consult done', 'CONSULT_DONE']) {
      expect([stage, ids((await client.contacts.byStage({ stage })).data)]).toEqual([stage, [newer, older]])
    }
    for (const stage of ['nothing', randomUUID(), '%', '/', '../../tags', 'é'])
      expect([stage, (await client.contacts.byStage({ stage })).data]).toEqual([stage, []])
  })

  it("lists contacts by source id or name in any case, or by a form's literal text", async () => {
    const client = await server.as('admin')
    const source = await client.leadSources.create({ name: 'Clínica & Co / Referral' })
    const [older, newer] = await insertContacts(server, [{ leadSourceId: source.id }, { leadSourceId: source.id, leadSourceText: 'else' }])
    const literal = await insertContacts(server, [{ leadSourceText: 'spring 100% off' }])
    for (const name of [source.id, 'Clínica & Co / Referral', 'CLÍNICA & CO / REFERRAL']) {
      expect([name, ids((await client.contacts.bySource({ source: name })).data)]).toEqual([name, [newer, older]])
    }
    expect(ids((await client.contacts.bySource({ source: 'Spring 100% OFF' })).data)).toEqual(literal)
    expect((await client.contacts.bySource({ source: 'spring 100' })).data).toEqual([])
  })

  it('finds a contact by email in any case, or returns null', async () => {
    const client = await server.as('admin')
    const created = await client.contacts.create({ firstName: 'Ana', lastName: 'Mail', email: 'Ana.Mail+x@Example.com' })
    for (const email of ['ana.mail+x@example.com', 'ANA.MAIL+X@EXAMPLE.COM', ' Ana.Mail+x@Example.com ']) {
      expect([email, (await client.contacts.byEmail({ email }))?.id]).toEqual([email, created.id])
    }
    for (const email of ['ana.mail@example.com', 'ana_mail+x@example.com', '%']) expect(await client.contacts.byEmail({ email })).toBeNull()
  })

  it("lists contacts with the tag 'Welcome', newest first", async () => {
    const client = await server.as('admin')
    const welcome = (await client.tags.list()).find((tag) => tag.name === 'Welcome')?.id ?? ''
    const [older = '', newer = ''] = await insertContacts(server, [{}, {}, {}])
    for (const id of [newer, older]) await client.contacts.addTag({ id, tagId: welcome })
    expect(ids((await client.contacts.withWelcomeTag({})).data)).toEqual([newer, older])
    await client.contacts.removeTag({ id: newer, tagId: welcome })
    expect(ids((await client.contacts.withWelcomeTag({})).data)).toEqual([older])
  })

  it('answers 404 for an unknown contact (spec 8: not found gives null)', async () => {
    const client = await server.as('admin')
    const id = randomUUID()
    await expect(client.contacts.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await expect(client.contacts.tags({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.contacts.stageHistory({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.interactions.list({ contactId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.contacts.delete({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.contacts.update({ id, version: 1, city: 'Ottawa' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('batches of 1000 until a short batch (spec 7)', () => {
  const server = useServer()
  const batches = async (client: Client) => {
    const found = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const batch: Awaited<ReturnType<Client['contacts']['batch']>> = await client.contacts.batch(cursor === undefined ? {} : { cursor })
      found.push(ids(batch.data))
      cursor = batch.nextCursor
    }
    return found
  }

  it('returns every contact once, newest first, audits each batch, and adds no empty batch after a full one', async () => {
    const client = await server.as('sales_rep')
    expect(await batches(client)).toEqual([[]])
    const all = await insertContacts(
      server,
      Array.from({ length: 2300 }, (_, i) => ({ firstName: `Batch ${i}` })),
    )
    const found = await batches(client)
    expect(found.map((batch) => batch.length)).toEqual([1000, 1000, 300])
    expect(found.flat()).toEqual(newestFirst(all))
    const audited = await server.rows<{ n: number }>(
      "select cardinality(contact_ids) as n from audit_log where action = 'viewed' order by id",
    )
    expect(audited.map(({ n }) => n)).toEqual([1000, 1000, 300])

    await server.rows('delete from contacts where id = any($1)', [all.slice(0, 300)])
    expect((await batches(client)).map((batch) => batch.length)).toEqual([1000, 1000])
  })
})
