import { textOfPdf } from '../../formats/pdf.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import {
  addItem,
  chooseAccount,
  chooseCustomer,
  chooseMethod,
  confirmation,
  createCustomer,
  expectReceipts,
  paymentDialog,
  takePayment,
} from '../pages/payment.ts'

test('sells a gift card at the desk and pays with it, the rest by Visa (issue 29)', { tag: '@journey' }, async ({ open, clinic }) => {
  const page = await open('frontdesk', '/contacts')
  const customer = await createCustomer(page)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await chooseCustomer(page, dialog, customer.name)
  await dialog.getByRole('button', { name: 'Add gift card' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Unit price of Gift card' })).toBeFocused()
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await chooseAccount(page, dialog)
  await chooseMethod(dialog)
  await dialog.getByRole('textbox', { name: 'Unit price of Gift card' }).fill('0')
  await page.keyboard.press('Enter')
  await takePayment(dialog).click()
  await expect(dialog.getByText('Enter an amount of at least $0.01')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Unit price of Gift card' })).toBeFocused()
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await expect(takePayment(dialog)).toHaveText('Take Payment - $100.00')
  await takePayment(dialog).click()
  await confirmation(page).getByRole('button', { name: 'Create Receipt - $100.00' }).click()
  const complete = paymentDialog(page, 'Sales Receipt Created!')
  const shown = await complete.getByRole('textbox', { name: 'Gift card of $100.00' }).inputValue()
  await expectReceipts(clinic, customer, 1)
  await complete.getByRole('button', { name: 'Close', exact: true }).last().click()

  // The code is stored sealed: the receipt that was printed has it.
  const [sold] = await clinic.rows<{ id: string }>('select id from sales_receipts where customer_id = $1', [customer.id])
  const printed = await page.request.get(`/api/pos/receipts/${sold!.id}.pdf`)
  const code = /[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}/.exec((await textOfPdf(new Uint8Array(await printed.body()))).join(' '))![0]

  expect(shown).toBe(code)

  await page.goto(`/contacts/${customer.contactId}?tab=account`)
  const cards = page.getByRole('list', { name: 'Gift cards, packages and credit', exact: true })
  await expect(cards).toContainText('Does not expire')
  // The patient's page is open, so the customer is chosen.
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const sale = paymentDialog(page)
  await addItem(page, sale, 'Consultation, plastic surgeon')
  await chooseAccount(page, sale)
  await chooseMethod(sale)
  await sale.getByRole('textbox', { name: 'Gift card' }).fill(code.toLowerCase())
  await sale.getByRole('button', { name: 'Apply' }).click()
  await expect(sale.getByRole('list', { name: 'Paid with gift cards and credit' })).toContainText('$100.00')
  expect(await accessibilityViolations(page)).toEqual([])
  // What the card pays in full needs no other way to pay.
  await sale.getByLabel('Discount').fill('70')
  await expect(takePayment(sale)).toHaveText('Take Payment - $0.00')
  await expect(sale.getByRole('radiogroup', { name: 'Paid by' })).toBeHidden()
  await expect(sale.getByRole('combobox', { name: 'Deposit to' })).toBeHidden()
  await sale.getByLabel('Discount').fill('')
  await expect(sale.getByRole('radio', { name: 'Visa' })).toBeChecked()
  await expect(takePayment(sale)).toHaveText('Take Payment - $182.50')
  await takePayment(sale).click()
  await confirmation(page).getByRole('button', { name: 'Create Receipt - $182.50' }).click()
  const paid = paymentDialog(page, 'Sales Receipt Created!').locator('dl > div')
  await expect(paid).toHaveText(['Total$282.50', `Gift card ending in ${code.slice(-4)}$100.00`, 'Visa$182.50'])
  await expectReceipts(clinic, customer, 2)
  expect(clinic.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 182.5, PrivateNote: 'Paid by Visa' })
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Quotes and payments' }).click()
  await expect(cards).toContainText(`Gift card ending in ${code.slice(-4)}`)
  await expect(cards).toContainText('Used up')
  const payments = page.getByRole('list', { name: 'Payments', exact: true })
  await expect(payments).toContainText(`Gift card ending in ${code.slice(-4)} $100.00, Visa $182.50`)
  const headings = await page.getByRole('heading', { level: 3 }).allTextContents()
  expect(headings[headings.indexOf('Deposits and credits') + 1]).toBe('Gift cards, packages and credit')
  expect(await accessibilityViolations(page)).toEqual([])
})
