import { beforeAll, describe, expect, it } from 'vitest'
import { insertReportData, type ReportData } from '../../../test/reports.ts'
import { type Client, useServer } from '../../../test/server.ts'
import { type ReportName, reportNames } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'

const server = useServer({}, { now: () => new Date('2025-04-15T16:00:00Z') })
let data: ReportData
let admin: Client
beforeAll(async () => {
  data = await insertReportData(server.rows)
  admin = await server.as('admin')
})

type Asked = Parameters<Client['reports']['run']>[0]
const march: { period: 'custom'; from: string; to: string } = { period: 'custom', from: '2025-03-01', to: '2025-03-31' }
const run = (report: ReportName, given: Partial<Asked> = {}) => admin.reports.run({ report, ...march, ...given })
type Answer = Awaited<ReturnType<typeof run>>
const figures = (answer: Answer, side: 'now' | 'before' = 'now') =>
  Object.fromEntries(Object.entries(answer.figures).map(([key, figure]) => [key, figure[side]]))
/** Rows of a breakdown by name, without rows that are zero in both periods. */
const rows = (answer: Answer, key: string) =>
  Object.fromEntries(
    answer.breakdowns
      .find((breakdown) => breakdown.key === key)!
      .rows.filter(({ now }) => Object.values(now).some((value) => value !== 0 && value !== null))
      .map(({ name, now }) => [name.replaceAll(new RegExp(` ${data.mark}`, 'gi'), ''), now]),
  )
/** A row of a custom statement, over March in Toronto's time zone. */
const own = async (text: string) => {
  const [row] = await server.rows<Record<string, number>>(
    `with march as (select timestamp '2025-03-01' at time zone 'America/Toronto' as first, timestamp '2025-04-01' at time zone 'America/Toronto' as next) ${text}`,
  )
  return row
}

