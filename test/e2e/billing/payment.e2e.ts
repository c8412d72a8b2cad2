import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { SimulatedUser } from '../support/simulated-user.ts'
import {
  addItem,
  chooseAccount,
  chooseMethod,
  chooseCustomer,
  confirmation,
  consultationTotal,
  createReceipt,
  expectReceipts,
  createCustomer,
  paymentDialog,
  receiptsOf,
  setUpSale,
  clearLastAccount,
  takePayment,
  customerWithoutEmail,
} from '../pages/payment.ts'
import { sell } from '../pages/receipts.ts'

test('records a sale from an empty cart through set-up, confirmation, QuickBooks, the patient’s page and the timeline (spec 2, 4)', async ({
  open,
  clinic,
}) => {
  const page = await open('frontdesk', '/contacts')
  const customer = await createCustomer(page)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await expect(dialog.getByText('No items in cart')).toBeVisible()
  await expect(dialog.getByText('You review everything before the receipt is created.')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await chooseCustomer(page, dialog, customer.name)
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(`${customer.name} ${customer.email}`)
  await expect(dialog.getByText('Linked to patient')).toBeVisible()
  await addItem(page, dialog, 'Consultation, plastic surgeon')
  await chooseAccount(page, dialog)
  await dialog.getByRole('combobox', { name: 'Class' }).click()
  await page.getByRole('option', { name: 'Oakville Surgery' }).click()
  await dialog.getByRole('radio', { name: 'Cheque' }).click()
  await dialog.getByLabel('Memo').fill('Thank you')
  await dialog.getByRole('button', { name: `Take Payment - ${consultationTotal}` }).click()

  for (const words of ['Moneris clearing', 'Oakville Surgery', 'Cheque', 'Thank you', customer.name]) {
    await expect(confirmation(page)).toContainText(words)
  }
  await expect(confirmation(page).getByRole('list', { name: 'Items' })).toContainText('1 × $250.00 · HST ON')
  expect(receiptsOf(clinic, customer)).toEqual([])
  await confirmation(page)
    .getByRole('button', { name: `Create Receipt - ${consultationTotal}` })
    .click()

  const done = paymentDialog(page, 'Sales Receipt Created!')
  await expect(done).toContainText(consultationTotal)
  await expect(page.getByText('Sales receipt created successfully')).toBeVisible()
  const [receipt] = receiptsOf(clinic, customer)
  expect(receipt).toMatchObject({ TotalAmt: 282.5, CustomerMemo: { value: 'Thank you' }, PrivateNote: 'Paid by Cheque' })
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expect(page.getByText(new RegExp(`Sales receipt .*${String(receipt?.DocNumber)}`)).first()).toBeVisible()
  // The patient's page is open; the dialog shows the receipt until it is closed.
  await expect(done.getByRole('link', { name: 'Print' })).toHaveAttribute('href', /^\/api\/pos\/receipts\/.+\.pdf$/)
  await done.getByRole('button', { name: 'Email' }).click()
  const mail = page.getByRole('dialog', { name: `Email receipt ${String(receipt?.DocNumber)}` })
  await expect(mail).toContainText(customer.email)
  await mail.getByRole('button', { name: 'Send receipt' }).click()
  await expect(page.getByText(`Receipt sent to ${customer.email}`)).toBeVisible()
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expect(done).toBeHidden()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
})

test('totals discount and mixed tax codes to the cent, as QuickBooks does (spec 9)', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await chooseCustomer(page, dialog, customer.name)
  const lines = [
    { name: 'Rhinoplasty', price: '8200', quantity: '1' },
    { name: 'Operating room, per hour', price: '815.00', quantity: '3' },
    { name: 'Functional septoplasty', price: '1,900', quantity: '1' },
    { name: 'Silicone scar gel 15 g', price: '48.95', quantity: '2' },
  ]
  for (const { name, price, quantity } of lines) {
    await addItem(page, dialog, name)
    await dialog.getByRole('textbox', { name: `Unit price of ${name}`, exact: true }).fill(price)
    const field = dialog.getByRole('textbox', { name: `Quantity of ${name}`, exact: true })
    await field.fill(quantity)
    await field.press('Enter')
  }
  // QuickBooks lists this item as exempt.
  await expect(dialog.getByRole('combobox', { name: 'Tax code of Functional septoplasty' })).toHaveText('Exempt')
  const reason = dialog.getByRole('textbox', { name: 'Why Functional septoplasty is exempt' })
  await reason.fill('Referred, airway obstruction')
  await reason.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Exempt: Referred, airway obstruction' })).toBeVisible()
  await dialog.getByLabel('Discount').fill('5')
  await dialog.getByLabel('Discount').blur()
  await expect(dialog.getByLabel('Discount')).toHaveValue('5.00')
  for (const words of ['$12,642.90', '−$632.15', 'HST ON 13% on $10,205.75', '$1,326.75', 'Exempt on $1,805.00', '$0.00', '$13,337.50']) {
    await expect(dialog).toContainText(words)
  }
  await chooseAccount(page, dialog)
  await chooseMethod(dialog)
  await dialog.getByRole('button', { name: 'Take Payment - $13,337.50' }).click()
  await expect(confirmation(page)).toContainText('Exempt: Referred, airway obstruction')
  await confirmation(page).getByRole('button', { name: 'Create Receipt - $13,337.50' }).click()
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toBeVisible()
  expect(receiptsOf(clinic, customer)).toMatchObject([{ TotalAmt: 13_337.5, TxnTaxDetail: { TotalTax: 1_326.75 } }])
})

