import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

const id = (n: number) => `01a20000-0000-7000-8000-${String(n).padStart(12, '0')}`
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const none = { seconds: null, of: 0 }
const [hour, day] = [3600, 86_400]

const stageOf = (n: number, name: string, kind: string, count: number, stay = none as object) => ({
  id: id(n),
  name,
  value: name.toLowerCase().replaceAll(' ', '_'),
  sortOrder: n,
  kind,
  isInitial: n === 1,
  isActive: true,
  version: 1,
  count,
  stay: { now: stay, before: none },
})
const conversion = (total: number, booked: number, rate: number) => ({ total, booked, rate })
const ana = { id: id(90), firstName: 'Anaïs', lastName: 'Bélanger-Roy' }
const types = [
  ['call', 'Call'],
  ['email', 'Email'],
  ['note', 'Note'],
  ['task', 'Task'],
  ['document', 'Document'],
  ['tag', 'Tag'],
  ['meeting', 'Meeting'],
  ['quickbooks', 'QuickBooks'],
  ['stage_change', 'Stage change'],
  ['consult_booked', 'Consult Booked'],
  ['surgery_booked', 'Surgery Booked'],
  ['contact_created', 'New patient'],
  ['stage_changed', 'Stage change'],
  ['tag_added', 'Tag'],
  ['sales_receipt', 'Sales receipt'],
] as const

/** A dashboard with known numbers. */
const knownDashboard = () => ({
  at: ago(0),
  leads: {
    week: { count: 38, before: 34 },
    month: { count: 164, before: 169 },
    total: 2514,
    since: '2025-06-03T15:00:00.000Z',
    perDay: Array.from({ length: 30 }, (_, i) => i % 7),
  },
  firstResponse: { now: { seconds: 72 * 60, of: 120 }, before: { seconds: 160 * 60, of: 110 } },
  leadToConsult: { now: { seconds: 9 * day, of: 31 }, before: { seconds: 11 * day, of: 29 } },
  sources: [
    { group: 'Google Organic', count: 1257 },
    { group: 'Referral', count: 1000 },
    { group: 'Unknown', count: 257 },
  ],
  stages: [
    stageOf(1, 'Lead', 'open', 600, { seconds: 12 * hour, of: 50 }),
    stageOf(2, 'Contacted', 'open', 900, { seconds: 4.5 * day, of: 40 }),
    stageOf(6, 'Surgery Booked', 'won', 437),
    stageOf(7, 'Cold Lead', 'lost', 577),
  ],
  procedures: [
    { id: id(21), name: 'Rhinoplasty', allTime: conversion(100, 24, 24), last30Days: conversion(11, 2, 18) },
    { id: id(22), name: 'Facelift', allTime: conversion(58, 11, 19), last30Days: conversion(0, 0, 0) },
  ],
  activity: types.map(([type], i) => ({
    id: id(100 + i),
    type,
    description: `About ${type}`,
    date: ago(23 + i * 60),
    metadata: type === 'stage_change' ? { from: id(1), to: id(2) } : null,
    contact: ana,
  })),
  overdue: {
    total: 2,
    data: [
      { id: id(31), title: 'Call about quote, second reminder', type: 'Call', dueAt: ago(2 * 24 * 60 + 5), contact: ana },
      { id: id(32), title: 'Confirm implant order', type: 'Other', dueAt: ago(4 * 60 + 5), contact: null },
    ],
  },
})

/** Opens the dashboard with a stubbed response. */
async function openKnown(open: (who: string, at: string) => Promise<Page>, change: object = {}): Promise<Page> {
  const page = await open('sales', '/contacts')
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { ...knownDashboard(), ...change } }))
  await page.goto('/')
  return page
}
const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
/** Expects the patient list to have been opened with this filter. */
const expectFilter = (page: Page, filter: string | null) =>
  expect.poll(() => [new URL(page.url()).pathname, new URL(page.url()).searchParams.get('filter')]).toEqual(['/contacts', filter])
