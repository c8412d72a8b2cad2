import type { Locator, Page } from '@playwright/test'
import type { Clinic } from '../support/clinic.ts'
import { expect } from '../support/clinic.ts'

export const paymentDialog = (page: Page, name = 'Take Payment'): Locator => page.getByRole('dialog', { name, exact: true })
export const confirmation = (page: Page): Locator => paymentDialog(page, 'Payment Confirmation')

/** QuickBooks requests that create sales receipts. */
export const receiptCalls = 'POST .*/salesreceipt'

/** Creates a customer with an email, and so with a patient. */
export async function createCustomer(page: Page): Promise<{ id: string; name: string; email: string; contactId: string }> {
  const lastName = `Tremblay${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@fastmail.example`
  const response = await page.request.post('/api/qbo/customers/create', { data: { firstName: 'Éloïse', lastName, email } })
  const { Id, name, refyneContactId } = (await response.json()) as { Id: string; name: string; refyneContactId: string }
  return { id: Id, name, email, contactId: refyneContactId }
}

/** A QuickBooks customer without an email. */
export function customerWithoutEmail({ quickBooks }: Clinic, index = 0): { id: string; name: string } {
  const candidates = quickBooks
    .customers()
    .filter((customer) => customer.PrimaryEmailAddr === undefined && customer.Active === true && customer.GivenName)
  const { Id, DisplayName } = candidates[index]!
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

export const chooseMethod = (dialog: Locator, name = 'Visa'): Promise<void> => dialog.getByRole('radio', { name, exact: true }).click()

/** As if the user had never taken a payment: no account is preselected. */
export async function clearLastAccount(page: Page): Promise<void> {
  await page.route('**/api/qbo/references/accounts/filtered', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...((await response.json()) as object), lastUsedAccount: null } })
  })
}

/** Opens the dialog from the header and sets up the sale of a consultation. */
export async function setUpSale(page: Page, customer: { name: string }): Promise<Locator> {
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await chooseCustomer(page, dialog, customer.name)
  await addItem(page, dialog, 'Consultation, plastic surgeon')
  await chooseAccount(page, dialog)
  await chooseMethod(dialog)
  return dialog
}

/** Total of a $250.00 consultation with HST. */
export const consultationTotal = '$282.50'

export const takePayment = (dialog: Locator): Locator => dialog.getByRole('button', { name: /^Take Payment - / })
export const createReceipt = (page: Page): Locator => confirmation(page).getByRole('button', { name: /^Create Receipt - / })

/** A customer's receipts in QuickBooks. */
export const receiptsOf = ({ quickBooks }: Clinic, customer: { id: string }) =>
  quickBooks.receipts().filter(({ CustomerRef }) => (CustomerRef as { value: string }).value === customer.id)

export async function expectReceipts(clinic: Clinic, customer: { id: string }, count: number): Promise<void> {
  await expect.poll(() => receiptsOf(clinic, customer).length).toBe(count)
}