test('names on the button what is missing and focuses it, and enforces the cart rules (spec 4, 5)', async ({ open }) => {
  const page = await open('billing', '/contacts')
  await clearLastAccount(page)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await takePayment(dialog).click()
  for (const words of ['Choose a customer', 'No items in cart', 'Choose a deposit account', 'Choose how it was paid']) {
    await expect(dialog.getByRole('alert').filter({ hasText: words })).toBeVisible()
  }
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toBeFocused()

  await dialog.getByRole('combobox', { name: 'Items' }).fill('S')
  await expect(page.getByRole('listbox')).toBeHidden()
  await dialog.getByRole('combobox', { name: 'Items' }).fill('zzzz')
  await expect(page.getByText('No items found for "zzzz"')).toBeVisible()
  await addItem(page, dialog, 'Silicone scar gel 15 g')
  await addItem(page, dialog, 'Silicone scar gel 15 g')
  const quantity = dialog.getByRole('textbox', { name: 'Quantity of Silicone scar gel 15 g' })
  await expect(quantity).toHaveValue('2')
  const price = dialog.getByRole('textbox', { name: 'Unit price of Silicone scar gel 15 g' })
  await price.fill('forty')
  await price.blur()
  await expect(price).toHaveValue('0.00')
  await dialog.getByRole('button', { name: 'One less of Silicone scar gel 15 g' }).click()
  await dialog.getByRole('button', { name: 'One less of Silicone scar gel 15 g' }).click()
  await expect(dialog.getByText('No items in cart')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Items' })).toBeFocused()
  await addItem(page, dialog, 'Silicone scar gel 15 g')
  await quantity.fill('0')
  await quantity.press('Enter')
  await expect(dialog.getByText('No items in cart')).toBeVisible()

  await addItem(page, dialog, 'Functional septoplasty')
  await dialog.getByLabel('Discount').fill('100.01')
  await takePayment(dialog).click()
  await expect(dialog.getByText('Say why this line is exempt from tax')).toBeVisible()
  await expect(dialog.getByText('The discount must be between 0 and 100 percent, in steps of 0.01')).toBeVisible()
  await chooseCustomer(page, dialog, (await createCustomer(page)).name)
  await expect(dialog.getByText('Choose a customer')).toBeHidden()
  await takePayment(dialog).click()
  await expect(dialog.getByRole('textbox', { name: 'Why Functional septoplasty is exempt' })).toBeFocused()
  await dialog.getByRole('combobox', { name: 'Tax code of Functional septoplasty' }).click()
  await page.getByRole('option', { name: 'HST ON' }).click()
  await takePayment(dialog).click()
  await expect(dialog.getByRole('radio', { name: 'Visa' })).toBeFocused()
  await chooseMethod(dialog)
  await takePayment(dialog).click()
  await expect(dialog.getByRole('combobox', { name: 'Deposit to' })).toBeFocused()
  await chooseAccount(page, dialog)
  await takePayment(dialog).click()
  await expect(dialog.getByLabel('Discount')).toBeFocused()
  await dialog.getByLabel('Discount').fill('100')
  await dialog.getByRole('button', { name: 'Take Payment - $0.00' }).click()
  await expect(confirmation(page)).toBeVisible()

  // Cancel returns to the set-up with all input. There, Escape and Cancel ask before they discard the cart.
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByLabel('Discount')).toHaveValue('100.00')
  await expect(takePayment(dialog)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard cart' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  await expect(dialog.getByText('No items in cart')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toHaveValue('')
})

test('requires first name, last name and email for a new customer, and selects the created one (spec 2, 5)', async ({
  open,
  clinic,
  expectedErrors,
}) => {
  expectedErrors.push('503')
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await dialog.getByRole('button', { name: 'Add New Customer' }).click()
  const form = paymentDialog(page, 'Add New Customer')
  await form.getByLabel('First name').fill('Noor')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(form.getByText('First name, last name, and email are required for POS customers')).toBeVisible()
  await expect(form.getByLabel('Last name')).toBeFocused()
  const lastName = `Haddad${crypto.randomUUID().slice(0, 8)}`
  await form.getByLabel('Last name').fill(lastName)
  await form.getByLabel('Email').fill('noor@')
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(form.getByText('Please enter a valid email address')).toBeVisible()
  await form.getByLabel('Email').fill(`${lastName.toLowerCase()}@example.com`)
  clinic.quickBooks.setOffline(true)
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByText('Failed to create customer')).toBeVisible({ timeout: 30_000 })
  await expect(form.getByText('QuickBooks does not answer. Please try again in a moment.')).toBeVisible()
  clinic.quickBooks.setOffline(false)
  await form.getByRole('button', { name: 'Create customer' }).click()
  await expect(page.getByText('Customer created successfully')).toBeVisible()
  await expect(form).toBeHidden()
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(`Noor ${lastName}`)
  await expect(dialog.getByText('Linked to patient')).toBeVisible()
})