describe('leads report', () => {
  it('covers the period and previous days from midnight to midnight in Toronto, across daylight saving', async () => {
    const answer = await run('leads')
    expect([answer.now, answer.before]).toEqual([
      { from: '2025-03-01', to: '2025-03-31' },
      { from: '2025-01-29', to: '2025-02-28' },
    ])
    expect(figures(answer)).toEqual({ leads: 6, booked: 2, rate: 33 })
    expect(figures(answer, 'before')).toEqual({ leads: 2, booked: 1, rate: 50 })
    expect(figures(answer)).toEqual(
      await own(`select count(*)::int as leads, (count(*) filter (where kind = 'won'))::int as booked,
        round(avg((kind = 'won')::int) * 100)::int as rate
        from march, contacts join funnel_stages as stage on stage.id = funnel_stage where contacts.created_at >= first and contacts.created_at < next`),
    )
  })

  it('groups by source display group, procedure and sales rep, largest first', async () => {
    const answer = await run('leads')
    expect(rows(answer, 'source')).toEqual({
      Friends: { leads: 3, booked: 1, rate: 33 },
      'Social Media': { leads: 2, booked: 1, rate: 50 },
      Unknown: { leads: 1, booked: 0, rate: 0 },
    })
    expect(rows(answer, 'procedure')).toEqual({
      Rhinoplasty: { leads: 3, booked: 2, rate: 67 },
      Facelift: { leads: 2, booked: 0, rate: 0 },
      'Botox, lips': { leads: 1, booked: 0, rate: 0 },
    })
    expect(rows(answer, 'user')).toEqual({
      'Amélie Ångström': { leads: 3, booked: 1, rate: 33 },
      'Ben Lee': { leads: 2, booked: 1, rate: 50 },
      'No one': { leads: 1, booked: 0, rate: 0 },
    })
    expect(answer.breakdowns.find(({ key }) => key === 'source')!.rows.map(({ now }) => now.leads)).toEqual([3, 2, 1])
    for (const { name } of answer.breakdowns.find(({ key }) => key === 'source')!.rows) {
      const filter = `added:2025-03-01..2025-03-31;source-group:${name}`
      expect([name, (await admin.contacts.count({ filter })).total]).toEqual([
        name,
        answer.breakdowns[1]!.rows.find((row) => row.name === name)!.now.leads,
      ])
    }
  })

  it('groups over time by days, weeks or months, each next to its counterpart', async () => {
    const days = (await run('leads', { from: '2025-03-08', to: '2025-03-10' })).breakdowns[0]!
    expect(days.rows.map(({ key, now, before }) => [key, now.leads, before?.leads])).toEqual([
      ['2025-03-08', 0, 0],
      ['2025-03-09', 2, 0],
      ['2025-03-10', 0, 0],
    ])
    const weeks = (await run('leads', { from: '2025-03-01', to: '2025-04-01' })).breakdowns[0]!
    expect(weeks.rows.map(({ key, now }) => [key, now.leads])).toEqual([
      ['2025-03-01', 1],
      ['2025-03-03', 2],
      ['2025-03-10', 1],
      ['2025-03-17', 1],
      ['2025-03-24', 0],
      ['2025-03-31', 2],
    ])
    const months = (await run('leads', { from: '2024-07-01', to: '2025-04-30' })).breakdowns[0]!
    expect(months.rows.slice(-4).map(({ key, now }) => [key, now.leads])).toEqual([
      ['2025-01-01', 2],
      ['2025-02-01', 1],
      ['2025-03-01', 6],
      ['2025-04-01', 1],
    ])
  })

  it('filters by sales rep, source group, procedure, and all combined', async () => {
    const [user] = data.reps
    const [procedure] = data.procedures
    const count = async (given: Partial<Asked>) => (await run('leads', given)).figures.leads
    expect(await count({ user })).toEqual({ now: 3, before: 1 })
    expect(await count({ source: 'Social Media' })).toEqual({ now: 2, before: 1 })
    expect(await count({ procedure })).toEqual({ now: 3, before: 1 })
    expect(await count({ user, source: 'Social Media', procedure })).toEqual({ now: 1, before: 1 })
    expect(await count({ source: "x' or true --" })).toEqual({ now: 0, before: 0 })
  })

  it('accepts filter values by id, name or email in any case; unknown values match no one, and records agree', async () => {
    const [user, procedure] = [data.reps[0], data.procedures[0]]
    const [names] = await server.rows<{ email: string; procedure: string }>(
      'select upper(email) as email, upper(procedures.name) as procedure from profiles, procedures where profiles.id = $1 and procedures.id = $2',
      [user, procedure],
    )
    const [facebook] = await server.rows<{ id: string; name: string }>(
      "select id, name from lead_sources where lower(name) like '%facebook%' or lower(name) like '%instagram%' limit 1",
    )
    const numbers = async (given: Partial<Asked>) => {
      const { now: total } = (await run('leads', given)).figures.leads!
      const { total: records } = await admin.reports.records({ ...march, report: 'leads', ...given, measure: 'leads' })
      expect(records).toBe(total)
      return total
    }
    expect(await numbers({ user: names!.email })).toBe(3)
    expect(await numbers({ procedure: names!.procedure })).toBe(3)
    expect(await numbers({ procedure: procedure.toUpperCase() })).toBe(3)
    for (const source of ['social media', 'FACEBOOK', facebook!.id, facebook!.name.toUpperCase()]) expect(await numbers({ source })).toBe(2)
    for (const none of [{ user: 'nobody@elsewhere.example' }, { procedure: 'Nothing' }, { source: 'Nothing' }])
      expect(await numbers(none)).toBe(0)
    const { cookie } = await server.account({ role: 'admin' })
    async function file(name: string) {
      const query = new URLSearchParams({ ...march, report: 'leads', procedure: name })
      const answer = await server.request(`/api/reports.csv?${query}`, { headers: { cookie } })
      return [answer.status, await answer.text()]
    }
    expect(await file(names!.procedure)).toEqual(await file(procedure))
    expect((await file(procedure))[0]).toBe(200)
  })
})