const slices = (chart: Locator): Locator => chart.locator('.recharts-sector')
const rowsOf = async (table: Locator) =>
  Promise.all(
    (await table.getByRole('row').all()).map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim())),
  )

test('shows lead counts, their trend and response times; each count opens its patients (spec 2)', async ({ open }) => {
  const page = await openKnown(open)
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('Overview of sales pipeline and performance')).toBeVisible()
  await expect(page.getByText(/^Live, updated \d{1,2}:\d\d [ap]\.m\.$/)).toBeVisible()
  const texts = (await page.getByRole('main').locator('dl > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(texts).toEqual([
    'Leads (7 days) 38 +12% on the 7 days before',
    'Leads (30 days) 164 −3% on the 30 days before',
    'Leads (All Time) 2,514 since June 2025',
    'First response 1 h 12 min 30-day median, was 2 h 40 min',
    'Lead to consult 9 days 30-day median, was 11 days',
  ])
  for (const [number, filter] of [
    ['38', 'added:last-7-days'],
    ['164', 'added:last-30-days'],
    ['2,514', null],
  ] as const) {
    await page.getByRole('link', { name: number, exact: true }).click()
    await expectFilter(page, filter)
    await page.goBack()
  }
})

test('shows Lead by Source as a ring with total, legend and table; each opens its patients (spec 2, 9)', async ({ open }) => {
  const page = await openKnown(open)
  const chart = part(page, 'Lead by Source')
  const rows = [
    ['Source', 'Leads', 'Share'],
    ['Google Organic', '1,257', '50%'],
    ['Referral', '1,000', '40%'],
    ['Unknown', '257', '10%'],
  ]
  await expect(chart).toContainText('2,514')
  expect(await rowsOf(chart.getByRole('table'))).toEqual(rows)
  await expect(chart.locator('svg text')).toHaveText(['50%', '40%', '10%'])
  await expect(slices(chart).last()).toHaveAttribute('fill', 'var(--chart-10)')
  await chart.getByRole('button', { name: 'Show Lead by Source as a table' }).click()
  expect(await rowsOf(chart.getByRole('table'))).toEqual(rows)
  await chart.getByRole('link', { name: 'Referral' }).click()
  await expectFilter(page, 'source-group:Referral')
  await page.goBack()
  await chart.locator('svg text').first().click()
  await expectFilter(page, 'source-group:Google Organic')
})

test('shows the Sales Funnel with a bar per stage, its percentage of the previous stage and median stay, by keyboard too (spec 2)', async ({
  open,
}) => {
  const page = await openKnown(open)
  const chart = part(page, 'Sales Funnel')
  await expect(chart.getByRole('listitem')).toHaveText([
    'Lead1,9370.5 days',
    'Contacted1,33769%4.5 days',
    'Surgery Booked43733%',
    'Cold Lead577',
  ])
  const label = 'Contacted: 1,337, 69% of the previous stage, 900 currently in stage, left after a median of 4.5 days'
  await chart.getByRole('link', { name: label }).focus()
  await page.keyboard.press('Enter')
  await expectFilter(page, `stage:${id(2)},${id(6)}`)
  await page.goBack()
  await chart.getByRole('button', { name: 'Show Sales Funnel as a table' }).press('Enter')
  expect(await rowsOf(chart.getByRole('table'))).toEqual([
    ['Stage', 'Currently in stage', 'Reached', 'From previous stage', 'Median days (30 days)', 'Previous 30 days'],
    ['Lead', '600', '1,937', '', '0.5', 'None'],
    ['Contacted', '900', '1,337', '69%', '4.5', 'None'],
    ['Surgery Booked', '437', '437', '33%', 'None', 'None'],
    ['Cold Lead', '577', '577', '', 'None', 'None'],
  ])
})

