import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { receiptCalls } from '../pages/payment.ts'
import { addCustomer, sell, sellTo } from '../pages/receipts.ts'

const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Receipts' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const pendingOf = (page: Page, customer: string) =>
  page.getByRole('list', { name: 'Pending receipts' }).getByRole('listitem').filter({ hasText: customer })
const questionOf = (page: Page) => page.getByRole('dialog', { name: 'Cancel this receipt?' })
const newCustomer = (page: Page) => addCustomer(page, `Marchetti-${crypto.randomUUID().slice(0, 8)}`)

test.afterEach(({ clinic }) => {
  clinic.quickBooks.clearFaults()
  clinic.quickBooks.setOffline(false)
})

test('cancels a pending receipt that QuickBooks does not have, after confirmation', async ({ open, clinic }) => {
  const page = await open('billing', '/collections?tab=pending')
  const noor = await newCustomer(page)
  clinic.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, match: receiptCalls, times: 1_000 })
  await sellTo(page, noor, { status: 503 })
  const row = pendingOf(page, noor.customer)
  await expect(row).toContainText('Pending')
  const question = questionOf(page)
  await row.getByRole('button', { name: 'Cancel receipt' }).click()
  await expect(question).toContainText(`$113.00 from ${noor.customer} will not be recorded in QuickBooks.`)
  await question.getByRole('button', { name: 'Keep it' }).click()
  await expect(question).toHaveCount(0)
  await row.getByRole('button', { name: 'Cancel receipt' }).click()
  await question.getByRole('button', { name: 'Cancel receipt' }).click()
  await expect(page.getByText('Receipt cancelled')).toBeVisible()
  await expect(row).toHaveCount(0)
  clinic.quickBooks.clearFaults()
  await page.goto(`/collections?state=cancelled&search=${encodeURIComponent(noor.customer)}`)
  await expect(page.getByRole('tab', { name: 'Receipts', exact: true })).toHaveAttribute('aria-selected', 'true')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('button', { name: noor.customer }).click()
  await expect(page.getByRole('dialog')).toContainText('Cancelled')
  expect(clinic.quickBooks.receipts().filter(({ CustomerRef }) => JSON.stringify(CustomerRef).includes(noor.customer))).toEqual([])
})