it('reports the furthest stage each patient reached and median days of completed stays', async () => {
  const answer = await run('funnel')
  expect(figures(answer)).toEqual({ leads: 6, won: 2, wonRate: 33, lost: 1 })
  expect(figures(answer, 'before')).toEqual({ leads: 2, won: 1, wonRate: 50, lost: 0 })
  const shown = rows(answer, 'stage')
  for (const row of Object.values(shown)) if (row.days != null) row.days = Math.round(row.days * 1000) / 1000
  expect(shown).toEqual({
    Lead: { reached: 6, rate: null, inIt: 3, left: 4, days: 2.479 },
    Contacted: { reached: 3, rate: 50, inIt: 0, left: 2, days: 2.5 }, // one moved back
    'Consult Booked': { reached: 2, rate: 67, inIt: 0, left: 1, days: 4.292 },
    'Consult Done': { reached: 2, rate: 100, inIt: 0, left: 1, days: 10 },
    'Quote Sent': { reached: 2, rate: 100, inIt: 0, left: 0, days: null },
    'Surgery Booked': { reached: 2, rate: 100, inIt: 2, left: 0, days: null }, // except the one undone immediately
    'Cold Lead': { reached: 1, rate: null, inIt: 1, left: 0, days: null },
  })
  expect(
    await own(`select count(distinct contact_id)::int as contacted from march, contact_stage_history as move
      join funnel_stages as stage on stage.id = to_stage join contacts on contacts.id = contact_id
      where value in ('contacted', 'consult_booked', 'consult_done', 'quote_sent', 'surgery_booked') and (from_stage is null or from_entered_at is not null)
        and contacts.created_at >= first and contacts.created_at < next`),
  ).toEqual({ contacted: shown.Contacted!.reached! - 1 }) // and the imported one, without history
})

it('compares a stage with the previous reported one, skipping unused stages', async () => {
  const rates = async () => Object.entries(rows(await run('funnel'), 'stage')).map(([name, { rate }]) => [name, rate])
  const before = await rates()
  await server.rows(`with contacted as (select sort_order from funnel_stages where value = 'contacted'),
      later as (update funnel_stages set sort_order = sort_order + 1 where sort_order >= (select sort_order from contacted))
    insert into funnel_stages (name, value, sort_order, is_active) select 'Called once', 'called_once', sort_order, false from contacted`)
  expect(await rates()).toEqual(before)
  await server.rows(`delete from funnel_stages where value = 'called_once'`)
})

it('measures first response without imported patients, system actions or notes, across a skipped hour', async () => {
  const answer = await run('response')
  expect(figures(answer)).toEqual({ median: 7200, quick: 20, sameDay: 40, waiting: 2 })
  expect(figures(answer, 'before')).toEqual({ median: 1800, quick: 50, sameDay: 50, waiting: 1 })
  expect(
    await own(`select percentile_cont(0.5) within group (order by waited) as median from (
      select extract(epoch from min(date) - contacts.created_at)::float8 as waited from march, contacts join interactions on contact_id = contacts.id
      where contacts.created_at >= first and contacts.created_at < next and date >= contacts.created_at and interactions.created_by is not null
        and type <> 'note' and import_source is null group by contacts.id) as answered`),
  ).toEqual({ median: 7200 })
  expect(answer.breakdowns[0]!.rows.map(({ name, now }) => [name, now.leads])).toEqual([
    ['Under 5 minutes', 0],
    ['5 to 30 minutes', 1],
    ['30 to 60 minutes', 0],
    ['1 to 4 hours', 1],
    ['4 to 24 hours', 0],
    ['Over a day', 1],
    ['Not answered yet', 2],
  ])
  expect(rows(answer, 'user')['Amélie Ångström']).toEqual({ leads: 3, median: 7200, quick: 33, waiting: 0 })
})

it('reports surgery cohorts by month of lead arrival', async () => {
  const answer = await run('cohorts', { from: '2025-02-01', to: '2025-03-31' })
  expect(figures(answer)).toMatchObject({ leads: 7, booked: 3, rate: 43 })
  expect(rows(answer, 'month')).toEqual({
    '2025-02-01': { leads: 1, rate: 100, d30: 0, d90: 100, d180: 100, booked: 1 }, // 30 days to the hour are not within 30 days
    '2025-03-01': { leads: 6, rate: 33, d30: 33, d90: 33, d180: 33, booked: 2 },
  })
  expect(
    await own(`select round(100.0 * count(*) filter (where value = 'surgery_booked') / count(*))::int as rate
      from march, contacts join funnel_stages as stage on stage.id = funnel_stage where contacts.created_at >= first and contacts.created_at < next`),
  ).toEqual({ rate: 33 })
})