test('shows both conversion charts; bars open the leads of the procedure (spec 2)', async ({ open }) => {
  const page = await openKnown(open)
  const [all, recent] = [part(page, 'Procedure Conversion Rates - All Time'), part(page, 'Procedure Conversion Rates - Last 30 Days')]
  for (const chart of [all, recent]) await expect(chart.getByText('Conversion Rate (%)')).toBeVisible()
  const onBars = (chart: Locator) => chart.locator('svg text', { hasText: '%' })
  for (const chart of [all, recent]) await expect(chart.getByRole('listitem')).toHaveCount(2)
  await expect(all.getByRole('listitem')).toHaveText(['Rhinoplasty24 of 100', 'Facelift11 of 58'])
  await expect(onBars(all)).toHaveText(['24%', '19%'])
  await expect(onBars(recent)).toHaveText(['18%', '0%'])
  await recent.getByRole('link', { name: 'Rhinoplasty: 18%, 2 of 11' }).click()
  await expectFilter(page, `procedure:${id(21)};added:last-30-days`)
  await page.goBack()
  await all.getByRole('button', { name: /as a table$/ }).click()
  expect(await rowsOf(all.getByRole('table'))).toEqual([
    ['Procedure', 'Leads', 'Booked surgery', 'Conversion Rate (%)'],
    ['Rhinoplasty', '100', '24', '24%'],
    ['Facelift', '58', '11', '19%'],
  ])
})

test('shows every procedure with its counts in the conversion charts, which scroll (spec 2)', async ({ open }) => {
  const procedures = Array.from({ length: 14 }, (_, i) => ({
    id: id(40 + i),
    name: `Procedure ${i + 1}`,
    allTime: conversion(100 - i, 20, Math.round((20 / (100 - i)) * 100)),
    last30Days: conversion(0, 0, 0),
  }))
  const page = await openKnown(open, { procedures })
  const bars = part(page, 'Procedure Conversion Rates - All Time').getByRole('listitem')
  await expect(bars).toHaveCount(14)
  await expect(bars.last()).toHaveText('Procedure 1420 of 87')
  await expect(bars.last()).not.toBeInViewport()
  await bars.last().getByRole('link').focus()
  await expect(bars.last()).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440)
})

