import { beforeAll, describe, expect, it } from 'vitest'
import { insertReportData, type ReportData } from '../../../test/reports.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

const server = useServer({}, { now: () => new Date('2025-04-15T16:00:00Z') })
let data: ReportData
let admin: Client
let radio: { id: string }
beforeAll(async () => {
  data = await insertReportData(server.rows)
  admin = await server.as('admin')
  const sources = await admin.leadSources.list()
  const idOf = (name: string) => sources.find((source) => source.name === `${name} ${data.mark}`)!.id
  // A source without patients, and a second one of the group Social Media.
  radio = await admin.leadSources.create({ name: `Radio ${data.mark}` })
  const instagram = await admin.leadSources.create({ name: `Instagram ${data.mark}` })
  const set = (id: string, month: string, cents: number) => admin.leadSources.setSpend({ id, months: [{ month, cents, before: null }] })
  await set(idOf('Facebook Ads'), '2025-03-01', 100_000)
  await set(idOf('Facebook Ads'), '2025-02-01', 28_001)
  await set(instagram.id, '2025-03-01', 33_333)
  await set(radio.id, '2025-03-01', 20_000)
  await set(radio.id, '2025-04-01', 9_999)
  await set(idOf('Friends'), '2025-03-01', 0)
})

type Asked = Parameters<Client['reports']['run']>[0]
const march = { period: 'custom', from: '2025-03-01', to: '2025-03-31' } as const
const run = (given: Partial<Asked> = {}) => admin.reports.run({ report: 'return', ...march, ...given })
type Answer = Awaited<ReturnType<typeof run>>
const figures = (answer: Answer, side: 'now' | 'before' = 'now') =>
  Object.fromEntries(Object.entries(answer.figures).map(([key, figure]) => [key, figure[side]]))
const bySource = (answer: Answer) =>
  Object.fromEntries(
    answer.breakdowns
      .find(({ key }) => key === 'source')!
      .rows.map(({ name, now }) => [name.replaceAll(new RegExp(` ${data.mark}`, 'gi'), ''), now]),
  )
const own = async (text: string, values: unknown[]) => (await server.rows<Record<string, unknown>>(text, values))[0]

