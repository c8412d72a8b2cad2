import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { dayFromNow } from '../pages/appointments.ts'
import { expect, test } from '../support/clinic.ts'
import { addCustomer, sellTo } from '../pages/receipts.ts'

const createPatient = (page: Page) => addCustomer(page, `Okafor-${crypto.randomUUID().slice(0, 8)}`)
type Patient = Awaited<ReturnType<typeof createPatient>>

/** Adds a charge over the API: $1,000.00, due today. */
async function addCharge(page: Page, { contactId }: Patient, given: Record<string, unknown> = {}): Promise<void> {
  const data = { description: 'Rhinoplasty', amountCents: 100_000, dueOn: dayFromNow(0), ...given }
  const response = await page.request.post(`/api/contacts/${contactId}/charges`, { data })
  expect(response.status(), await response.text()).toBe(200)
}

const accountOf = (page: Page) => page.getByRole('tabpanel', { name: 'Quotes and payments' })
const openAccount = async (page: Page, { contactId }: Patient) => {
  await page.goto(`/contacts/${contactId}?tab=account`)
  await expect(accountOf(page).getByRole('button', { name: 'Take payment' })).toBeVisible()
}
const chargesOf = (page: Page) => accountOf(page).getByRole('list', { name: 'Charges' }).getByRole('listitem')
const more = async (page: Page, what: string, item: string) => {
  await page.getByRole('button', { name: `More about ${what}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const rowOf = (page: Page, { customer }: Patient) =>
  page.getByRole('table', { name: 'Outstanding balances' }).getByRole('row').filter({ hasText: customer })

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409', 'status of 422'] })

  test('adds a charge in three instalments, applies and unapplies a receipt, and writes off a part, updating the balance', async ({
    open,
  }) => {
    const page = await open('billing', '/')
    const noor = await createPatient(page)
    await openAccount(page, noor)
    await expect(accountOf(page).getByText('No charges yet.')).toBeVisible()

    await accountOf(page).getByRole('button', { name: 'Add charge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add charge' })
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog.getByText('Enter a description')).toBeVisible()
    await expect(dialog.getByText('Enter an amount of at least $0.01')).toBeVisible()
    await expect(dialog.getByLabel('Description')).toBeFocused()
    await dialog.getByLabel('Description').fill('Rhinoplasty')
    await dialog.getByLabel('Amount', { exact: true }).fill('1,000')
    await dialog.getByRole('checkbox', { name: 'In instalments' }).check()
    await dialog.getByLabel('Instalments', { exact: true }).fill('3')
    await expect(dialog.getByLabel('Amount of instalment 1')).toHaveValue('333.34')
    await expect(dialog.getByLabel('Amount of instalment 3')).toHaveValue('333.33')
    // Edited instalments must still sum to the amount.
    await dialog.getByLabel('Amount of instalment 1').fill('400')
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog.getByText('The instalments must sum to the amount. They sum to $1,066.66.')).toBeVisible()
    await dialog.getByLabel('Amount of instalment 3').fill('266.67')
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(chargesOf(page).first()).toContainText('3 instalments from')
    await expect(accountOf(page).getByText('Outstanding charges')).toBeVisible()

    // A receipt created elsewhere appears as a deposit without a reload.
    const { number } = await sellTo(page, noor, { isDeposit: true })
    await accountOf(page)
      .getByRole('button', { name: `Apply Receipt ${number}` })
      .click()
    const apply = page.getByRole('dialog', { name: 'Apply $113.00?' })
    await expect(apply.getByRole('list', { name: 'Destination' })).toContainText('Rhinoplasty$113.00')
    await apply.getByRole('button', { name: 'Apply $113.00' }).click()
    await expect(chargesOf(page).first()).toContainText('$887.00 open')

    await accountOf(page)
      .getByRole('button', { name: `Unapply Receipt ${number}` })
      .click()
    const unapplyDialog = page.getByRole('dialog', { name: 'Unapply payment' })
    await unapplyDialog.getByLabel('Amount').fill('113.01')
    await unapplyDialog.getByRole('button', { name: 'Unapply payment' }).click()
    await expect(unapplyDialog.getByText('At most $113.00 is outstanding')).toBeVisible()
    await unapplyDialog.getByLabel('Amount').fill('13')
    await unapplyDialog.getByRole('button', { name: 'Unapply payment' }).click()
    await expect(chargesOf(page).first()).toContainText('$900.00 open')

    await more(page, 'Rhinoplasty', 'Apply a deposit…')
    const part = page.getByRole('dialog', { name: 'Apply a deposit' })
    await expect(part.getByLabel('Amount')).toHaveValue('13.00')
    await part.getByLabel('Amount').fill('20')
    await part.getByRole('button', { name: 'Apply deposit' }).click()
    await expect(part.getByText('At most $13.00 is outstanding')).toBeVisible()
    await expect(part.getByLabel('Amount')).toBeFocused()
    await part.getByLabel('Amount').fill('10')
    await part.getByRole('button', { name: 'Apply deposit' }).click()
    await expect(chargesOf(page).first()).toContainText('$890.00 open')

    await more(page, 'Rhinoplasty', 'Write off…')
    const writeOffDialog = page.getByRole('dialog', { name: 'Write off?' })
    await writeOffDialog.getByLabel('Amount').fill('90')
    await writeOffDialog.getByRole('button', { name: 'Write off $90.00' }).click()
    await expect(writeOffDialog.getByText('Reason is required')).toBeVisible()
    await writeOffDialog.getByLabel('Reason').fill('Goodwill')
    await writeOffDialog.getByRole('button', { name: 'Write off $90.00' }).click()
    await expect(chargesOf(page).first()).toContainText('$800.00 open')
    const history = accountOf(page).getByRole('list', { name: 'History' }).getByRole('listitem')
    await expect(history.first()).toContainText('Write-off: Goodwill')
    await expect(history.first()).toContainText('−$90.00')
    await expect(history).toHaveCount(5)

    await more(page, 'Rhinoplasty', 'Change due dates…')
    const days = page.getByRole('dialog', { name: 'Change due dates' })
    await days.getByRole('checkbox', { name: 'In instalments' }).uncheck()
    await days.getByRole('checkbox', { name: 'Due before surgery' }).check()
    await days.getByLabel('Due on').fill('2030-03-01')
    await days.getByRole('button', { name: 'Save due dates' }).click()
    await expect(chargesOf(page).first()).toContainText('Due Mar 1, 2030 · before surgery')
  })

  test('voids a charge with a reason, and refuses to void one that was paid in the meantime', async ({ open }) => {
    const page = await open('billing', '/')
    const noor = await createPatient(page)
    await addCharge(page, noor)
    const { receiptId } = await sellTo(page, noor)
    await openAccount(page, noor)
    await more(page, 'Rhinoplasty', 'Void…')
    const dialog = page.getByRole('dialog', { name: 'Void this charge?' })
    await dialog.getByLabel('Reason').fill('Twice')
    await page.request.post(`/api/contacts/${noor.contactId}/payments`, { data: { receiptId } })
    await dialog.getByRole('button', { name: 'Void charge' }).click()
    await expect(dialog.getByText('Part of this charge has already been paid or written off')).toBeVisible()
    await expect(dialog.getByLabel('Reason')).toHaveValue('Twice')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await addCharge(page, noor, { description: 'Consultation', amountCents: 5_000 })
    await more(page, 'Consultation', 'Void…')
    await dialog.getByLabel('Reason').fill('Entered twice')
    await dialog.getByRole('button', { name: 'Void charge' }).click()
    await expect(chargesOf(page).filter({ hasText: 'Consultation' })).toContainText('Void')
    await expect(accountOf(page)).toContainText('$887.00')
  })
})

test('lists late accounts first, then balances due before surgery, keeps filters in the URL, and records promises and holds', async ({
  open,
}) => {
  const page = await open('frontdesk', '/collections?tab=outstanding')
  const [late, current, surgery] = [await createPatient(page), await createPatient(page), await createPatient(page)]
  await addCharge(page, current, { dueOn: dayFromNow(20) })
  await addCharge(page, late, { dueOn: dayFromNow(-95), amountCents: 12_345 })
  await addCharge(page, surgery, { dueOn: dayFromNow(10), isBeforeSurgery: true })
  await expect(page.getByRole('tab', { name: /^Outstanding \d+$/ })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, late)).toContainText('$123.45')
  await expect(rowOf(page, late)).toContainText('95 days late')
  const table = page.getByRole('table', { name: 'Outstanding balances' })
  const names = [late, surgery, current].map(({ customer }) => customer)
  await expect
    .poll(async () => (await table.getByRole('row').allInnerTexts()).flatMap((text) => names.filter((name) => text.includes(name))))
    .toEqual(names)

  await rowOf(page, surgery).click()
  const drawer = page.getByRole('dialog', { name: surgery.customer })
  await drawer.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: 'Hold surgery…' }).click()
  await page.getByRole('dialog', { name: 'Hold the surgery?' }).getByRole('button', { name: 'Hold surgery' }).click()
  await expect(drawer.getByText('Surgery on hold').first()).toBeVisible()
  await drawer.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: 'Promise to pay…' }).click()
  const promise = page.getByRole('dialog', { name: 'Promise to pay' })
  await expect(promise.getByLabel('Amount')).toHaveValue('1,000.00')
  await promise.getByRole('button', { name: 'Save promise' }).click()
  await expect(promise.getByText('Due date is required')).toBeVisible()
  await promise.getByLabel('By').fill(dayFromNow(3))
  await promise.getByLabel('Note').fill('By e-transfer')
  await promise.getByRole('button', { name: 'Save promise' }).click()
  await expect(drawer.getByRole('list', { name: 'Notes' }).getByRole('listitem').first()).toContainText('By e-transfer')
  // Roles that do not keep the books cannot write off charges.
  await drawer.getByRole('button', { name: 'More about Rhinoplasty' }).click()
  await expect(page.getByRole('menuitem', { name: 'Change due dates…' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Write off…' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  // The reminder is a task for this patient.
  await drawer.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: 'Reminder task…' }).click()
  const task = page.getByRole('dialog', { name: 'Create New Task' })
  await expect(task).toContainText(surgery.customer)
  await task.getByRole('button', { name: 'Close' }).click()
  await drawer.getByRole('button', { name: 'Take payment' }).click()
  await expect(page.getByRole('dialog', { name: 'Take Payment' })).toContainText(surgery.customer)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(rowOf(page, surgery)).toContainText('On hold')

  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'On hold' }).click()
  await expect(page).toHaveURL(/show=held/)
  await expect(rowOf(page, surgery)).toBeVisible()
  await expect(rowOf(page, late)).toHaveCount(0)
  // An ageing bucket filters the list and is kept in the URL.
  await page.goto('/collections?tab=outstanding')
  await page.getByRole('button', { name: '90+ days' }).click()
  await expect(page).toHaveURL(/age=over90/)
  await expect(rowOf(page, late)).toBeVisible()
  await expect(rowOf(page, surgery)).toHaveCount(0)
  await expect(page.getByRole('button', { name: '90+ days' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`/collections?tab=outstanding&show=promised&accountOf=${surgery.contactId}`)
  await drawer.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: 'Release hold…' }).click()
  await page.getByRole('dialog', { name: 'Release hold?' }).getByRole('button', { name: 'Release hold' }).click()
  await expect(drawer.getByText('Hold released')).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.goto('/collections?tab=outstanding&page=900')
  await expect(page.getByText('Filters are on: Page 900.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rowOf(page, surgery)).toBeVisible()
})

test('moves through the outstanding accounts by keyboard, opens an account, adds a charge and restores focus', async ({ open }) => {
  const page = await open('billing', '/collections?tab=outstanding')
  const noor = await createPatient(page)
  await addCharge(page, noor, { isBeforeSurgery: true, dueOn: '2001-01-01' })
  const button = page.getByRole('button', { name: noor.customer })
  await expect(button).toBeVisible()
  await page.keyboard.press('j')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: noor.customer })
  await expect(drawer.getByRole('button', { name: 'Add charge' })).toBeVisible()
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Tab')
  await expect(drawer.getByRole('button', { name: 'Add charge' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add charge' })
  await expect(dialog.getByLabel('Description')).toBeFocused()
  await page.keyboard.type('Garment')
  await page.keyboard.press('Tab')
  await page.keyboard.type('85.50')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(drawer.getByRole('list', { name: 'Charges' })).toContainText('Garment')
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('hides accounts from providers', async ({ open }) => {
  const page = await open('sales', '/')
  const noor = await createPatient(page)
  const other = await open('provider', `/contacts/${noor.contactId}?tab=account`)
  await expect(other.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true')
  await expect(other.getByRole('tab', { name: 'Quotes and payments' })).toHaveCount(0)
})

test.describe('during a server error', () => {
  test.use({ expectedErrors: ['status of 500'] })
  test('shows an error for the list and the account, and loads them on retry', async ({ open }) => {
    const page = await open('billing', '/')
    const noor = await createPatient(page)
    await addCharge(page, noor)
    let isBroken = true
    await page.route(/collections\/outstanding|\/account$/, (route) => (isBroken ? route.fulfill({ status: 500 }) : route.continue()))
    await page.goto(`/collections?tab=outstanding`)
    await expect(page.getByRole('heading', { name: 'Couldn’t load outstanding accounts' })).toBeVisible({ timeout: 20_000 })
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rowOf(page, noor)).toBeVisible()
  })
})

test('shows an empty state when nothing is outstanding, and names the filters when nothing matches', async ({ open }) => {
  const page = await open('billing', '/')
  const none = { data: [], total: 0, balanceCents: 0, ageing: { current: 0, days1to30: 0, days31to60: 0, days61to90: 0, over90: 0 } }
  await page.route(/collections\/outstanding/, (route) => route.fulfill({ json: none }))
  await page.goto('/collections?tab=outstanding')
  await expect(page.getByRole('heading', { name: 'No outstanding balances' })).toBeVisible()
  await page.goto('/collections?tab=outstanding&show=late')
  await expect(page.getByText('Filters are on: Late.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('heading', { name: 'No outstanding balances' })).toBeVisible()
})

test('fits a 375 px phone: no horizontal scrolling, the account fills the screen', async ({ open }) => {
  const page = await open('billing', '/')
  await page.setViewportSize({ width: 375, height: 812 })
  const noor = await createPatient(page)
  await addCharge(page, noor, { isBeforeSurgery: true, dueOn: dayFromNow(-40) })
  await sellTo(page, noor)
  await page.goto('/collections?tab=outstanding')
  const item = page.getByRole('list', { name: 'Outstanding balances' }).getByRole('button', { name: noor.customer })
  await expect(item).toBeVisible()
  expect(Math.round((await item.boundingBox())!.height)).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await item.click()
  const drawer = page.getByRole('dialog', { name: noor.customer })
  await expect(drawer.getByText('Deposits')).toBeVisible()
  expect((await drawer.boundingBox())!.width).toBeCloseTo(375, 0)
  await drawer.getByRole('button', { name: 'Add charge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add charge' })
  await dialog.getByLabel('Amount', { exact: true }).fill('100')
  await dialog.getByRole('checkbox', { name: 'In instalments' }).check()
  await expect(dialog.getByLabel('Amount of instalment 3')).toHaveValue('33.33')
  expect(await dialog.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(375)
  await page.goto(`/contacts/${noor.contactId}?tab=account`)
  await expect(accountOf(page).getByText('Deposits')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: outstanding accounts and account tab (${colorScheme})`, async ({ open }) => {
    const page = await open('billing', '/')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const noor = await createPatient(page)
    await addCharge(page, noor, { dueOn: dayFromNow(-40), isBeforeSurgery: true })
    await sellTo(page, noor)
    await page.request.post(`/api/contacts/${noor.contactId}/hold`, { data: { isHeld: true } })
    await page.request.post(`/api/contacts/${noor.contactId}/promises`, { data: { amountCents: 5_000, dueOn: dayFromNow(-1) } })
    const check = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await page.goto('/collections?tab=outstanding')
    await expect(rowOf(page, noor)).toBeVisible()
    await check()
    await rowOf(page, noor).click()
    const drawer = page.getByRole('dialog', { name: noor.customer })
    await expect(drawer.getByText('Deposits')).toBeVisible()
    await check()
    await drawer.getByRole('button', { name: 'Add charge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add charge' })
    await dialog.getByRole('checkbox', { name: 'In instalments' }).check()
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog.getByText('Enter a description')).toBeVisible()
    await check()
    await openAccount(page, noor)
    await check()
  })
}

test('paginates outstanding accounts by fifty', async ({ open }) => {
  const page = await open('billing', '/')
  const response = await page.request.get('/api/contacts?limit=60')
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(50)
  for (const { id } of data) {
    const charged = await page.request.post(`/api/contacts/${id}/charges`, {
      data: { description: 'Follow-up', amountCents: 5_000, dueOn: '2099-01-01' },
    })
    expect(charged.status()).toBe(200)
  }
  await page.goto('/collections?tab=outstanding')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText('1–50 of')
  await pages.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(pages).toContainText('51–')
  await page.goBack()
  await expect(pages).toContainText('1–50 of')
})