it('reports show rate by provider and source, excluding cancellations', async () => {
  const answer = await run('consults')
  expect(figures(answer)).toEqual({ rate: 75, shown: 3, missed: 1, cancelled: 2, open: 1 })
  expect(figures(answer, 'before')).toEqual({ rate: 50, shown: 1, missed: 1, cancelled: 0, open: 0 })
  expect(
    await own(`select round(100.0 * count(*) filter (where status <> 'no_show') / count(*))::int as rate from march, appointments
      where type = 'consult' and starts_at >= first and starts_at < next and status in ('arrived', 'completed', 'no_show')`),
  ).toEqual({ rate: 75 })
  expect(rows(answer, 'user')).toEqual({
    'Thị Nguyễn': { rate: 100, consults: 5, shown: 3, missed: 0, cancelled: 1 },
    'Ada Okafor': { rate: 0, consults: 2, shown: 0, missed: 1, cancelled: 1 },
  })
  const there = await run('consults', { location: `Oakville ${data.mark}` })
  expect(figures(there)).toEqual({ rate: 100, shown: 1, missed: 0, cancelled: 0, open: 0 })
})

it('counts each patient once from consult to surgery, by first consultation', async () => {
  const answer = await run('conversion')
  expect(figures(answer)).toEqual({ consulted: 2, booked: 1, rate: 50, days: 10 })
  expect(figures(answer, 'before')).toMatchObject({ consulted: 1, booked: 1, rate: 100 })
  expect(
    await own(`select count(*)::int as consulted, (count(*) filter (where won.at >= visit.at))::int as booked from
      (select contact_id, min(starts_at) as at from appointments where type = 'consult' and status in ('arrived', 'completed') group by contact_id) as visit
      left join (select contact_id, min(changed_at) as at from contact_stage_history join funnel_stages as stage on stage.id = to_stage
        where kind = 'won' and from_entered_at is not null group by contact_id) as won using (contact_id), march
      where visit.at >= first and visit.at < next`),
  ).toEqual({ consulted: 2, booked: 1 })
  expect(rows(answer, 'procedure')).toEqual({
    Rhinoplasty: { rate: 100, consulted: 1, booked: 1, days: 10 },
    Facelift: { rate: 0, consulted: 1, booked: 0, days: null },
  })
})

it('groups cancellation reasons of appointments and surgeries regardless of case', async () => {
  const answer = await run('cancellations')
  expect(figures(answer)).toEqual({ rate: 55, cancelled: 4, missed: 1, postponed: 1 })
  expect(figures(answer, 'before')).toEqual({ rate: 50, cancelled: 0, missed: 1, postponed: 0 })
  expect(
    await own(`select (select count(*) from appointments where status = 'cancelled' and starts_at >= first and starts_at < next)::int
      + (select count(*) from surgeries where status = 'cancelled' and starts_at >= first and starts_at < next)::int as cancelled from march`),
  ).toEqual({ cancelled: 4 })
  expect(rows(answer, 'reason')).toEqual({ 'Too far away': { cancelled: 2 }, '=SUM(A1)': { cancelled: 1 }, Fever: { cancelled: 1 } })
  expect(rows(answer, 'kind').Surgery).toEqual({ lost: 2, cancelled: 1, missed: 0, postponed: 1, booked: 3, rate: 67 })
})