describe('return on spend', () => {
  it('divides the spend of the sources by leads and bookings, and their revenue by it (issue 28)', async () => {
    const answer = await run()
    expect(figures(answer)).toEqual({ spend: 153_333, costPerLead: 25_556, costPerBooking: 76_667, net: 675_001, return: 4.4 })
    // February has 28 of the 31 days before.
    expect(figures(answer, 'before')).toEqual({ spend: 28_001, costPerLead: 14_001, costPerBooking: 28_001, net: 20_000, return: 0.7 })
    expect(bySource(answer)).toEqual({
      'Social Media': { spend: 133_333, return: 5, leads: 2, costPerLead: 66_667, booked: 1, costPerBooking: 133_333, net: 665_001 },
      Radio: { spend: 20_000, return: 0, leads: 0, costPerLead: null, booked: 0, costPerBooking: null, net: 0 },
      Friends: { spend: 0, return: null, leads: 3, costPerLead: 0, booked: 1, costPerBooking: 0, net: 0 },
      // Without an amount there is no cost.
      Unknown: { spend: 0, return: null, leads: 1, costPerLead: null, booked: 0, costPerBooking: null, net: 10_000 },
    })
    expect(
      await own(
        `select (select sum(cents) from source_spend where month = '2025-03-01')::int as spend,
          (select count(*) from contacts where (created_at at time zone 'America/Toronto')::date between $1 and $2)::int as leads,
          (select sum(total_cents - tax_cents) from sales_receipts where state = 'complete'
            and (created_at at time zone 'America/Toronto')::date between $1 and $2)::int as net`,
        ['2025-03-01', '2025-03-31'],
      ),
    ).toEqual({ spend: 153_333, leads: 6, net: 675_001 })
  })

  it('agrees with the reports on leads and on revenue, source by source, refunds included (issue 28)', async () => {
    const [answer, leads, revenue] = await Promise.all([
      run(),
      admin.reports.run({ report: 'leads', ...march }),
      admin.reports.run({ report: 'revenue', ...march }),
    ])
    const [leadsOf, revenueOf] = [bySource(leads), bySource(revenue)]
    for (const [name, row] of Object.entries(bySource(answer)))
      expect([name, row.leads, row.booked, row.net]).toEqual([
        name,
        leadsOf[name]?.leads ?? 0,
        leadsOf[name]?.booked ?? 0,
        revenueOf[name]?.net ?? 0,
      ])
    expect(revenue.figures.refunded!.now).toBe(40_000)
  })

  it('counts a month by the share of its days, to the cent over the parts that a month is cut into (issue 28)', async () => {
    const spend = async (from: string, to: string) => (await run({ from, to })).figures.spend!.now!
    const cuts = [
      ['2025-03-01', '2025-03-01'],
      ['2025-03-02', '2025-03-10'],
      ['2025-03-11', '2025-03-30'],
      ['2025-03-31', '2025-03-31'],
    ] as const
    const parts = await Promise.all(cuts.map(([from, to]) => spend(from, to)))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(153_333)
    for (const [from, to] of [...cuts, ['2025-02-15', '2025-04-02'], ['2024-01-01', '2025-12-31'], ['2025-04-30', '2025-06-01']] as const) {
      const exact = await own(
        `select coalesce(sum(cents / extract(day from (month + interval '1 month') - interval '1 day')), 0)::float8 as spend
         from generate_series($1::date, $2::date, interval '1 day') as day join source_spend on month = date_trunc('month', day)`,
        [from, to],
      )
      // A cent for each source and month that is cut.
      expect(Math.abs((await spend(from, to)) - (exact!.spend as number))).toBeLessThan(6)
    }
    expect(await spend('2025-03-01', '2025-03-31')).toBe(153_333)
    expect(await spend('2025-01-01', '2025-01-31')).toBe(0)
  })

  it('puts spend, leads and revenue in their months (issue 28)', async () => {
    const answer = await run({ from: '2025-02-15', to: '2025-04-15' })
    const months = answer.breakdowns.find(({ key }) => key === 'month')!.rows
    expect(months.map(({ key, now }) => [key, now.spend, now.leads, now.net, now.return])).toEqual([
      ['2025-02-15', 14_000, 0, 20_000, 1.4],
      ['2025-03-01', 153_333, 6, 675_001, 4.4],
      ['2025-04-01', 5_000, 1, 0, 0],
    ])
    expect(months.reduce((sum, { now }) => sum + now.spend!, 0)).toBe(answer.figures.spend!.now)
    const empty = (await run({ from: '2024-11-01', to: '2024-12-31' })).breakdowns.find(({ key }) => key === 'month')!.rows
    expect(empty.map(({ now }) => [now.spend, now.costPerLead, now.return])).toEqual([
      [0, null, null],
      [0, null, null],
    ])
  })

  it('narrows everything to a source by its group, name or id, also one without patients (issue 28)', async () => {
    expect(figures(await run({ source: 'Social Media' }))).toEqual({
      spend: 133_333,
      costPerLead: 66_667,
      costPerBooking: 133_333,
      net: 665_001,
      return: 5,
    })
    const ofRadio = { spend: 20_000, costPerLead: null, costPerBooking: null, net: 0, return: 0 }
    for (const source of [radio.id, `radio ${data.mark}`]) expect(figures(await run({ source }))).toEqual(ofRadio)
    const { sources } = await admin.reports.choices()
    expect(sources.some((name) => name.startsWith('Radio'))).toBe(true)
  })

  it('opens patients and receipts behind its numbers, and nothing behind spend (issue 28)', async () => {
    const asked = { report: 'return', ...march, breakdown: 'source', row: 'Social Media' } as const
    const [leads, booked, net] = await Promise.all(
      (['leads', 'booked', 'net'] as const).map((measure) => admin.reports.records({ ...asked, measure })),
    )
    expect([leads!.total, booked!.total, net!.total]).toEqual([2, 1, 4])
    expect(new Set(net!.data.map(({ kind }) => kind))).toEqual(new Set(['receipt']))
    expect(net!.data.reduce((sum, { amount }) => sum + amount!, 0)).toBe(665_001)
    const cookie = await server.signIn('admin')
    for (const measure of ['spend', 'costPerLead', 'return'])
      expect((await server.send('GET', `/api/reports/return/records?period=last-year&measure=${measure}`, undefined, cookie)).status).toBe(
        422,
      )
  })

  it('is a file with multiples and amounts as numbers (issue 28)', async () => {
    const answer = await server.request('/api/reports.csv?report=return&period=custom&from=2025-03-01&to=2025-03-31', {
      headers: { cookie: await server.signIn('admin') },
    })
    const text = await answer.text()
    expect(text).toContain(
      '\r\nSource,Spend ($),Return (×),Leads,Cost per lead ($),Booked surgery,Cost per booking ($),Revenue ($),"Spend ($), before"\r\n',
    )
    expect(text).toContain('\r\nSocial Media,1333.33,5,2,666.67,1,1333.33,6650.01,280.01\r\n')
  })

  it('is read by those who read financial reports (issue 28)', async () => {
    for (const role of ['sales_rep', 'billing'] as const)
      expect((await (await server.as(role)).reports.run({ report: 'return', ...march })).figures.spend!.now).toBe(153_333)
    const cookie = await server.signIn('provider')
    expect((await server.send('GET', '/api/reports/return', undefined, cookie)).status).toBe(404)
  })

  it('follows a source that is renamed, retired and moved to another (issue 28)', async () => {
    await admin.leadSources.update({ id: radio.id, name: `Podcast ${data.mark}`, isActive: false })
    expect(bySource(await run()).Podcast).toMatchObject({ spend: 20_000 })
    const to = (await admin.leadSources.list()).find(({ name }) => name === `Friends ${data.mark}`)!
    const { bulkChangeId } = await admin.leadSources.move({ id: radio.id, to: to.id })
    await until(async () => (await admin.bulkChanges.get({ id: bulkChangeId })).status === 'done')
    const moved = bySource(await run())
    expect(moved.Podcast).toBeUndefined()
    expect(moved.Friends).toMatchObject({ spend: 20_000, leads: 3, costPerLead: 6_667, booked: 1, costPerBooking: 20_000, return: 0 })
    expect((await run()).figures.spend!.now).toBe(153_333)
  })
})
