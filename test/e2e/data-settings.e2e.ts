import type { Page } from '@playwright/test'
import { brokenRules } from './axe.ts'
import { expect, test } from './clinic.ts'
import { exportAs } from './export.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Retention' })

test('issue 9: lists are exported as CSV and Excel from Settings, those that one’s role has', async ({ open }) => {
  const page = await open('sales', '/settings/import-export')
  for (const [link, ending] of [
    ['Patients as Excel', 'xlsx'],
    ['Tasks as CSV', 'csv'],
    ['Conversations as Excel', 'xlsx'],
  ] as const) {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: link }).click()
    expect((await download).suggestedFilename()).toMatch(new RegExp(`-\\d{4}-\\d{2}-\\d{2}\\.${ending}$`))
  }
  await page.getByRole('link', { name: 'Import a file' }).click()
  await expect(page.getByLabel('CSV or Excel file')).toBeAttached()
  const billing = await open('billing', '/settings/import-export')
  await expect(billing.getByRole('link', { name: 'Receipts as Excel' })).toBeVisible()
  await expect(billing.getByRole('link', { name: 'Collections as Excel' })).toBeVisible()
  await expect(billing.getByRole('link', { name: 'Patients as Excel' })).toHaveCount(0)
})

test('issue 9: a list and a report are exported to Excel where they stand', async ({ open }) => {
  const page = await open('sales', '/contacts?search=a')
  await page.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export Excel, all fields' }).click()
  expect((await download).suggestedFilename()).toMatch(/^patients-.*\.xlsx$/)
})

for (const [where, format, file] of [
  ['/tasks?due=upcoming&whose=everyone', 'CSV', /^tasks-.*\.csv$/],
  ['/surgeries', 'Excel', /^surgeries-.*\.xlsx$/],
  ['/appointments?view=month', 'CSV', /^appointments-.*\.csv$/],
  ['/inbox?show=unassigned', 'Excel', /^conversations-.*\.xlsx$/],
  ['/collections?show=late', 'Excel', /^owing-.*\.xlsx$/],
  ['/collections?tab=receipts', 'Excel', /^receipts-.*\.xlsx$/],
  ['/settings/audit-log?action=changed', 'Excel', /^audit-.*\.xlsx$/],
] as const) {
  test(`issue 9: what is shown leaves as a file: ${where}`, async ({ open }) => {
    const page = await open('admin', where)
    const download = page.waitForEvent('download')
    await exportAs(page, format)
    expect((await download).suggestedFilename()).toMatch(file)
  })
}

test.describe('what is refused', () => {
  test.use({ expectedErrors: ['status of 422'] })

  test('issue 9: a rule is counted, refused when it is too short, switched on and off, by keyboard', async ({ open }) => {
    const page = await open('admin', '/settings/retention')
    const line = card(page).getByRole('listitem').filter({ hasText: 'Inactive leads' })
    const days = line.getByLabel('Days since the lead arrived')
    await days.fill('30')
    await line.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(line.getByText('At least 180 days')).toBeVisible()
    await days.fill('3650')
    await line.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(line.getByText('0 would be forgotten now. Nothing was.')).toBeVisible()
    await line.getByRole('switch').press('Space')
    await expect(line.getByRole('switch')).toBeChecked()
    await expect(line.getByRole('switch')).toBeFocused()
    await page.reload()
    await expect(line.getByRole('switch')).toBeChecked()
    await expect(days).toHaveValue('3650')
    await line.getByRole('switch').press('Space')
    await expect(line.getByRole('switch')).not.toBeChecked()
  })
})

test('issue 9: what would be forgotten is told before a rule is on; who cancels has the switch back', async ({ open, clinic }) => {
  await clinic.rows(
    `insert into lead_entries (source_id, raw_data, raw_body, content_type, status, received_at)
     select id, '{"email":"old@example.ca"}', '{"email":"old@example.ca"}', 'application/json', 'completed', now() - interval '5 years'
     from lead_sources limit 1`,
  )
  const page = await open('admin', '/settings/retention')
  await expect(page.getByRole('link', { name: 'Retention' })).toBeInViewport({ ratio: 1 })
  const line = card(page).getByRole('listitem').filter({ hasText: 'What lead forms have sent, word for word' })
  const asked = page.getByRole('dialog', { name: /^Forget \d+ tonight\?$/ })
  await line.getByRole('switch').press('Space')
  await expect(asked).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(asked).toHaveCount(0)
  await expect(line.getByRole('switch')).not.toBeChecked()
  await expect(line.getByRole('switch')).toBeFocused()
  await page.keyboard.press('Space')
  await asked.getByRole('button', { name: 'Switch on' }).press('Enter')
  await expect(asked).toHaveCount(0)
  await expect(line.getByRole('switch')).toBeChecked()
  await expect(line.getByRole('switch')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(line.getByRole('switch')).not.toBeChecked()
})

test('issue 9: a rule that leaves no choice of days is counted and switched by keyboard', async ({ open }) => {
  const page = await open('admin', '/settings/retention')
  const line = card(page).getByRole('listitem').filter({ hasText: 'Deleted patients' })
  await expect(line.getByRole('textbox')).toHaveCount(0)
  await line.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(line.getByText(/^\d+ would be forgotten now\. Nothing was\.$/)).toBeVisible()
  await line.getByRole('switch').press('Space')
  await expect(line.getByRole('switch')).toBeChecked()
  await line.getByRole('switch').press('Space')
  await expect(line.getByRole('switch')).not.toBeChecked()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no WCAG 2.2 AA rule that can be checked by machine is broken: retention, import and export (${colorScheme})`, async ({ open }) => {
    const page = await open('admin', '/settings/retention')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const at of ['/settings/retention', '/settings/import-export']) {
      await page.goto(at)
      await expect(page.getByRole('listitem').filter({ hasText: /Sessions that have ended|Receipts/ })).toBeVisible()
      expect(await brokenRules(page)).toEqual([])
    }
  })
}

test('issue 9: at 375 pixels nothing scrolls sideways in them', async ({ open }) => {
  const page = await open('admin', '/settings/retention')
  await page.setViewportSize({ width: 375, height: 812 })
  for (const at of ['/settings/retention', '/settings/import-export']) {
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})
