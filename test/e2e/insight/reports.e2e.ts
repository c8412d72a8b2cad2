import type { Locator, Page } from '@playwright/test'
import { insertReportData, type ReportData } from '../../reports.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test as base } from '../support/clinic.ts'

/** Known numbers, in a year without other data in this clinic. */
const test = base.extend<object, { data: ReportData }>({
  data: [async ({ clinic }, use) => use(await insertReportData(clinic.rows, 2014)), { scope: 'worker' }],
})
const march = 'period=custom&from=2014-03-01&to=2014-03-31'
const first = `timestamp '2014-03-01' at time zone 'America/Toronto'`
const next = `timestamp '2014-04-01' at time zone 'America/Toronto'`

/** The figures above a report as text: 'Leads 6 +200%, was 2'. */
const figures = async (page: Page) => {
  await expect(page.locator('dl > div').first()).toBeVisible()
  return (await page.getByRole('main').locator('dl > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
}
const table = (page: Page, title: string) => page.getByRole('main').getByRole('table', { name: title })
/** Names and numbers of a table, without the unique suffix of the names. */
const rowsOf = async (shown: Locator, { mark }: ReportData) => {
  await expect(shown).toBeVisible()
  const all: string[][] = []
  for (const row of await shown.getByRole('row').all()) {
    const cells = await row.locator('th:not([aria-hidden]), td:not([aria-hidden])').allInnerTexts()
    all.push(
      cells.map((cell) =>
        cell
          .replaceAll(new RegExp(` ${mark}`, 'gi'), '')
          .replaceAll('\u00a0', ' ')
          .trim(),
      ),
    )
  }
  return all.slice(1)
}

test('shows leads against the previous period, by source and over time, matching SQL', async ({ open, clinic, data }) => {
  const page = await open('sales', `/reports?${march}`)
  await expect(page.getByRole('main').getByText('Mar 1, 2014 to Mar 31, 2014, compared with Jan 29, 2014 to Feb 28, 2014')).toBeVisible()
  expect(await figures(page)).toEqual(['Leads 6 +200%, was 2', 'Booked surgery 2 +100%, was 1', 'Booked 33% −17 points, was 50%'])
  expect(await rowsOf(table(page, 'Leads by source'), data)).toEqual([
    ['Friends', '3', '1', '33%', '1'],
    ['Social Media', '2', '1', '50%', '1'],
    ['Unknown', '1', '0', '0%', '0'],
  ])
  const [counted] = await clinic.rows<{ leads: number }>(
    `select count(*)::int as leads from contacts where created_at >= ${first} and created_at < ${next}`,
  )
  expect(counted).toEqual({ leads: 6 })
  const chart = page.getByRole('region', { name: 'Leads over time' })
  await expect(chart.getByRole('link', { name: 'Sun, Mar 9, 2014: 2 leads' })).toBeVisible()
  await expect(chart.locator('svg.recharts-surface')).toBeVisible()
  await chart.getByRole('button', { name: 'Show Leads over time as a table' }).click()
  await expect(table(page, 'Leads over time').getByRole('row', { name: /^Sun, Mar 9, 2014/ })).toHaveText('Sun, Mar 9, 2014200')
})

test('opens a number’s patients in the list with shareable filters, and goes back', async ({ open, data }) => {
  const page = await open('sales', `/reports?${march}&user=${data.reps[0]}`)
  await table(page, 'Leads by source').getByRole('link', { name: 'Social Media, Leads: 2' }).click()
  await expect(page).toHaveURL(/\/contacts\?/)
  expect(new URL(page.url()).searchParams.get('filter')).toBe(
    `added:2014-03-01..2014-03-31;owner:${data.reps[0]};source-group:Social Media`,
  )
  await expect(page.getByText('of 2', { exact: false }).first()).toBeVisible()
  await page.goBack()
  await expect(table(page, 'Leads by source')).toBeVisible()
})

test('opens a number’s records next to the report, by keyboard too, and closes them with Escape', async ({ open, data }) => {
  const page = await open('sales', `/reports?report=consults&${march}`)
  const number = table(page, 'Show rate by provider').getByRole('link', { name: /Nguyễn .*, Attended: 3/ })
  await number.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: /^Attended, Thị Nguyễn/ })
  await expect(drawer.getByRole('listitem')).toHaveCount(3)
  await expect(drawer.getByRole('link', { name: `Łucja ${data.mark}` }).first()).toHaveAttribute('href', `/contacts/${data.contacts.Łucja}`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(number).toBeFocused()
})

const known: [report: string, figures: string[], title: string, rows: string[][]][] = [
  [
    'funnel',
    ['Leads 6 +200%, was 2', 'Booked surgery 2 +100%, was 1', 'Booked 33% −17 points, was 50%', 'Lost 1 none before'],
    'Stages',
    [
      ['Lead', '6', 'None', '3', '4', '2.5 days', '2'],
      ['Contacted', '3', '50%', '0', '2', '2.5 days', '1'],
      ['Consult Booked', '2', '67%', '0', '1', '4.3 days', '1'],
      ['Consult Done', '2', '100%', '0', '1', '10.0 days', '1'],
      ['Quote Sent', '2', '100%', '0', '0', 'None', '1'],
      ['Surgery Booked', '2', '100%', '2', '0', 'None', '1'],
      ['Cold Lead', '1', 'None', '1', '0', 'None', '0'],
    ],
  ],
  [
    'response',
    [
      'Median response 2 h +300%, was 30 min',
      'Within an hour 20% −30 points, was 50%',
      'Within a day 40% −10 points, was 50%',
      'Not answered yet 2 +100%, was 1',
    ],
    'First response by sales rep',
    [
      ['Amélie Ångström', '3', '2 h', '33%', '0', '1'],
      ['Ben Lee', '1', 'None', '0%', '1', '1'],
      ['No one', '1', 'None', '0%', '1', '0'],
    ],
  ],
  [
    'consults',
    [
      'Show rate 75% +25 points, was 50%',
      'Attended 3 +200%, was 1',
      'No-show 1 As before, was 1',
      'Cancelled 2 none before',
      'Outcome not recorded 1 none before',
    ],
    'Show rate by provider',
    [
      ['Thị Nguyễn', '100%', '5', '3', '0', '1', '100%'],
      ['Ada Okafor', '0%', '2', '0', '1', '1', '0%'],
    ],
  ],
  [
    'conversion',
    [
      'Consulted 2 +100%, was 1',
      'Booked surgery 1 As before, was 1',
      'Booked 50% −50 points, was 100%',
      'Days to booking 10.0 days −50%, was 19.9 days',
    ],
    'Consult to surgery by procedure',
    [
      ['Facelift', '0%', '1', '0', 'None', 'None'],
      ['Rhinoplasty', '100%', '1', '1', '10.0 days', '100%'],
    ],
  ],
  [
    'cancellations',
    ['Of all booked 55% +5 points, was 50%', 'Cancelled 4 none before', 'No-show 1 As before, was 1', 'Postponed 1 none before'],
    'Reasons',
    [
      ['Too far away', '2', '0'],
      ['=SUM(A1)', '1', '0'],
      ['Fever', '1', '0'],
    ],
  ],
  [
    'revenue',
    [
      'Revenue $6,750.01 +3,275%, was $200.00',
      'Sold $7,150.01 +3,475%, was $200.00',
      'Refunded $400.00 none before',
      'Average sale $1,787.50 +794%, was $200.00',
    ],
    'Revenue by procedure',
    [
      ['Chin', '$6,000.00', '$6,000.00', '$0.00', '1', '$200.00'],
      ['Rhinoplasty', '$600.00', '$1,000.00', '$400.00', '2', '$0.00'],
      ['None', '$100.00', '$100.00', '$0.00', '1', '$0.00'],
      ['Facelift', '$50.01', '$50.01', '$0.00', '1', '$0.00'],
    ],
  ],
  [
    'receipts',
    [
      'Total $7,613.01 +3,269%, was $226.00',
      'Before tax $6,750.01 +3,275%, was $200.00',
      'Tax $863.00 +3,219%, was $26.00',
      'Refunded $452.00 none before',
    ],
    'Tax by code',
    [
      ['HST ON 13%', '$858.00', '$6,600.00', '$26.00'],
      ['GST 5%', '$5.00', '$100.00', '$0.00'],
      ['Exempt', '$0.00', '$50.01', '$0.00'],
    ],
  ],
  [
    'tasks',
    ['On-time rate 50% −50 points, was 100%', 'On time 3 +200%, was 1', 'Done late 2 none before', 'Overdue 1 none before'],
    'On time by staff member',
    [
      ['Amélie Ångström', '33%', '3', '1', '1', '1', '0', 'None'],
      ['Ben Lee', '67%', '3', '2', '1', '0', '0', '100%'],
    ],
  ],
]
for (const [report, numbers, title, rows] of known) {
  test(`shows known figures and rows: ${report}`, async ({ open, data }) => {
    const page = await open('sales', `/reports?report=${report}&${march}`)
    expect(await figures(page)).toEqual(numbers)
    expect(await rowsOf(table(page, title), data)).toEqual(rows)
  })
}

test('shows cohorts by month to surgery, and the forecast, for one sales rep', async ({ open, data }) => {
  const page = await open('sales', `/reports?report=cohorts&period=custom&from=2014-02-01&to=2014-03-31`)
  expect((await figures(page)).slice(0, 3)).toEqual(
    ['Leads 7 +250%, was 2', 'To date 3', 'Booked by now 43%'].map((text) => expect.stringContaining(text.split(' +')[0]!)),
  )
  const chart = page.getByRole('region', { name: 'Booked surgery by month of arrival' })
  await expect(chart.getByRole('link', { name: 'March 2014: 33% booked by now' })).toBeVisible()
  await page.goto(`/reports?report=forecast&${march}&user=${data.reps[0]}`)
  expect(await figures(page)).toEqual([
    'Expected surgeries 0.5',
    'Expected revenue $4,000.00',
    expect.stringContaining('Average price $8,000.00'),
    'Patients now 2',
  ])
})

test('keeps period and filters in the URL, and changes them by keyboard only', async ({ open }) => {
  const page = await open('sales', '/reports')
  await expect(page.getByRole('main').getByRole('heading', { name: 'Leads', exact: true }).last()).toBeVisible()
  const period = page.getByRole('combobox', { name: 'Period' })
  await expect(period).toHaveText('Last 30 days')
  await period.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'Last 30 days' })).toBeFocused()
  await page.getByRole('option', { name: 'This year' }).press('Enter')
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
  await expect(page).toHaveURL('/reports?period=this-year')
  await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Tasks on time' }).click()
  await expect(page).toHaveURL('/reports?report=tasks&period=this-year')
  await expect(page.getByRole('combobox', { name: 'Staff member' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Source' })).toHaveCount(0)
  await page.goBack()
  await expect(period).toHaveText('This year')
})

test('exports and prints the same numbers', async ({ open }) => {
  const page = await open('sales', `/reports?report=revenue&${march}`)
  await figures(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('revenue-2014-03-01-2014-03-31.csv')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Harbourview, Revenue' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('saves, opens, schedules, renames, deletes and restores a report', async ({ open, data }) => {
  const page = await open('sales', `/reports?report=consults&${march}`)
  const name = `Consults ${data.mark}`
  await page.getByRole('button', { name: 'Save report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save report' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save report' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const entry = page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name })
  await expect(entry).toHaveAttribute('aria-current', 'page')

  await page.getByRole('button', { name: 'Report options' }).click()
  await page.getByRole('menuitem', { name: 'Send by email…' }).click()
  await dialog.getByRole('radio', { name: 'Monthly' }).click()
  await dialog.getByRole('button', { name: 'Send by email' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/Sent on day 1 of every month at 8:00 a\.m\. to .*Next: .*Not sent yet\./)).toBeVisible()

  await page.getByRole('button', { name: 'Report options' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(entry).toHaveCount(0)
  await page.getByRole('status').filter({ hasText: 'was deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks with a report and its records (${colorScheme})`, async ({ open, data }) => {
    const page = await open('sales', '/contacts')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const check = async () => {
      expect(await accessibilityViolations(page)).toEqual([])
    }
    for (const report of ['leads', 'funnel', 'cancellations', 'revenue']) {
      await page.goto(`/reports?report=${report}&${march}`)
      await figures(page)
      await check()
    }
    await page.goto(`/reports?report=consults&${march}&figure=shown`)
    await expect(page.getByRole('dialog').getByText(data.mark).first()).toBeVisible()
    await check()
  })
}

test.describe('when loading fails', () => {
  test.use({ expectedErrors: ['500'] })
  test('shows an error and loads on retry', async ({ open }) => {
    const page = await open('sales', '/contacts')
    let failures = 0
    await page.route('**/api/reports/leads*', (route) => (failures++ < 3 ? route.fulfill({ status: 500, json: {} }) : route.continue()))
    await page.goto('/reports')
    await expect(page.getByRole('alert')).toContainText('Couldn’t load the report')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'Leads by source' }).first()).toBeVisible()
  })
})

test('tells the front desk who sees reports, and hides reasons from billing (PRODUCT.md "Who uses it")', async ({ open }) => {
  const desk = await open('frontdesk', '/reports')
  await expect(desk.getByText('Your role has no access to reports')).toBeVisible()
  const billing = await open('billing', `/reports?report=cancellations&${march}`)
  await figures(billing)
  await expect(billing.getByText('Reasons')).toHaveCount(0)
  await expect(billing.getByText('Too far away')).toHaveCount(0)
})

test('shows providers infections and returns, and no other report (issue 27)', async ({ open }) => {
  const page = await open('provider', '/reports')
  await expect(page.getByRole('heading', { name: 'Infections and returns' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Reports' }).getByRole('link')).toHaveText(['Infections and returns'])
  await figures(page)
  await page.goto('/reports?report=revenue')
  await expect(page.getByRole('heading', { name: 'Infections and returns' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 700 } })
  test('does not scroll horizontally, and offers the reports in a list', async ({ open }) => {
    const page = await open('sales', `/reports?report=revenue&${march}`)
    await figures(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
    await page.getByRole('combobox', { name: 'Report' }).click()
    await page.getByRole('option', { name: 'Sales funnel' }).click()
    await expect(page).toHaveURL(`/reports?report=funnel&${march}`)
    await expect(table(page, 'Stages')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  })
})
