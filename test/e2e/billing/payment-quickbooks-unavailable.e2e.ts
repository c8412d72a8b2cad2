import { expect, test } from '../support/clinic.ts'
import {
  addItem,
  chooseCustomer,
  confirmation,
  consultationTotal,
  createReceipt,
  expectReceipts,
  createCustomer,
  paymentDialog,
  receiptCalls,
  receiptsOf,
  setUpSale,
  takePayment,
} from '../pages/payment.ts'

/** The server retries this request once, so a fault must affect both. */
const bothTries = { match: receiptCalls, times: 2 }
const unconfirmed = 'Receipt not confirmed'

test.afterEach(({ clinic }) => {
  clinic.quickBooks.clearFaults()
  clinic.quickBooks.setOffline(false)
})

test('uses cached lists in set-up while QuickBooks is unavailable, shows their age, and refreshes them on request', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('503')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  clinic.quickBooks.setOffline(true)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('No such customer')
  await expect(page.getByText('No customers found for "No such customer" among those known here.')).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText(/QuickBooks does not answer. Customers, items and accounts are shown as read/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('QuickBooks was not read')).toBeVisible({ timeout: 30_000 })
  await chooseCustomer(page, dialog, customer.name)
  await addItem(page, dialog, 'Consultation, plastic surgeon')
  await expect(takePayment(dialog)).toHaveText(`Take Payment - ${consultationTotal}`)
})

test('saves a receipt as pending when QuickBooks is unavailable, and records it once on retry', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('503')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).click()
  clinic.quickBooks.fault({ kind: 'status', status: 503, ...bothTries })
  await createReceipt(page).click()
  const stopped = paymentDialog(page, unconfirmed)
  await expect(
    stopped.getByText(
      'QuickBooks does not answer. The receipt is saved as pending and will be recorded automatically. It’s safe to try again: there will only be one receipt.',
    ),
  ).toBeVisible({ timeout: 30_000 })
  await expect(stopped).toContainText(consultationTotal)
  expect(receiptsOf(clinic, customer)).toEqual([])
  await stopped.getByRole('button', { name: 'Try again' }).click()
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toBeVisible()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expectReceipts(clinic, customer, 1)
})

test('records one receipt on retry after QuickBooks is lost mid-commit, and does not allow cancelling', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('503')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).click()
  clinic.quickBooks.fault({ kind: 'dropAfter', ...bothTries })
  await createReceipt(page).click()
  const stopped = paymentDialog(page, unconfirmed)
  await expect(stopped.getByText('It’s safe to try again')).toBeVisible({ timeout: 30_000 })
  await expectReceipts(clinic, customer, 1)
  await expect(stopped.getByText('you can’t cancel it until QuickBooks responds')).toBeVisible()
  await expect(stopped.getByRole('button', { name: 'Cancel receipt' })).toHaveCount(0)
  await stopped.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expectReceipts(clinic, customer, 1)
})

test('lets a receipt that QuickBooks does not have be cancelled, edited in set-up, or kept as pending', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('503')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).click()
  clinic.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, ...bothTries })
  await createReceipt(page).click()
  const stopped = paymentDialog(page, unconfirmed)
  await stopped.getByRole('button', { name: 'Cancel receipt' }).click({ timeout: 30_000 })
  await expect(page.getByText('Receipt cancelled')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(customer.email)
  await expect(takePayment(dialog)).toHaveText(`Take Payment - ${consultationTotal}`)

  await takePayment(dialog).click()
  clinic.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, ...bothTries })
  await createReceipt(page).click()
  await stopped.getByRole('button', { name: 'Keep as pending' }).click({ timeout: 30_000 })
  await expect(page.getByText('It will be recorded in QuickBooks automatically. Until then it is listed under Collections.')).toBeVisible()
  await expect(stopped).toBeHidden()
  const { data: receipts } = (await (await page.request.get('/api/pos/receipts/pending')).json()) as {
    data: { id: string; customerId: string }[]
  }
  const pending = receipts.filter(({ customerId }) => customerId === customer.id)
  expect(pending).toHaveLength(1)
  // The server's job would do the same shortly.
  await page.request.post(`/api/pos/receipts/${pending[0]!.id}/retry`, { data: {} })
  await expectReceipts(clinic, customer, 1)
})

test('creates one receipt when the connection breaks before the response and the request is retried with the same key', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('ERR_FAILED', 'ERR_CONNECTION')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).click()
  const keys: string[] = []
  await page.route('**/api/qbo/salesreceipt/create', async (route) => {
    keys.push((route.request().postDataJSON() as { idempotencyKey: string }).idempotencyKey)
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionfailed')
  })
  await createReceipt(page).click()
  const stopped = paymentDialog(page, unconfirmed)
  await expect(
    stopped.getByText('We don’t know yet whether the receipt was created. It’s safe to try again: there will only be one receipt.'),
  ).toBeVisible()
  await stopped.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expectReceipts(clinic, customer, 1)
  expect(new Set(keys).size).toBe(1)
  expect(keys).toHaveLength(2)
})

test('returns to set-up with the reason and all input when QuickBooks rejects a receipt (spec 4, 8)', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('422')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).click()
  clinic.quickBooks.fault({ kind: 'status', status: 400, match: receiptCalls })
  await createReceipt(page).click()
  await expect(page.getByText('Failed to create sales receipt')).toBeVisible()
  await expect(dialog.getByRole('alert').filter({ hasText: 'No sales receipt was created.' })).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Cart' })).toContainText('Consultation, plastic surgeon')
  await takePayment(dialog).click()
  await createReceipt(page).click()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expectReceipts(clinic, customer, 1)
})

test('names who may reconnect QuickBooks and keeps the receipt when the connection is revoked', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('409')
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  await setUpSale(page, customer)
  await takePayment(paymentDialog(page)).click()
  await expect(confirmation(page)).toBeVisible()
  clinic.quickBooks.disconnect()
  await createReceipt(page).click()
  const stopped = paymentDialog(page, unconfirmed)
  await expect(stopped.getByText('once an administrator connects QuickBooks in Settings')).toBeVisible({ timeout: 30_000 })
  await stopped.getByRole('button', { name: 'Keep as pending' }).click()
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  await expect(paymentDialog(page).getByText('QuickBooks is not connected. An administrator can connect it in Settings.')).toBeVisible()
  await clinic.connectQuickBooks()
  await expect(paymentDialog(page).getByText('QuickBooks is not connected.')).toBeHidden()
})