it('reports revenue before tax, after discounts, less refunds, by procedure, provider, source and month', async () => {
  const answer = await run('revenue')
  expect(figures(answer)).toEqual({ net: 675_001, sold: 715_001, refunded: 40_000, average: 178_750 })
  expect(figures(answer, 'before')).toEqual({ net: 20_000, sold: 20_000, refunded: 0, average: 20_000 })
  expect(
    await own(
      `select sum(total_cents - tax_cents)::int as net from march, sales_receipts where state = 'complete' and created_at >= first and created_at < next`,
    ),
  ).toEqual({ net: 675_001 })
  const by = (key: string) => Object.fromEntries(Object.entries(rows(answer, key)).map(([name, { net }]) => [name, net]))
  expect(by('procedure')).toEqual({ Chin: 600_000, Rhinoplasty: 60_000, None: 10_000, Facelift: 5_001 })
  expect(by('user')).toEqual({ 'Ada Okafor': 660_000, 'No one': 10_000, 'Thị Nguyễn': 5_001 })
  expect(by('source')).toEqual({ 'Social Media': 665_001, Unknown: 10_000 })
  const ofYear = await admin.reports.run({ report: 'revenue' })
  expect(ofYear.now).toEqual({ from: '2024-04-16', to: '2025-04-15' })
  const byMonth = ofYear.breakdowns.find(({ key }) => key === 'month')!.rows.map(({ key, now }) => [key, now.net])
  expect(byMonth).toHaveLength(13)
  expect(byMonth.slice(-3)).toEqual([
    ['2025-02-01', 20_000],
    ['2025-03-01', 675_001],
    ['2025-04-01', 0],
  ])
  expect((await run('revenue', { location: `Oakville ${data.mark}` })).figures.net!.now).toBe(60_000)
})

it('reports receipts by tax code and payment method, less refunds', async () => {
  const answer = await run('receipts')
  expect(figures(answer)).toEqual({ total: 761_301, subtotal: 675_001, tax: 86_300, refunds: 45_200 })
  const totals = await admin.pos.receiptTotals({ from: '2025-03-01', to: '2025-03-31' })
  expect(figures(answer)).toMatchObject({ total: totals.totalCents, tax: totals.taxCents, refunds: totals.refunds.totalCents })
  expect(rows(answer, 'tax')).toEqual({
    'HST ON 13%': { taxed: 85_800, base: 660_000 },
    'GST 5%': { taxed: 500, base: 10_000 },
    Exempt: { taxed: 0, base: 5_001 },
  })
  expect(rows(answer, 'method')).toEqual({
    Transfer: { total: 678_000, receipts: 1, refunds: 0 },
    Visa: { total: 67_800, receipts: 2, refunds: 45_200 },
    'Not specified': { total: 15_501, receipts: 2, refunds: 0 },
  })
})

it('forecasts from stage history: current patients, booking share and average price', async () => {
  const answer = await run('forecast')
  expect(figures(answer)).toEqual({ expected: 1, value: 800_000, price: 800_000, now: 6 })
  // Past stage counts are not available, so no previous value is shown.
  expect(figures(answer, 'before')).toEqual({ expected: null, value: null, price: null, now: null })
  const shown = rows(answer, 'stage')
  expect(answer.breakdowns[0]!.rows.map(({ before }) => [before?.expected, before?.now, before?.value])).toContainEqual([null, null, null])
  expect(shown.Lead).toMatchObject({ expected: 1, now: 6, entered: 6, won: 1, rate: 17, value: 800_000 })
  expect(shown.Contacted).toMatchObject({ expected: 0, now: 0, entered: 2, won: 1, rate: 50 })
  expect(shown['Quote Sent']).toBeUndefined()
  expect(
    await own(
      `select avg(price_cents)::int as price from march, surgeries where status <> 'cancelled' and created_at >= first and created_at < next`,
    ),
  ).toEqual({
    price: 800_000,
  })
})

it('forecasts filtered patients by the prices of their own planned surgeries', async () => {
  const [amelie, ben] = data.reps
  const [rhinoplasty, facelift] = data.procedures
  const priceOf = async (given: Partial<Asked>) => (await run('forecast', given)).figures.price!.now
  expect([await priceOf({ user: ben }), await priceOf({ source: 'Friends' }), await priceOf({ procedure: facelift })]).toEqual([
    null,
    null,
    null,
  ])
  expect(await priceOf({ user: amelie, source: 'Social Media', procedure: rhinoplasty })).toBe(800_000)
  expect((await run('forecast', { user: ben })).figures.value!.now).toBe(0)
})

