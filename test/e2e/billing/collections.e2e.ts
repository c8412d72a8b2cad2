import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { exportAs } from '../support/export.ts'
import { addCustomer, sell, sellTo } from '../pages/receipts.ts'

const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Receipts' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const rowOf = (page: Page, customer: string) => rows(page).filter({ hasText: customer })
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('lists a sale immediately, keeps filters in the URL, and applies them to the totals and the export', async ({ open }) => {
  const page = await open('billing', '/collections')
  await expect(page.getByRole('tab', { name: /^Outstanding/ })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Receipts', exact: true }).click()
  const noor = await addCustomer(page, `Vasquez-${crypto.randomUUID().slice(0, 8)}`)
  await sellTo(page, noor, { method: 'Visa', memo: '=1+1' })
  const { number } = await sellTo(page, noor, { method: 'Debit', account: 'Stripe clearing' })
  await expect(rowOf(page, noor.customer)).toHaveCount(2)
  await expect(rowOf(page, noor.customer).first()).toContainText('Debit')
  await expect(rowOf(page, noor.customer).first()).toContainText('$113.00')

  await page.getByRole('searchbox', { name: 'Customer or receipt number' }).fill(noor.customer)
  const totals = page.getByRole('complementary', { name: 'Totals' })
  await expect(totals.getByRole('heading', { name: '2 receipts' })).toBeVisible()
  await expect(totals).toContainText('HST ON 13% on $200.00')
  await expect(totals).toContainText('$226.00')
  await expect(totals.getByRole('listitem').filter({ hasText: 'Stripe clearing' })).toContainText('Debit × 1')

  await choose(page, 'Payment method', 'Visa')
  await expect(totals.getByRole('heading', { name: '1 receipt' })).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  expect(new URL(page.url()).searchParams.get('method')).toBe('Visa')
  const download = page.waitForEvent('download')
  await exportAs(page, 'CSV')
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^receipts-\d{4}-\d{2}-\d{2}\.csv$/)
  const text = fs.readFileSync(await file.path(), 'utf8')
  expect(text.trimEnd().split('\r\n')).toHaveLength(2)
  expect(text).toContain(",'=1+1,")

  // A search by number ignores the filters.
  await page.goto(`/collections?search=${number}`)
  await expect(rowOf(page, noor.customer)).toHaveCount(1)
  await page.goto('/collections?search=no-such-customer')
  await expect(page.getByText('Filters are on: “no-such-customer”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rowOf(page, noor.customer).first()).toBeVisible()
})

test('opens a receipt with its lines, taxes, author and time, by keyboard too, and links to the patient', async ({ open }) => {
  const page = await open('frontdesk', '/collections?tab=receipts')
  const sale = await sell(page, { memo: 'Thank you' })
  const button = page.getByRole('button', { name: sale.customer })
  await expect(button).toBeVisible()
  await page.keyboard.press('j')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: `Receipt ${sale.number}` })
  await expect(drawer).toContainText('by Theo Lindgren')
  await expect(drawer).toContainText('HST ON 13% on $100.00')
  await expect(drawer).toContainText('$113.00')
  await expect(drawer).toContainText('Thank you')
  // This clinic is connected to a simulator, which cannot be opened at Intuit.
  await expect(drawer.getByRole('link', { name: 'Open in QuickBooks' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(button).toBeFocused()
  await button.click()
  await drawer.getByRole('link', { name: sale.customer }).click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${sale.contactId}`))
  const entry = page.getByRole('listitem').filter({ hasText: `Sales receipt ${sale.number}` })
  await expect(entry).toContainText('$113.00')
  await expect(entry).toContainText('Visa')
  await expect(entry).toContainText('By Theo Lindgren')
})

test('shows a different total in QuickBooks on the row, in the totals and on the receipt', async ({ open, clinic }) => {
  const page = await open('billing', '/collections?tab=receipts')
  await page.route('**/api/pos/receipts**', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({
      response,
      body: text.replaceAll('"differenceCents":null', '"differenceCents":-100').replace('"differing":0', '"differing":1'),
    })
  })
  const sale = await sell(page)
  expect(clinic.quickBooks.receipts().length).toBeGreaterThan(0)
  await page.reload()
  await expect(rowOf(page, sale.customer)).toContainText('QuickBooks’ own total is $1.00 less than this one.')
  await expect(page.getByRole('complementary', { name: 'Totals' })).toContainText('One receipt has another total in QuickBooks.')
  await page.getByRole('button', { name: sale.customer }).click()
  await expect(page.getByRole('dialog').getByText('QuickBooks’ own total is $1.00 less than this one.')).toBeVisible()
})

test('prints only the day-end summary', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  await sell(page)
  await expect(page.getByRole('complementary', { name: 'Totals' }).getByRole('button', { name: 'Print' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Harbourview, day-end summary' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('table', { name: 'Receipts' })).toBeHidden()
})

test.describe('when QuickBooks is unavailable', () => {
  test.use({ expectedErrors: ['status of 503'] })
  test.afterEach(({ clinic }) => clinic.quickBooks.setOffline(false))

  test('counts a pending receipt on its tab, shows the problem, and completes it on retry', async ({ open, clinic }) => {
    const page = await open('billing', '/collections?tab=receipts')
    const noor = await addCustomer(page, `Vasquez-${crypto.randomUUID().slice(0, 8)}`)
    clinic.quickBooks.setOffline(true)
    await sellTo(page, noor, { status: 503 })
    await expect(page.getByRole('tab', { name: /Pending 1 pending receipts/ })).toBeVisible()
    await page.getByRole('tab', { name: /Pending/ }).click()
    const row = page.getByRole('list', { name: 'Pending receipts' }).getByRole('listitem').filter({ hasText: noor.customer })
    await expect(row).toContainText('$113.00')
    await expect(row).toContainText(/Tried once, next try/)
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Receipt not recorded yet')).toBeVisible({ timeout: 30_000 })
    await expect(row).toContainText(/Tried \d+ times/)
    clinic.quickBooks.setOffline(false)
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(/^Receipt .+ recorded in QuickBooks$/)).toBeVisible()
    await expect(row).toHaveCount(0)
    await page.getByRole('tab', { name: 'Receipts', exact: true }).click()
    await expect(rowOf(page, noor.customer)).toHaveCount(1)
    expect(clinic.quickBooks.receipts().filter(({ CustomerRef }) => JSON.stringify(CustomerRef).includes(noor.customer))).toHaveLength(1)
  })
})

test('hides payments from providers', async ({ open }) => {
  const page = await open('provider', '/collections')
  await expect(page.getByRole('heading', { name: 'Providers see no payments' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
})

test('fits a 375 px phone: no horizontal scrolling, expandable totals, a full-screen receipt', async ({ open }) => {
  const page = await open('billing', '/collections?tab=receipts')
  await page.setViewportSize({ width: 375, height: 812 })
  const sale = await sell(page)
  const item = page.getByRole('list', { name: 'Receipts' }).getByRole('button', { name: sale.customer })
  await expect(item).toBeVisible()
  expect(Math.round((await item.boundingBox())!.height)).toBeGreaterThanOrEqual(44)
  const fold = page.getByRole('region', { name: 'Totals' })
  await fold.getByRole('button', { name: /receipt/ }).click()
  await expect(fold.getByText('Subtotal')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await item.click()
  const drawer = page.getByRole('dialog', { name: `Receipt ${sale.number}` })
  await expect(drawer.getByText('Subtotal')).toBeVisible()
  expect((await drawer.boundingBox())!.width).toBeCloseTo(375, 0)
  expect(Math.round((await drawer.getByRole('button', { name: 'Close' }).boundingBox())!.width)).toBeGreaterThanOrEqual(36)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: /collections (${colorScheme})`, async ({ open }) => {
    const page = await open('billing', '/collections?tab=receipts')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const sale = await sell(page)
    const check = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await expect(rowOf(page, sale.customer)).toBeVisible()
    await check()
    await page.getByRole('button', { name: sale.customer }).click()
    await expect(page.getByRole('dialog').getByText('Subtotal')).toBeVisible()
    await check()
    await page.goto('/collections?tab=pending')
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await check()
    await page.goto(`/contacts/${sale.contactId}`)
    await expect(page.getByText(`Sales receipt ${sale.number}`)).toBeVisible()
    await check()
  })
}
