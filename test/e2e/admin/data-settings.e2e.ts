import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { exportAs } from '../support/export.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Retention' })

test('exports the lists of one’s role as CSV and Excel from Settings', async ({ open }) => {
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
  await page.getByRole('link', { name: 'Import file' }).click()
  await expect(page.getByLabel('CSV or Excel file')).toBeAttached()
  const billing = await open('billing', '/settings/import-export')
  await expect(billing.getByRole('link', { name: 'Receipts as Excel' })).toBeVisible()
  await expect(billing.getByRole('link', { name: 'Collections as Excel' })).toBeVisible()
  await expect(billing.getByRole('link', { name: 'Patients as Excel' })).toHaveCount(0)
})

test('exports a list and a report to Excel from their pages', async ({ open }) => {
  const page = await open('sales', '/contacts?search=a')
  await page.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export Excel, all fields' }).click()
  expect((await download).suggestedFilename()).toMatch(/^patients-.*\.xlsx$/)
})

for (const [where, format, file] of [
  ['/tasks?due=upcoming&show=everyone', 'CSV', /^tasks-.*\.csv$/],
  ['/surgeries', 'Excel', /^surgeries-.*\.xlsx$/],
  ['/appointments?view=month', 'CSV', /^appointments-.*\.csv$/],
  ['/inbox?show=unassigned', 'Excel', /^conversations-.*\.xlsx$/],
  ['/collections?show=late', 'Excel', /^outstanding-.*\.xlsx$/],
  ['/collections?tab=receipts', 'Excel', /^receipts-.*\.xlsx$/],
  ['/settings/audit-log?action=changed', 'Excel', /^audit-.*\.xlsx$/],
] as const) {
  test(`exports the current view to a file: ${where}`, async ({ open }) => {
    const page = await open('admin', where)
    const download = page.waitForEvent('download')
    await exportAs(page, format)
    expect((await download).suggestedFilename()).toMatch(file)
  })
}

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 422'] })

  test('previews a retention rule, rejects too short a period, and switches it on and off by keyboard', async ({ open }) => {
    const page = await open('admin', '/settings/retention')
    const line = card(page).getByRole('listitem').filter({ hasText: 'Inactive leads' })
    const days = line.getByLabel('Days since the lead arrived')
    await days.fill('30')
    await line.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(line.getByText('At least 180 days')).toBeVisible()
    await days.fill('3650')
    await line.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(line.getByText('0 would be deleted. Nothing has been deleted yet.')).toBeVisible()
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

test('shows how much a rule would delete before turning it on, and cancelling resets the switch', async ({ open, clinic }) => {
  await clinic.rows(
    `insert into lead_entries (source_id, raw_data, raw_body, content_type, status, received_at)
     select id, '{"email":"old@example.ca"}', '{"email":"old@example.ca"}', 'application/json', 'completed', now() - interval '5 years'
     from lead_sources limit 1`,
  )
  const page = await open('admin', '/settings/retention')
  await expect(page.getByRole('link', { name: 'Retention' })).toBeInViewport({ ratio: 1 })
  const line = card(page).getByRole('listitem').filter({ hasText: 'Raw lead form submissions' })
  const asked = page.getByRole('dialog', { name: /^Delete \d+ tonight\?$/ })
  await line.getByRole('switch').press('Space')
  await expect(asked).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(asked).toHaveCount(0)
  await expect(line.getByRole('switch')).not.toBeChecked()
  await expect(line.getByRole('switch')).toBeFocused()
  await page.keyboard.press('Space')
  await asked.getByRole('button', { name: 'Turn on' }).press('Enter')
  await expect(asked).toHaveCount(0)
  await expect(line.getByRole('switch')).toBeChecked()
  await expect(line.getByRole('switch')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(line.getByRole('switch')).not.toBeChecked()
})

test('previews and switches a rule with a fixed period by keyboard', async ({ open }) => {
  const page = await open('admin', '/settings/retention')
  const line = card(page).getByRole('listitem').filter({ hasText: 'Deleted patients' })
  await expect(line.getByRole('textbox')).toHaveCount(0)
  await line.getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(line.getByText(/^\d+ would be deleted\. Nothing has been deleted yet\.$/)).toBeVisible()
  await line.getByRole('switch').press('Space')
  await expect(line.getByRole('switch')).toBeChecked()
  await line.getByRole('switch').press('Space')
  await expect(line.getByRole('switch')).not.toBeChecked()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: retention, import and export (${colorScheme})`, async ({ open }) => {
    const page = await open('admin', '/settings/retention')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const at of ['/settings/retention', '/settings/import-export']) {
      await page.goto(at)
      await expect(page.getByRole('listitem').filter({ hasText: /Ended sessions|Receipts/ })).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
    }
  })
}

test('does not scroll horizontally at 375 px', async ({ open }) => {
  const page = await open('admin', '/settings/retention')
  await page.setViewportSize({ width: 375, height: 812 })
  for (const at of ['/settings/retention', '/settings/import-export']) {
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})

test('says how to set up backups where there are none, to administrators only', async ({ open }) => {
  const page = await open('admin', '/settings/backups')
  await expect(page.getByRole('region', { name: 'Backups', exact: true })).toContainText('Set BACKUP_TO to a folder')
  expect(await accessibilityViolations(page)).toEqual([])
  const sales = await open('sales', '/settings/backups')
  await expect(sales.getByText('your role cannot change it')).toBeVisible()
})