it("reports tasks on time per person by the list's rule: due 09:00 without a time, also on a 23-hour day (spec 9)", async () => {
  const answer = await run('tasks')
  expect(figures(answer)).toEqual({ rate: 50, onTime: 3, late: 2, overdue: 1 })
  expect(figures(answer, 'before')).toEqual({ rate: 100, onTime: 1, late: 0, overdue: 0 })
  expect(rows(answer, 'user')).toEqual({
    'Amélie Ångström': { rate: 33, tasks: 3, onTime: 1, late: 1, overdue: 1, open: 0 },
    'Ben Lee': { rate: 67, tasks: 3, onTime: 2, late: 1, overdue: 0, open: 0 },
  })
  expect(
    await own(`select (count(*) filter (where completed_at <= (due_date + coalesce(due_time_constraint, '09:00')::time) at time zone 'America/Toronto'))::int as "onTime"
      from tasks join task_assignees on task_id = tasks.id where due_date between '2025-03-01' and '2025-03-31'`),
  ).toEqual({ onTime: 3 })
})

describe('every report', () => {
  it.each(reportNames)('%s: shows 0, and no share or median, for an empty period', async (report) => {
    const answer = await run(report, { from: '2019-03-01', to: '2019-03-31' })
    for (const [key, { now }] of Object.entries(answer.figures)) {
      const { unit } = definitionOf(report).measures[key]!
      if (report === 'forecast' && key === 'now') expect(now).toBe(6)
      else
        expect([key, now]).toEqual([
          key,
          ['seconds', 'days', 'percent', 'rate', 'times'].includes(unit) ||
          ['average', 'price', 'costPerLead', 'costPerBooking'].includes(key)
            ? null
            : 0,
        ])
    }
    expect(JSON.stringify(answer)).not.toContain('NaN')
  })

  it.each(reportNames)('%s: lists exactly the counted records for every number, row and previous period', async (report) => {
    const { measures, breakdowns } = definitionOf(report)
    type Row = { breakdown?: string; row?: string; isBefore?: 'true' }
    const check = async (period: typeof march, key: string, value: number | null | undefined, more: Row) => {
      const { unit, isDerived } = measures[key]!
      if (isDerived) return
      const { data: found, total } = await admin.reports.records({ report, ...period, measure: key, ...more, limit: 100 })
      expect(found.length).toBe(total)
      if (unit === 'count') expect([key, more, total]).toEqual([key, more, value])
      // Summed cents equal those of the records; amounts next to a tax or subtotal are the record's own.
      if (unit === 'money' && ['net', 'total', 'taxed'].includes(key))
        expect([key, more, found.reduce((sum, { amount }) => sum + (amount ?? 0), 0)]).toEqual([key, more, value])
    }
    const checkRows = async (period: typeof march, wanted: Answer['breakdowns']) => {
      for (const { key: breakdown, rows: all } of wanted)
        for (const row of all)
          await Promise.all(
            breakdowns[breakdown]!.columns.map((column) =>
              check(period, column, row.now[column], { breakdown, ...(row.key === null ? {} : { row: row.key }) }),
            ),
          )
    }
    const answer = await run(report)
    for (const [key, { now, before }] of Object.entries(answer.figures)) {
      await check(march, key, now, {})
      if (report !== 'forecast') await check(march, key, before, { isBefore: 'true' })
    }
    const isOverTime = ({ key }: { key: string }) => breakdowns[key]!.time === 'fitting'
    await checkRows(
      march,
      answer.breakdowns.filter((one) => !isOverTime(one)),
    )
    // A few days, with the change of the clocks, and weeks.
    for (const period of [
      { ...march, from: '2025-03-08', to: '2025-03-14' },
      { ...march, to: '2025-04-01' },
    ])
      if (Object.keys(breakdowns).some((key) => isOverTime({ key })))
        await checkRows(period, (await run(report, period)).breakdowns.filter(isOverTime))
  })

  it('names the patient and outcome of records, page by page, newest first, and audits the view', async () => {
    const first = await admin.reports.records({ report: 'consults', ...march, measure: 'consults', limit: 3 })
    expect(first.data.map(({ contact, at, what }) => [contact?.firstName, at, what])).toEqual([
      ['Slip', '2025-03-24T14:00:00.000Z', 'Outcome not recorded'],
      ['Łucja', '2025-03-20T14:00:00.000Z', 'Attended'],
      ['Slip', '2025-03-18T15:00:00.000Z', 'Cancelled'],
    ])
    expect([first.total, first.nextCursor]).toEqual([7, expect.any(String)])
    const after = (cursor: string | null) =>
      admin.reports.records({ report: 'consults', ...march, measure: 'consults', cursor: cursor!, limit: 3 })
    const last = await after((await after(first.nextCursor)).nextCursor)
    expect([last.data.length, last.nextCursor]).toEqual([1, null])
    const [row] = await server.rows<{ seen: number }>(
      `select count(*)::int as seen from audit_log where kind = 'report' and $1 = any(contact_ids)`,
      [data.contacts.Slip],
    )
    expect(row!.seen).toBeGreaterThan(0)
    const receipts = await admin.reports.records({ report: 'revenue', ...march, measure: 'refunded' })
    expect(receipts.data).toMatchObject([{ kind: 'receipt', what: 'Refund to lucja Çelik', amount: -40_000, amountUnit: 'money' }])
  })

  it('counts merged patients once and deleted ones not at all', async () => {
    const period = { from: '2024-01-01', to: '2024-01-31' }
    const made = await server.rows<{ id: string; version: number }>(
      `insert into contacts (first_name, last_name, created_at, funnel_stage, stage_entered_at)
       select 'Twin', n::text, '2024-01-10T12:00Z', (select id from funnel_stages where is_initial), '2024-01-10T12:00Z' from generate_series(1, 4) as n returning id, version`,
    )
    const count = async () => (await run('leads', period)).figures.leads!.now
    expect(await count()).toBe(4)
    await admin.contacts.merge({ id: made[0]!.id, sourceId: made[1]!.id, version: 1, sourceVersion: 1 })
    expect(await count()).toBe(3)
    await admin.contacts.delete({ id: made[2]!.id })
    expect(await count()).toBe(2)
    expect((await run('funnel', period)).figures.leads!.now).toBe(2)
  })

  it('exports the same numbers, escaped for spreadsheets', async () => {
    const answer = await server.request('/api/reports.csv?report=cancellations&period=custom&from=2025-03-01&to=2025-03-31', {
      headers: { cookie: await server.signIn('admin') },
    })
    expect(answer.headers.get('content-disposition')).toContain('cancellations-2025-03-01-2025-03-31.csv')
    const text = await answer.text()
    expect(
      text.startsWith(
        'Cancellations\r\nPeriod,2025-03-01,2025-03-31\r\nCompared with,2025-01-29,2025-02-28\r\n\r\nFigure,Period,Previous period\r\n',
      ),
    ).toBe(true)
    expect(text).toContain('Of all booked (%),55,50\r\n')
    expect(text).toContain("'=SUM(A1),1,0\r\n")
    const money = await server.request('/api/reports.csv?report=revenue&period=custom&from=2025-03-01&to=2025-03-31', {
      headers: { cookie: await server.signIn('admin') },
    })
    expect(await money.text()).toContain('Revenue ($),6750.01,200.00\r\n')
    const provider = await server.account({ role: 'provider' })
    const narrowed = await server.request(`/api/reports.csv?report=cancellations&user=${provider.id}&source=Referral`, {
      headers: { cookie: await server.signIn('admin') },
    })
    expect(await narrowed.text()).toContain('\r\nProvider,Test provider\r\nSource,Referral\r\n\r\nFigure,')
    const wrong = await server.request('/api/reports.csv?report=leads&location=x', { headers: { cookie: await server.signIn('admin') } })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { data: { fields: { location: 'This report does not have this filter' } } },
    ])
  })
})