test('selects a customer without email only after one is added (spec 5)', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const { id, name } = customerWithoutEmail(clinic)
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(name)
  await page.getByRole('option', { name: `${name} No email yet`, exact: true }).click()
  const form = paymentDialog(page, `Add Email for ${name}`)
  await form.getByRole('button', { name: 'Add email' }).click()
  await expect(form.getByText('Email is required')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(name)
  await page.getByRole('option', { name: `${name} No email yet`, exact: true }).click()
  const email = `added.${crypto.randomUUID().slice(0, 8)}@example.com`
  await form.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Customer email updated and synced with Refyne')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(email)
  expect(clinic.quickBooks.customers().find(({ Id }) => Id === id)).toMatchObject({ PrimaryEmailAddr: { Address: email } })

  // Found by that address from now on.
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await dialog.getByRole('radio', { name: 'Email' }).click()
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(email)
  await expect(page.getByRole('option')).toHaveText([new RegExp(email)])
})

test('preselects the customer on a patient’s page, and offers a new customer if the patient has none', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  await page.goto(`/contacts/${customer.contactId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take Payment' }).click()
  await expect(paymentDialog(page).getByRole('group', { name: 'Customer' })).toContainText(customer.email)
  await expect(paymentDialog(page).getByRole('combobox', { name: 'Items' })).toBeFocused()
  await page.keyboard.press('Escape')

  const created = await page.request.post('/api/contacts', { data: { firstName: 'Odile', lastName: 'Beaulieu' } })
  const { id } = (await created.json()) as { id: string }
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take Payment' }).click()
  await expect(paymentDialog(page).getByText('Odile Beaulieu is not in QuickBooks yet.')).toBeVisible()
  await expect(paymentDialog(page).getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await paymentDialog(page).getByRole('button', { name: 'Add New Customer' }).click()
  await expect(paymentDialog(page, 'Add New Customer').getByLabel('First name')).toHaveValue('Odile')
})

test('finds a patient who is not in QuickBooks yet and adds them there (issue 29)', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const lastName = `Desrosiers${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@example.com`
  const created = await page.request.post('/api/contacts', { data: { firstName: 'Sanjay', lastName, email } })
  const { id } = (await created.json()) as { id: string }
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(lastName)
  await page
    .getByRole('group', { name: 'Patients' })
    .getByRole('option', { name: `Sanjay ${lastName} ${email}` })
    .click()
  await expect(dialog.getByText(`Sanjay ${lastName} is not in QuickBooks yet.`)).toBeVisible()
  // Taking the payment before that names what to do first, and keeps the patient in sight.
  await takePayment(dialog).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Create Sanjay in QuickBooks first' })).toBeVisible()
  await expect(dialog.getByText(`Sanjay ${lastName} is not in QuickBooks yet.`)).toBeVisible()
  await expect(dialog.getByText('Choose a customer')).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Create in QuickBooks' })).toBeFocused()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create in QuickBooks' }).click()
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(email)

  // Then they are a customer who is found as such, and listed once.
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(lastName)
  await expect(page.getByRole('option')).toHaveCount(1)
  const linked = await page.request.get(`/api/pos/contacts/${id}/customer`)
  expect(await linked.json()).toMatchObject({ customer: { email, refyneContactId: id } })
})

test('takes a payment from a patient without QuickBooks in at most 6 actions', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  // This user has taken a payment before, so the account is preselected.
  await sell(page, { account: 'Moneris clearing' })
  const lastName = `Bouchard${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@fastmail.example`
  const created = await page.request.post('/api/contacts', { data: { firstName: 'Maëlle', lastName, email } })
  const { id } = (await created.json()) as { id: string }
  await page.goto(`/contacts/${id}`)
  await expect(page.getByRole('heading', { name: `Maëlle ${lastName}` })).toBeVisible()
  const user = new SimulatedUser(page)
  const dialog = paymentDialog(page)
  await user.click(page.getByRole('banner').getByRole('button', { name: 'Take Payment', exact: true }))
  await expect(dialog.getByText(`Maëlle ${lastName} is not in QuickBooks yet.`)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Create in QuickBooks' }))
  await expect(dialog.getByRole('group', { name: 'Customer' })).toContainText(email)
  await expect(dialog.getByRole('combobox', { name: 'Items' })).toBeFocused()
  await user.type('consultation, plastic')
  await expect(page.getByRole('option', { name: 'Consultation, plastic surgeon' })).toHaveAttribute('aria-selected', 'true')
  await user.press('Enter')
  await user.click(dialog.getByRole('radio', { name: 'Visa' }))
  await user.click(takePayment(dialog))
  await user.click(createReceipt(page))
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toContainText(consultationTotal)
  expect(user.effort.clicks + user.effort.keys).toBeLessThanOrEqual(6)
  expect(clinic.quickBooks.receipts().filter(({ CustomerRef }) => JSON.stringify(CustomerRef).includes(lastName))).toHaveLength(1)
  await expect(page).toHaveURL(`/contacts/${id}`)
})

test('hides payments from roles without them, and offers them to others in the palette (spec 6)', async ({ open }) => {
  const page = await open('provider', '/contacts')
  await expect(page.getByRole('button', { name: 'Create Task' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take Payment' })).toHaveCount(0)
  const patientPage = await open('billing', '/contacts')
  for (const each of [page, patientPage]) {
    await expect(each.getByRole('table', { name: 'Patients' })).toBeVisible()
    await each.keyboard.press('Control+k')
    await each.keyboard.type('take pay')
  }
  await expect(patientPage.getByRole('option', { name: 'Take Payment' })).toBeVisible()
  await expect(page.getByRole('option', { name: 'Take Payment' })).toHaveCount(0)
  await patientPage.keyboard.press('Enter')
  await expect(paymentDialog(patientPage)).toBeVisible()
})

test('shows an error without clearing accounts, and preselects the only one (spec 2)', async ({ open }) => {
  const page = await open('sales', '/contacts')
  let accounts: { Id: string; Name: string }[] = []
  await page.route('**/api/qbo/references/accounts/filtered', (route) =>
    route.fulfill({ json: { accounts, readAt: new Date().toISOString(), isUnavailable: false } }),
  )
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  const dialog = paymentDialog(page)
  await expect(dialog.getByText('No clearing accounts found. Please check your QuickBooks setup.')).toBeVisible()
  accounts = [{ Id: '6', Name: 'Moneris clearing' }]
  await page.reload()
  await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
  await expect(dialog.getByRole('combobox', { name: 'Deposit to' })).toHaveText('Moneris clearing')
})

test('shows a QuickBooks total that differs from the confirmed one until it is acknowledged', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  await takePayment(await setUpSale(page, customer)).click()
  await page.route('**/api/qbo/salesreceipt/create', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...((await response.json()) as object), differenceCents: -2 } })
  })
  await createReceipt(page).click()
  const done = paymentDialog(page, 'Sales Receipt Created!')
  await expect(done.getByText('QuickBooks’ own total is $282.48.')).toBeVisible()
  await expect(done.getByText('That is $0.02 less than what was confirmed.')).toBeVisible()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expect(done).toBeVisible()
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expect(done).toBeHidden()
  await expectReceipts(clinic, customer, 1)
})

test('creates one receipt on a double click of either button and on a double Enter', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await takePayment(dialog).dblclick()
  await expect(confirmation(page)).toBeVisible()
  await createReceipt(page).dblclick()
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toBeVisible()
  await expectReceipts(clinic, customer, 1)
  await paymentDialog(page, 'Sales Receipt Created!').getByRole('button', { name: 'Close' }).last().click()
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)

  const another = await createCustomer(page)
  // On a patient's page the dialog would preselect them.
  await page.goto('/contacts')
  await setUpSale(page, another)
  await page.keyboard.press('Control+Enter')
  await createReceipt(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/contacts/${another.contactId}`)
  await expectReceipts(clinic, another, 1)
})

test('records a sale by keyboard only', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  await clearLastAccount(page)
  const customer = await createCustomer(page)
  await expect(page.getByRole('table', { name: 'Patients' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('take payment')
  await expect(page.getByRole('option', { name: 'Take Payment' })).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = paymentDialog(page)
  await expect(dialog.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  await page.keyboard.type(customer.name)
  await expect(page.getByRole('option', { name: customer.name })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Items' })).toBeFocused()
  await page.keyboard.type('Silicone scar gel')
  await expect(page.getByRole('option', { name: 'Silicone scar gel 15 g' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('list', { name: 'Cart' })).toContainText('Silicone scar gel 30 g')
  await expect(dialog.getByRole('combobox', { name: 'Items' })).toBeFocused()
  // Tab to the price and past it.
  for (const _ of ['gift card', 'package', 'store credit', 'one less', 'quantity', 'one more', 'price']) await page.keyboard.press('Tab')
  await page.keyboard.type('100')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('radio', { name: 'Visa' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'Mastercard' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('combobox', { name: 'Deposit to' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Moneris')
  await page.keyboard.press('Enter')
  // The list is closed, and its button has the focus again.
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
  await expect(dialog.getByRole('combobox', { name: 'Deposit to' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(confirmation(page)).toContainText('$113.00')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(createReceipt(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
  await expectReceipts(clinic, customer, 1)
})