test('hides percentages on slices by screen width, not card width (spec 2)', async ({ open }) => {
  const page = await openKnown(open)
  const label = part(page, 'Lead by Source').locator('svg text').first()
  for (const [width, isVisible] of [
    [1024, true],
    [640, true],
    [639, false],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect(label).toBeVisible({ visible: isVisible })
  }
})

test('shows Recent Activity with a coloured badge per type, description, patient and time (spec 2, 9)', async ({ open }) => {
  const page = await openKnown(open)
  const items = part(page, 'Recent Activity').getByRole('listitem')
  await expect(items).toHaveCount(types.length)
  for (const [i, [type, label]] of types.entries()) {
    const item = items.nth(i)
    const badge = item.getByText(label, { exact: true }).filter({ visible: true })
    await expect(badge).toHaveClass(type === 'email' ? /bg-tint-5-soft/ : /bg-\w+-soft/)
    await expect(item).toContainText(type === 'stage_change' ? 'Lead to Contacted' : `About ${type}`)
    await expect(item.getByRole('link', { name: 'Anaïs Bélanger-Roy' })).toHaveAttribute('href', `/contacts/${id(90)}`)
  }
  await expect(items.first()).toContainText('23 min ago')
  await expect(items.nth(1)).toContainText('1 h ago')
})

test('shows Overdue Tasks with title, type, patient or Unknown, and delay; View All Tasks opens them (spec 2)', async ({ open }) => {
  const page = await openKnown(open)
  const list = part(page, 'Overdue Tasks')
  await expect(list.getByText('2 overdue', { exact: true })).toBeVisible()
  const items = list.getByRole('listitem')
  await expect(items.first()).toContainText(/Call about quote, second reminder.*Call · Anaïs Bélanger-Roy.*2 days late/)
  await expect(items.first().getByRole('link')).toHaveAttribute('href', `/contacts/${id(90)}`)
  await expect(items.last()).toContainText(/Confirm implant order.*Other · Unknown.*4 h late/)
  await list.getByRole('link', { name: 'View All Tasks' }).click()
  await expect(page).toHaveURL('/tasks?show=everyone&due=overdue')
})

test('shows empty states in a new practice', async ({ open }) => {
  const empty = { now: none, before: none }
  const leads = { ...knownDashboard().leads, week: { count: 0, before: 0 }, month: { count: 0, before: 3 }, total: 0, since: null }
  const nothing = {
    leads,
    sources: [],
    procedures: [],
    activity: [],
    overdue: { total: 0, data: [] },
    firstResponse: empty,
    leadToConsult: empty,
  }
  const page = await openKnown(open, nothing)
  await expect(part(page, 'Overdue Tasks')).toContainText('No overdue tasks!')
  await expect(part(page, 'Recent Activity')).toContainText('No activity yet')
  await expect(part(page, 'Lead by Source')).toContainText('No leads yet')
  await expect(part(page, 'Procedure Conversion Rates - All Time')).toContainText('No procedures yet')
  await expect(page.getByText('none in the 7 days before')).toBeVisible()
  await expect(page.getByText('−100% on the 30 days before')).toBeVisible()
  await expect(page.getByText('none answered in 30 days')).toBeVisible()
})

test('shows a loading state of the final size (spec 2)', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/dashboard', async (route) => {
    await answer.promise
    await route.fulfill({ json: knownDashboard() })
  })
  await page.goto('/')
  await expect(page.getByText('Loading dashboard...')).toBeVisible()
  answer.resolve()
  await expect(part(page, 'Sales Funnel')).toBeVisible()
  await expect(page.getByText('Loading dashboard...')).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } })
  test('does not scroll horizontally, hides percentages on slices and shows the legend', async ({ open }) => {
    const page = await openKnown(open)
    const chart = part(page, 'Lead by Source')
    await expect(chart.getByRole('link', { name: 'Referral' })).toBeVisible()
    await expect(slices(chart)).toHaveCount(3)
    for (const label of await chart.locator('svg text').all()) await expect(label).toBeHidden()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    for (const panel of await page.getByRole('region').all()) {
      const { x, width } = (await panel.boundingBox())!
      expect(x + width).toBeLessThanOrEqual(375)
    }
  })
})

test.describe('when the chart code fails to load', () => {
  test.use({ expectedErrors: ['Failed to load resource'] })
  test('shows figures, legend, tables and bar links', async ({ open }) => {
    const page = await open('sales', '/contacts')
    await page.route('**/api/dashboard', (route) => route.fulfill({ json: knownDashboard() }))
    await page.route('**/assets/recharts-*.js', (route) => route.abort('internetdisconnected'))
    await page.goto('/')
    await expect(part(page, 'Lead by Source')).toContainText('2,514')
    const [sources, rates] = [part(page, 'Lead by Source'), part(page, 'Procedure Conversion Rates - All Time')]
    await expect(rates.getByRole('listitem')).toHaveText(['24%Rhinoplasty24 of 100', '19%Facelift11 of 58'])
    await expect(page.locator('svg.recharts-surface')).toHaveCount(0)
    await rates.getByRole('button', { name: /as a table$/ }).click()
    await expect(rates.getByRole('row')).toHaveCount(3)
    await sources.getByRole('link', { name: 'Referral' }).click()
    await expectFilter(page, 'source-group:Referral')
  })
})