describe('lets billing read reports without care data', () => {
  it("hides cancellation reasons and others' tasks", async () => {
    const billing = await server.as('billing')
    const answer = await billing.reports.run({ report: 'cancellations', ...march })
    expect(answer.breakdowns.map(({ key }) => key)).not.toContain('reason')
    expect(answer.figures.cancelled!.now).toBe(4)
    const path =
      '/api/reports/cancellations/records?period=custom&from=2025-03-01&to=2025-03-31&measure=cancelled&breakdown=reason&row=Fever'
    expect((await server.send('GET', path, undefined, await server.signIn('billing'))).status).toBe(403)
    const { data: records } = await billing.reports.records({ report: 'cancellations', ...march, measure: 'cancelled' })
    expect(JSON.stringify(records)).not.toMatch(/Fever|far away/i)
    expect((await billing.reports.run({ report: 'tasks', ...march })).figures.onTime!.now).toBe(0)
    const file = await server.request('/api/reports.csv?report=cancellations&period=custom&from=2025-03-01&to=2025-03-31', {
      headers: { cookie: await server.signIn('billing') },
    })
    expect(await file.text()).not.toContain('Fever')
  })

  it('answers 422 with the field for invalid requests', async () => {
    const cookie = await server.signIn('admin')
    for (const [query, field] of [
      ['leads?period=custom', 'from'],
      ['leads?period=custom&from=2025-03-02&to=2025-03-01', 'to'],
      ['leads?period=custom&from=1990-03-02&to=2025-03-01', 'to'],
      ['leads?from=2025-03-02', 'from'],
      ['receipts?source=Referral', 'source'],
      ['nothing', 'report'],
      ['leads/records?measure=constructor', 'measure'],
      ['leads/records?measure=leads&breakdown=toString', 'breakdown'],
      ['leads/records?measure=leads&row=x', 'row'],
    ]) {
      const answer = await server.send('GET', `/api/reports/${query}`, undefined, cookie)
      expect([query, answer.status, Object.keys(((await answer.json()) as { data: { fields: object } }).data.fields)]).toEqual([
        query,
        422,
        [field],
      ])
    }
  })
})

