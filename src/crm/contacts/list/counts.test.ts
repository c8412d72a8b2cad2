import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { type Client, useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { foldContactCounts } from '../jobs.ts'

// Half past midnight in Toronto.
const now = new Date('2026-11-21T05:30:00Z')
const zone = 'America/Toronto'

describe('stored counts equal a plain count (decision "dashboard")', () => {
  const server = useServer({}, { now: () => now })
  let sales: Client
  beforeAll(async () => {
    sales = await server.as('sales_rep')
    const admin = await server.as('admin')
    for (const name of ['Rhinoplasty', 'Facelift']) await admin.procedures.create({ name })
    for (const name of ['Referral', 'Instagram']) await admin.leadSources.create({ name })
  })

  const fold = () => foldContactCounts.run(server.running.runtime as unknown as Scope, {}, { last: true })
  /** Days more than 62 days ago are stored as one. */
  const day = (instant: string) =>
    `case when ${instant} < timestamptz '2026-09-20 04:00Z' then null else (${instant} at time zone '${zone}')::date::text end`

  /** The stored counts and a plain count, which must be equal. */
  const both = async () => {
    const of = (source: string, sum: string, ...keys: [string, string?, string?]) => {
      const [one, two = 'null', three = 'null'] = keys
      return server.rows(
        `select ${one} as one, ${two} as two, ${three} as three, ${sum}::int as count from ${source}
         group by 1, 2, 3 having ${sum} <> 0 order by 1, 2, 3`,
      )
    }
    const sourceText = 'case when lead_source is null then lead_source_text end'
    return {
      kept: [
        await of('contact_counts', 'sum(change)', 'funnel_stage'),
        await of('contact_day_counts', 'sum(change)', day('since'), 'funnel_stage', 'procedure_of_interest'),
        await of('contact_source_counts', 'sum(change)', 'lead_source', 'lead_source_text'),
      ],
      counted: [
        await of('contacts', 'count(*)', 'funnel_stage'),
        await of('contacts', 'count(*)', day('created_at'), 'funnel_stage', 'procedure_of_interest'),
        await of('contacts', 'count(*)', 'lead_source', sourceText),
      ],
    }
  }
  const check = async () => {
    const { kept, counted } = await both()
    expect(kept).toEqual(counted)
  }

  /** Statements that change zero, one or many contacts, picked by a number. */
  const step = fc.record({
    kind: fc.constantFrom('add', 'stage', 'procedure', 'source', 'text', 'created', 'remove', 'nothing', 'fold'),
    pick: fc.nat(1000),
    many: fc.integer({ min: 1, max: 9 }),
    quarters: fc.integer({ min: -7000, max: 10 }),
  })
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
  const statements: Record<string, string> = {
    stage: `funnel_stage = (select id from funnel_stages order by (sort_order + $1::text::int) % 7 limit 1)`,
    procedure: `procedure_of_interest = (select id from (select id from procedures union all select null) as p order by md5($1::text || coalesce(id::text, '')) limit 1)`,
    source: `lead_source = (select id from (select id from lead_sources union all select null) as s order by md5($1::text || coalesce(id::text, '')) limit 1)`,
    text: `lead_source_text = (array['tiktok', 'Facebook Ad', null])[1 + $1::text::int % 3]`,
    nothing: `version = version + 1`,
  }
  const some = `id in (select id from contacts order by md5($1::text || id::text) limit $2)`
  const run = async ({ kind, pick, many, quarters }: Step) => {
    const at = new Date(now.getTime() + quarters * 15 * 60_000 + pick)
    if (kind === 'fold') return fold()
    if (kind === 'add') {
      const ids = await insertContacts(
        server,
        Array.from({ length: many }, () => ({ stage: 'contacted', ...(pick % 2 ? { leadSourceText: 'Facebook Ad' } : {}) })),
      )
      return server.rows('update contacts set created_at = $2 where id = any($1)', [ids, at])
    }
    if (kind === 'remove') return server.rows(`delete from contacts where ${some}`, [pick, many])
    if (kind === 'created') return server.rows(`update contacts set created_at = $3 where ${some}`, [pick, many, at])
    return server.rows(`update contacts set ${statements[kind]} where ${some}`, [pick, many])
  }

  it('stays right through any additions, changes and removals, single or bulk, folded or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        for (const one of steps) await run(one)
        await check()
        await fold()
        await check()
      }),
      { numRuns: 60 },
    )
  })

  it('folds to one row per key, and none with a count of zero', async () => {
    await fold()
    for (const table of ['contact_counts', 'contact_day_counts', 'contact_source_counts'])
      expect(await server.rows(`select 1 from ${table} where change = 0`)).toEqual([])
    const rows = await server.rows(
      'select since, funnel_stage, procedure_of_interest from contact_day_counts group by 1, 2, 3 having count(*) > 1',
    )
    expect(rows).toEqual([])
  })

  it('loses nothing when folded concurrently during writes', async () => {
    const writing = Array.from({ length: 20 }, (_, i) => insertContacts(server, [{ stage: i % 2 ? 'lead' : 'contacted' }]))
    await Promise.all([...writing, fold(), fold(), fold()])
    for (const again of [false, true]) {
      if (again) await fold()
      const { kept, counted } = await both()
      expect(kept).toEqual(counted)
    }
  })

  it('stays right through a merge and a bulk deletion with undo, and deleted sources and procedures', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        sales.contacts.create({
          firstName: `Count ${i}`,
          lastName: 'Test',
          leadSource: i % 2 ? 'Referral' : 'tiktok',
          procedureOfInterest: i % 3 ? 'Facelift' : 'Rhinoplasty',
        }),
      ),
    )
    const [target, source, ...others] = made.map(({ id }) => id)
    await check()
    await sales.contacts.update({ id: others[0]!, version: 1, funnelStage: 'surgery_booked', procedureOfInterest: 'Facelift' })
    const { mergeId } = await sales.contacts.merge({ id: target!, version: 1, sourceId: source!, sourceVersion: 1 })
    await check()
    await fold()
    await sales.contacts.undoMerge({ id: mergeId })
    await check()

    const settled = (id: string) =>
      until(async () => {
        const progress = await sales.bulkChanges.get({ id })
        return progress.status !== 'running' && progress.status !== 'undoing'
      })
    const { id } = await sales.bulkChanges.start({ selection: { ids: others }, change: { kind: 'delete' } })
    await settled(id)
    await check()
    await fold()
    await sales.bulkChanges.undo({ id })
    await settled(id)
    await check()

    const admin = await server.as('admin')
    const [procedure] = await admin.procedures.list()
    await server.rows('delete from procedures where id = $1', [procedure!.id])
    const referral = (await admin.leadSources.list()).find(({ name }) => name === 'Referral')
    await server.rows('delete from lead_sources where id = $1', [referral!.id])
    await check()
  })

  it('stays right through an import and its undo', async () => {
    const cookie = await server.signIn('sales_rep')
    const body = `First Name,Last Name,Email,Lifecycle Stage,Original Source\n${Array.from({ length: 40 }, (_, i) => `P${i},Import,p${i}@import.example,Contacted,${i % 3 ? 'Instagram' : 'A friend'}\n`).join('')}`
    const sent = await server.request('/api/imports?name=counts.csv', {
      method: 'POST',
      body,
      headers: { cookie, 'content-type': 'text/csv' },
    })
    const { id } = (await sent.json()) as { id: string }
    const settled = () =>
      until(async () => {
        const one = await sales.imports.get({ id })
        return !['checking', 'running', 'undoing'].includes(one.status) && one
      })
    const { columns } = await sales.imports.get({ id })
    await sales.imports.check({ id, columns: columns.map(({ field, dateOrder }) => ({ field, dateOrder })) })
    await settled()
    await sales.imports.run({ id, onMatch: 'skip' })
    expect((await settled()).result?.added).toBe(40)
    await check()
    await fold()
    await sales.imports.undo({ id })
    await settled()
    await check()
  })
})