test.describe('with real data', () => {
  const post = async (page: Page, path: string, data: object) => {
    const answer = await page.request.post(`/api${path}`, { data, headers: { origin: new URL(page.url()).origin } })
    expect(answer.ok(), `${path} ${answer.status()} ${await answer.text()}`).toBe(true)
    return (await answer.json()) as { id: string }
  }
  const total = async (page: Page) =>
    Number((await page.locator('dl > div', { hasText: 'Leads (All Time)' }).getByRole('link').innerText()).replaceAll(',', ''))
  /** Creates a task that is already due, at any time of day. */
  const makeTask = async (page: Page, title: string, contactId: string | null) => {
    const [person] = (await (await page.request.get('/api/tasks/assignable')).json()) as { id: string }[]
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())
    const due = { dueDate: today, hasTimeConstraint: true, dueTimeConstraint: '00:00' }
    return post(page, '/tasks', { title, type: 'Call', ...due, assigneeIds: [person!.id], contactId })
  }

  test('counts a new lead live, and opens as many patients as a number shows', async ({ open }) => {
    const page = await open('sales', '/')
    await expect(part(page, 'Sales Funnel')).toBeVisible()
    const before = await total(page)
    const name = `Live${randomUUID().slice(0, 8)}`
    await post(page, '/contacts', { firstName: 'Ada', lastName: name })
    await expect.poll(() => total(page), { timeout: 15_000 }).toBe(before + 1)
    await expect(part(page, 'Recent Activity').getByRole('link', { name: `Ada ${name}` })).toBeVisible()
    const source = part(page, 'Lead by Source').getByRole('row').nth(1)
    const [group, count] = await source.locator('th, td').allInnerTexts()
    await source.getByRole('link').click()
    await expect(page.getByText(`of ${count}`)).toBeVisible()
    await expectFilter(page, `source-group:${group?.trim()}`)
  })

  test('completes a task with Complete and restores it with Undo, by keyboard one after another', async ({ open }) => {
    const page = await open('sales', '/')
    const key = randomUUID().slice(0, 8)
    const patient = await post(page, '/contacts', { firstName: 'Ben', lastName: key })
    for (const n of [1, 2]) await makeTask(page, `Call ${key} ${n}`, patient.id)
    const item = (n: number) =>
      page
        .getByRole('listitem')
        .filter({ hasText: `Call ${key} ${n}` })
        .filter({ hasText: 'late' })
    await expect(item(2)).toContainText(`Ben ${key}`)
    await item(1)
      .getByRole('button', { name: `Complete Call ${key} 1` })
      .press('Enter')
    await expect(item(1)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Complete / }).and(page.locator(':focus'))).toBeVisible()
    const toast = page.getByRole('status').filter({ hasText: `“Call ${key} 1” completed` })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await expect(item(1)).toBeVisible()
    await item(2).getByRole('button').click()
    await expect(item(2)).toHaveCount(0)
    await page.reload()
    await expect(item(1)).toBeVisible()
    await expect(item(2)).toHaveCount(0)
  })

  test('shows billing the figures and its own tasks, but no clinical activity', async ({ open }) => {
    const page = await open('billing', '/')
    await expect(part(page, 'Sales Funnel')).toBeVisible()
    await expect(part(page, 'Overdue Tasks')).toContainText('No overdue tasks!')
    const activity = part(page, 'Recent Activity')
    for (const label of ['Call', 'Email', 'Note', 'Meeting', 'Document'])
      await expect(activity.getByText(label, { exact: true })).toHaveCount(0)
  })
})

test.describe('when loading fails', () => {
  test.use({ expectedErrors: ['500'] })
  test('shows an error and loads on retry', async ({ open }) => {
    const page = await open('sales', '/contacts')
    let failures = 0
    await page.route('**/api/dashboard', (route) =>
      failures++ < 3 ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json: knownDashboard() }),
    )
    await page.goto('/')
    await expect(page.getByRole('alert')).toContainText('Couldn’t load the dashboard')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(part(page, 'Sales Funnel')).toBeVisible()
  })
})