it('samples large data: shares and medians match, counts are marked as estimates', async () => {
  const many = 60_000
  // Without the triggers that count and audit, and without the indexes that this report does not read: a minute of work.
  await server.rows(
    `begin;
     set local session_replication_role = replica;
     do $$ declare name text; begin
       for name in select indexrelid::regclass from pg_index
         where indrelid in ('contacts'::regclass, 'interactions'::regclass) and not indisunique
           and indexrelid <> 'interactions_answers'::regclass
       loop execute 'drop index ' || name; end loop;
     end $$;
     with made as (
       insert into contacts (first_name, last_name, funnel_stage, created_at, stage_entered_at)
       select 'Many', n::text, (select id from funnel_stages where is_initial), '2020-01-10T12:00Z', '2020-01-10T12:00Z' from generate_series(1, ${many}) as n
       returning id, last_name::int as n
     )
     insert into interactions (contact_id, type, description, date, created_by)
     select id, 'call', 'Called', '2020-01-10T12:00Z'::timestamptz + n * interval '1 second', '${data.reps[0]}' from made where n % 4 <> 0;
     commit`,
  )
  const answer = await run('response', { from: '2020-01-01', to: '2020-01-31' })
  expect(answer.part).toBeLessThan(1)
  expect(answer.part).toBeGreaterThan(0.5)
  const about = (value: number | null | undefined, wanted: number, share: number) =>
    expect(Math.abs((value ?? 0) / wanted - 1)).toBeLessThan(share)
  about(answer.figures.median!.now, many / 2, 0.05)
  about(answer.figures.waiting!.now, many / 4, 0.05)
  expect(Math.abs(answer.figures.sameDay!.now! - 75)).toBeLessThanOrEqual(2)
  about(
    answer.breakdowns[0]!.rows.reduce((sum, { now }) => sum + (now.leads ?? 0), 0),
    many,
    0.03,
  )
  expect((await run('response')).part).toBe(1)
})