test('shows QuickBooks’ reason for a rejected receipt under Pending, without retry, and what to do', async ({ open, clinic }) => {
  const page = await open('billing', '/collections?tab=pending')
  const noor = await newCustomer(page)
  clinic.quickBooks.fault({ kind: 'status', status: 400, match: receiptCalls })
  const { receiptId } = await sellTo(page, noor, { status: 422 })
  const { problem } = (await (await page.request.get(`/api/pos/receipts/${receiptId}`)).json()) as { problem: string }
  const row = pendingOf(page, noor.customer)
  await expect(row).toContainText('Refused')
  await expect(row).toContainText(`QuickBooks refused it: ${problem}`)
  await expect(row).toContainText('QuickBooks does not have it. Cancel it here and take the payment again.')
  await expect(row.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await row.getByRole('button', { name: noor.customer }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText(problem)).toBeVisible()
  await expect(drawer.getByText('$113.00')).toBeVisible()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Cancel receipt' }).click()
  await questionOf(page).getByRole('button', { name: 'Cancel receipt' }).click()
  await expect(row).toHaveCount(0)
})

test('paginates receipts by fifty and loads older ones on demand, without repeats', async ({ open }) => {
  test.setTimeout(120_000)
  const page = await open('billing', '/')
  const noor = await newCustomer(page)
  const numbers: string[] = []
  for (let created = 0; created < 104; created += 8) {
    const more = await Promise.all(Array.from({ length: Math.min(8, 104 - created) }, () => sellTo(page, noor)))
    numbers.push(...more.map(({ number }) => number!))
  }
  await page.goto(`/collections?tab=receipts&search=${encodeURIComponent(noor.customer)}`)
  await expect(page.getByRole('complementary', { name: 'Totals' }).getByRole('heading', { name: '104 receipts' })).toBeVisible()
  await expect(rows(page)).toHaveCount(50)
  const older = page.getByRole('button', { name: 'Show older' })
  await older.click()
  await expect(rows(page)).toHaveCount(100)
  await older.click()
  await expect(rows(page)).toHaveCount(104)
  await expect(older).toHaveCount(0)
  const shown = await rows(page).evaluateAll((all) => all.map(({ textContent }) => /\d+/.exec(textContent)?.[0] ?? ''))
  expect(new Set(shown)).toEqual(new Set(numbers))
  expect(shown).toHaveLength(numbers.length)
})

test('appends older receipts requested while the list is refreshing', async ({ open }) => {
  const page = await open('billing', '/')
  const noor = await newCustomer(page)
  for (let created = 0; created < 56; created += 8) await Promise.all(Array.from({ length: 8 }, () => sellTo(page, noor)))
  await page.goto(`/collections?tab=receipts&search=${encodeURIComponent(noor.customer)}`)
  await expect(rows(page)).toHaveCount(50)
  const reading = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  const isFirst = (url: URL) => url.pathname === '/api/pos/receipts' && !url.searchParams.has('cursor')
  await page.route(isFirst, async (route) => {
    reading.resolve()
    await mayGoOn.promise
    await route.continue()
  })
  await sellTo(page, noor)
  await reading.promise
  await page.getByRole('button', { name: 'Show older' }).click()
  mayGoOn.resolve()
  await expect(rows(page)).toHaveCount(57)
})

test('shows an error when older receipts fail to load, and loads them on retry', async ({ open, expectedErrors }) => {
  expectedErrors.push('status of 500')
  const page = await open('billing', '/')
  const noor = await newCustomer(page)
  for (let created = 0; created < 56; created += 8) await Promise.all(Array.from({ length: 8 }, () => sellTo(page, noor)))
  await page.goto(`/collections?tab=receipts&search=${encodeURIComponent(noor.customer)}`)
  await expect(rows(page)).toHaveCount(50)
  const isOlder = (url: URL) => url.pathname === '/api/pos/receipts' && url.searchParams.has('cursor')
  await page.route(isOlder, (route) => route.fulfill({ status: 500 }))
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(page.getByText('Couldn’t load older receipts.')).toBeVisible({ timeout: 30_000 })
  await expect(rows(page)).toHaveCount(50)
  await page.unroute(isOlder)
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(rows(page)).toHaveCount(56)
})

test('links a receipt to QuickBooks in a new window, unless it is not there', async ({ open, clinic }) => {
  const page = await open('billing', '/')
  // The response with a real QuickBooks company.
  await page.route('**/api/qbo/status', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), quickBooksUrl: 'https://app.qbo.intuit.com' } })
  })
  const sale = await sell(page)
  const { qbId } = (await (await page.request.get(`/api/pos/receipts/${sale.receiptId}`)).json()) as { qbId: string }
  expect(clinic.quickBooks.receipts().some(({ Id }) => Id === qbId)).toBe(true)
  await page.goto(`/collections?tab=receipts&receipt=${sale.receiptId}`)
  await page
    .getByRole('dialog', { name: `Receipt ${sale.number}` })
    .getByRole('button', { name: 'More about this receipt' })
    .click()
  const link = page.getByRole('menuitem', { name: 'Open in QuickBooks' })
  await expect(link).toHaveAttribute('href', `https://app.qbo.intuit.com/app/salesreceipt?txnId=${qbId}`)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')

  const noor = await newCustomer(page)
  clinic.quickBooks.fault({ kind: 'status', status: 400, match: receiptCalls })
  const { receiptId } = await sellTo(page, noor, { status: 422 })
  await page.goto(`/collections?tab=pending&receipt=${receiptId}`)
  await expect(page.getByRole('dialog').getByText('$113.00')).toBeVisible()
  await page.getByRole('button', { name: 'More about this receipt' }).click()
  await expect(page.getByRole('menuitem', { name: 'PDF in English' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Open in QuickBooks' })).toHaveCount(0)
  expect((await page.request.post(`/api/pos/receipts/${receiptId}/cancel`, { data: {} })).status()).toBe(200)
})
