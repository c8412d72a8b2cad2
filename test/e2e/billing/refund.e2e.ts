import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { addItem, chooseAccount, chooseMethod, confirmation, createCustomer, paymentDialog, takePayment } from '../pages/payment.ts'
import { sell } from '../pages/receipts.ts'

test.afterEach(({ clinic }) => {
  clinic.quickBooks.clearFaults()
  clinic.quickBooks.setOffline(false)
})

test(
  'refunds a part of a receipt and then the rest, and shows it in the list, the receipt, QuickBooks and the timeline',
  { tag: '@journey' },
  async ({ open, clinic }) => {
    const page = await open('billing', '/collections?tab=receipts')
    const sale = await sell(page)
    const before = clinic.quickBooks.refunds().length
    await page.getByRole('button', { name: sale.customer }).click()
    const drawer = page.getByRole('dialog', { name: `Receipt ${sale.number}`, exact: true })
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    const dialog = page.getByRole('dialog', { name: `Refund receipt ${sale.number}` })
    await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('113.00')
    await expect(dialog.getByRole('checkbox')).toBeChecked()
    // Invalid input is not sent.
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('113.01')
    await dialog.getByRole('button', { name: 'Refund $113.01' }).click()
    await expect(dialog.getByText('At most $113.00 is left')).toBeVisible()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('56.50')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Half was not needed')
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: 'Refund $56.50' }).click()
    await expect(page.getByText(/^Refund \d+ recorded in QuickBooks$/)).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect(drawer.getByRole('region', { name: 'Refunds' })).toContainText(/−\$56\.50.*Left to refund\$56\.50/)
    expect(clinic.quickBooks.refunds().length - before).toBe(1)
    expect(clinic.quickBooks.refunds()[0]).toMatchObject({ TotalAmt: 56.5, PrivateNote: 'Half was not needed. Paid by Visa' })

    await drawer.getByRole('button', { name: 'Refund…' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Amount' })).toHaveValue('56.50')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The rest was not needed')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    const refunds = drawer.getByRole('region', { name: 'Refunds' }).getByRole('link', { name: /^Refund \d+/ })
    await expect(refunds).toHaveCount(2)
    await expect(drawer.getByRole('button', { name: 'Refund…' })).toHaveCount(0)
    await refunds.last().click()
    const refund = page.getByRole('dialog', { name: /^Refund \d+$/ })
    await expect(refund).toContainText('The rest was not needed')
    await refund.getByRole('link', { name: 'The original receipt' }).click()
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    const rows = page.getByRole('table', { name: 'Receipts' }).getByRole('row').filter({ hasText: sale.customer })
    await expect(rows).toHaveCount(3)
    await expect(rows.last()).toContainText('Refunded')
    await page.getByRole('searchbox', { name: 'Customer or receipt number' }).fill(sale.customer)
    const totals = page.getByRole('complementary', { name: 'Totals' })
    await expect(totals).toContainText('2 of them are refunds of $113.00, taken off already.')
    await page.goto(`/contacts/${sale.contactId}`)
    const entry = page.getByRole('listitem').filter({ hasText: 'Refund receipt' }).first()
    await expect(entry).toContainText('−$56.50')
    await expect(entry).toContainText('The rest was not needed')
  },
)

test('shows receipts to the front desk but offers no refund', async ({ open }) => {
  const page = await open('frontdesk', '/collections?tab=receipts')
  const sale = await sell(page)
  await page.getByRole('button', { name: sale.customer }).click()
  await expect(page.getByRole('dialog').getByText('$113.00').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund…' })).toHaveCount(0)
})

test.describe('when QuickBooks is unavailable', () => {
  test.use({ expectedErrors: ['status of 503'] })
  test('saves a refund as pending, says so, and records it on retry', async ({ open, clinic }) => {
    const page = await open('billing', '/collections?tab=receipts')
    const sale = await sell(page)
    await page.getByRole('button', { name: sale.customer }).click()
    clinic.quickBooks.setOffline(true)
    const drawer = page.getByRole('dialog', { name: `Receipt ${sale.number}`, exact: true })
    await drawer.getByRole('button', { name: 'Refund…' }).click()
    const dialog = page.getByRole('dialog', { name: `Refund receipt ${sale.number}` })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Cancelled')
    await dialog.getByRole('button', { name: 'Refund $113.00' }).click()
    await expect(page.getByText('Refund saved as pending')).toBeVisible({ timeout: 30_000 })
    await expect(drawer.getByRole('region', { name: 'Refunds' })).toContainText('pending')
    clinic.quickBooks.setOffline(false)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Pending' }).click()
    const row = page.getByRole('listitem').filter({ hasText: sale.customer })
    await expect(row).toContainText('Refund')
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(row).toHaveCount(0)
  })
})

test('applies a payment taken for a charge to that charge', async ({ open }) => {
  const page = await open('frontdesk', '/collections')
  const customer = await createCustomer(page)
  const charge = { description: 'Rhinoplasty deposit', amountCents: 20_000, dueOn: '2026-12-01' }
  expect((await page.request.post(`/api/contacts/${customer.contactId}/charges`, { data: charge })).status()).toBe(200)
  await page.goto(`/contacts/${customer.contactId}?tab=account`)
  await page.getByRole('button', { name: 'More about Rhinoplasty deposit' }).click()
  await page.getByRole('menuitem', { name: 'Take payment…' }).click()
  const dialog = paymentDialog(page)
  await expect(dialog.getByText('Pays Rhinoplasty deposit, of which $200.00 is open. Anything over that is kept as credit.')).toBeVisible()
  await addItem(page, dialog, 'Consultation, plastic surgeon')
  await chooseAccount(page, dialog)
  await chooseMethod(dialog)
  await takePayment(dialog).click()
  await confirmation(page)
    .getByRole('button', { name: /^Create Receipt - / })
    .click()
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toBeVisible()
  await page.goto(`/contacts/${customer.contactId}?tab=account`)
  await expect(page.getByRole('list', { name: 'Charges' })).toContainText('Paid')
  await expect(page.getByText('Unapplied of $282.50')).toBeVisible()
})
