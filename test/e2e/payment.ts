import type { Locator, Page } from '@playwright/test'
import type { Clinic } from './clinic.ts'
import { expect } from './clinic.ts'

export const paymentDialog = (page: Page, name = 'Take Payment'): Locator => page.getByRole('dialog', { name, exact: true })
export const confirmation = (page: Page): Locator => paymentDialog(page, 'Payment Confirmation')

/** What the books are asked about sales receipts. */
export const receiptCalls = 'POST .*/salesreceipt'

/** A customer with an email of their own, and so with a patient. */
export async function newCustomer(page: Page): Promise<{ id: string; name: string; email: string; contactId: string }> {
  const lastName = `Tremblay${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@fastmail.example`
  const answer = await page.request.post('/api/qbo/customers/create', { data: { firstName: 'Éloïse', lastName, email } })
  const { Id, name, refyneContactId } = (await answer.json()) as { Id: string; name: string; refyneContactId: string }
  return { id: Id, name, email, contactId: refyneContactId }
}

/** A customer of the books who has no email there. */
export function withoutEmail({ books }: Clinic, after = 0): { id: string; name: string } {
  const found = books
    .customers()
    .filter((customer) => customer.PrimaryEmailAddr === undefined && customer.Active === true && customer.GivenName)
  const { Id, DisplayName } = found[after]!
  return { id: Id, name: String(DisplayName) }
}

export async function chooseCustomer(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(name)
  await page.getByRole('listbox', { name: 'Customers' }).getByRole('option', { name }).first().click()
}

export async function addItem(page: Page, dialog: Locator, name: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Items' }).fill(name)
  await page.getByRole('listbox', { name: 'Items' }).getByRole('option', { name }).first().click()
}

export async function chooseAccount(page: Page, dialog: Locator, name = 'Moneris clearing'): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Deposit to' }).click()
  await page.getByRole('option', { name }).click()
}

export const chooseWay = (dialog: Locator, name = 'Visa'): Promise<void> => dialog.getByRole('radio', { name, exact: true }).click()

/** As for someone who has not taken a payment yet: no account is chosen beforehand. */
export async function withoutLastAccount(page: Page): Promise<void> {
  await page.route('**/api/qbo/references/accounts/filtered', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...((await answer.json()) as object), lastUsedAccount: null } })
  })
}

/** Opens the dialog from the header and puts a sale of one consultation into it. */
export async function setUpSale(page: Page, customer: { name: string }): Promise<Locator> {
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await chooseCustomer(page, dialog, customer.name)
  await addItem(page, dialog, 'Consultation, plastic surgeon')
  await chooseAccount(page, dialog)
  await chooseWay(dialog)
  return dialog
}

/** Of a consultation of $250.00 with HST. */
export const consultationTotal = '$282.50'

export const takePayment = (dialog: Locator): Locator => dialog.getByRole('button', { name: /^Take Payment - / })
export const createReceipt = (page: Page): Locator => confirmation(page).getByRole('button', { name: /^Create Receipt - / })

/** The receipts that the books have of a customer. */
export const receiptsOf = ({ books }: Clinic, customer: { id: string }) =>
  books.receipts().filter(({ CustomerRef }) => (CustomerRef as { value: string }).value === customer.id)

export async function expectReceipts(clinic: Clinic, customer: { id: string }, count: number): Promise<void> {
  await expect.poll(() => receiptsOf(clinic, customer).length).toBe(count)
}
