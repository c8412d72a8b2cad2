import type { Page } from '@playwright/test'
import { brokenRules } from './axe.ts'
import { dayFromNow } from './appointments.ts'
import { expect, test } from './clinic.ts'
import { addCustomer, sellTo } from './receipts.ts'

const patient = (page: Page) => addCustomer(page, `Okafor-${crypto.randomUUID().slice(0, 8)}`)
type Patient = Awaited<ReturnType<typeof patient>>

/** A charge over the API: $1,000.00, due today. */
async function charge(page: Page, { contactId }: Patient, given: Record<string, unknown> = {}): Promise<void> {
  const data = { description: 'Rhinoplasty', amountCents: 100_000, dueOn: dayFromNow(0), ...given }
  const answer = await page.request.post(`/api/contacts/${contactId}/charges`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
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
  page.getByRole('table', { name: 'Who owes' }).getByRole('row').filter({ hasText: customer })

test.describe('with refusals by the server', () => {
  test.use({ expectedErrors: ['status of 409', 'status of 422'] })

  test('issue 6: a charge in three instalments, a receipt applied to it and taken off again, a write-off; the balance follows', async ({
    open,
  }) => {
    const page = await open('billing', '/')
    const noor = await patient(page)
    await openAccount(page, noor)
    await expect(accountOf(page).getByText('Nothing is charged yet.')).toBeVisible()

    await accountOf(page).getByRole('button', { name: 'Add charge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add charge' })
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog.getByText('Say what it is for')).toBeVisible()
    await expect(dialog.getByText('Enter an amount of at least $0.01')).toBeVisible()
    await expect(dialog.getByLabel('Description')).toBeFocused()
    await dialog.getByLabel('Description').fill('Rhinoplasty')
    await dialog.getByLabel('Amount', { exact: true }).fill('1,000')
    await dialog.getByRole('checkbox', { name: 'In instalments' }).check()
    await dialog.getByLabel('Instalments', { exact: true }).fill('3')
    await expect(dialog.getByLabel('Amount of instalment 1')).toHaveValue('333.34')
    await expect(dialog.getByLabel('Amount of instalment 3')).toHaveValue('333.33')
    // Edited, they must still sum to the amount.
    await dialog.getByLabel('Amount of instalment 1').fill('400')
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog.getByText('The instalments must sum to the amount: they are $1,066.66')).toBeVisible()
    await dialog.getByLabel('Amount of instalment 3').fill('266.67')
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(chargesOf(page).first()).toContainText('3 instalments from')
    await expect(accountOf(page).getByText('Outstanding charges')).toBeVisible()

    // A receipt made elsewhere comes as a deposit, without the page being loaded again.
    const { number } = await sellTo(page, noor, { isDeposit: true })
    await accountOf(page)
      .getByRole('button', { name: `Apply Receipt ${number}` })
      .click()
    const apply = page.getByRole('dialog', { name: 'Apply $113.00?' })
    await expect(apply.getByRole('list', { name: 'Destination' })).toContainText('Rhinoplasty$113.00')
    await apply.getByRole('button', { name: 'Apply $113.00' }).click()
    await expect(chargesOf(page).first()).toContainText('$887.00 open')

    await accountOf(page)
      .getByRole('button', { name: `Take Receipt ${number} off again` })
      .click()
    const off = page.getByRole('dialog', { name: 'Unapply' })
    await off.getByLabel('Amount').fill('113.01')
    await off.getByRole('button', { name: 'Take off' }).click()
    await expect(off.getByText('At most $113.00 is open')).toBeVisible()
    await off.getByLabel('Amount').fill('13')
    await off.getByRole('button', { name: 'Take off' }).click()
    await expect(chargesOf(page).first()).toContainText('$900.00 open')

    await more(page, 'Rhinoplasty', 'Apply a deposit…')
    const part = page.getByRole('dialog', { name: 'Apply a deposit' })
    await expect(part.getByLabel('Amount')).toHaveValue('13.00')
    await part.getByLabel('Amount').fill('20')
    await part.getByRole('button', { name: 'Apply deposit' }).click()
    await expect(part.getByText('At most $13.00 is open')).toBeVisible()
    await expect(part.getByLabel('Amount')).toBeFocused()
    await part.getByLabel('Amount').fill('10')
    await part.getByRole('button', { name: 'Apply deposit' }).click()
    await expect(chargesOf(page).first()).toContainText('$890.00 open')

    await more(page, 'Rhinoplasty', 'Write off…')
    const off2 = page.getByRole('dialog', { name: 'Write off?' })
    await off2.getByLabel('Amount').fill('90')
    await off2.getByRole('button', { name: 'Write off $90.00' }).click()
    await expect(off2.getByText('Reason is required')).toBeVisible()
    await off2.getByLabel('Reason').fill('Goodwill')
    await off2.getByRole('button', { name: 'Write off $90.00' }).click()
    await expect(chargesOf(page).first()).toContainText('$800.00 open')
    const history = accountOf(page).getByRole('list', { name: 'History' }).getByRole('listitem')
    await expect(history.first()).toContainText('Write-off: Goodwill')
    await expect(history.first()).toContainText('−$90.00')
    await expect(history).toHaveCount(5)

    await more(page, 'Rhinoplasty', 'Change days…')
    const days = page.getByRole('dialog', { name: 'Change days' })
    await days.getByRole('checkbox', { name: 'In instalments' }).uncheck()
    await days.getByRole('checkbox', { name: 'Due before surgery' }).check()
    await days.getByLabel('Due on').fill('2030-03-01')
    await days.getByRole('button', { name: 'Save days' }).click()
    await expect(chargesOf(page).first()).toContainText('Due Mar 1, 2030 · before surgery')
  })

  test('issue 6: a charge is made void with a reason; one that was paid of in the meantime is not, and says so at the reason', async ({
    open,
  }) => {
    const page = await open('billing', '/')
    const noor = await patient(page)
    await charge(page, noor)
    const { receiptId } = await sellTo(page, noor)
    await openAccount(page, noor)
    await more(page, 'Rhinoplasty', 'Void…')
    const dialog = page.getByRole('dialog', { name: 'Make this charge void?' })
    await dialog.getByLabel('Reason').fill('Twice')
    await page.request.post(`/api/contacts/${noor.contactId}/payments`, { data: { receiptId } })
    await dialog.getByRole('button', { name: 'Void' }).click()
    await expect(dialog.getByText('Something was paid or written off already')).toBeVisible()
    await expect(dialog.getByLabel('Reason')).toHaveValue('Twice')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await charge(page, noor, { description: 'Consultation', amountCents: 5_000 })
    await more(page, 'Consultation', 'Void…')
    await dialog.getByLabel('Reason').fill('Entered twice')
    await dialog.getByRole('button', { name: 'Void' }).click()
    await expect(chargesOf(page).filter({ hasText: 'Consultation' })).toContainText('Void')
    await expect(accountOf(page)).toContainText('$887.00')
  })
})

test('issue 6: who owes, balances due before a surgery first; filters stand in the address; promise, hold and let go', async ({ open }) => {
  const page = await open('frontdesk', '/collections?tab=owing')
  const [late, current, surgery] = [await patient(page), await patient(page), await patient(page)]
  await charge(page, current, { dueOn: dayFromNow(20) })
  await charge(page, late, { dueOn: dayFromNow(-95), amountCents: 12_345 })
  await charge(page, surgery, { dueOn: dayFromNow(10), isBeforeSurgery: true })
  await expect(page.getByRole('tab', { name: /^Outstanding \d+$/ })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, late)).toContainText('$123.45')
  await expect(rowOf(page, late)).toContainText('95 days late')
  const table = page.getByRole('table', { name: 'Who owes' })
  const names = [surgery, late, current].map(({ customer }) => customer)
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
  // Anyone who keeps no books gives nothing up.
  await drawer.getByRole('button', { name: 'More about Rhinoplasty' }).click()
  await expect(page.getByRole('menuitem', { name: 'Change days…' })).toBeVisible()
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
  // A bucket narrows the list and stays in the address.
  await page.goto('/collections?tab=owing')
  await page.getByRole('button', { name: '90+ days' }).click()
  await expect(page).toHaveURL(/age=over90/)
  await expect(rowOf(page, late)).toBeVisible()
  await expect(rowOf(page, surgery)).toHaveCount(0)
  await expect(page.getByRole('button', { name: '90+ days' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`/collections?tab=owing&show=promised&owes=${surgery.contactId}`)
  await drawer.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: 'Release hold…' }).click()
  await page.getByRole('dialog', { name: 'Release hold?' }).getByRole('button', { name: 'Let go' }).click()
  await expect(drawer.getByText('Surgery may go ahead')).toBeVisible()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.goto('/collections?tab=owing&page=900')
  await expect(page.getByText('Filters are on: Page 900.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rowOf(page, surgery)).toBeVisible()
})

test('issue 6: the keyboard moves along those who owe, opens an account, adds a charge and comes back', async ({ open }) => {
  const page = await open('billing', '/collections?tab=owing')
  const noor = await patient(page)
  await charge(page, noor, { isBeforeSurgery: true, dueOn: '2001-01-01' })
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

test('issue 6: providers see no account', async ({ open }) => {
  const page = await open('sales', '/')
  const noor = await patient(page)
  const other = await open('provider', `/contacts/${noor.contactId}?tab=account`)
  await expect(other.getByRole('tab', { name: 'Timeline' })).toHaveAttribute('aria-selected', 'true')
  await expect(other.getByRole('tab', { name: 'Quotes and payments' })).toHaveCount(0)
})

test.describe('while the server is in trouble', () => {
  test.use({ expectedErrors: ['status of 500'] })
  test('issue 6: the list and the account say that they did not load, and try again', async ({ open }) => {
    const page = await open('billing', '/')
    const noor = await patient(page)
    await charge(page, noor)
    let isBroken = true
    await page.route(/collections\/owing|\/account$/, (route) => (isBroken ? route.fulfill({ status: 500 }) : route.continue()))
    await page.goto(`/collections?tab=owing`)
    await expect(page.getByRole('heading', { name: 'Couldn’t load outstanding accounts' })).toBeVisible({ timeout: 20_000 })
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rowOf(page, noor)).toBeVisible()
  })
})

test('issue 6: the list says what belongs there while no one owes, and names the filters while no one matches', async ({ open }) => {
  const page = await open('billing', '/')
  const none = { data: [], total: 0, balanceCents: 0, ageing: { current: 0, days1to30: 0, days31to60: 0, days61to90: 0, over90: 0 } }
  await page.route(/collections\/owing/, (route) => route.fulfill({ json: none }))
  await page.goto('/collections?tab=owing')
  await expect(page.getByRole('heading', { name: 'No one owes anything' })).toBeVisible()
  await page.goto('/collections?tab=owing&show=late')
  await expect(page.getByText('Filters are on: Late.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('heading', { name: 'No one owes anything' })).toBeVisible()
})

test('a phone of 375 px: nothing scrolls sideways, an account fills the screen', async ({ open }) => {
  const page = await open('billing', '/')
  await page.setViewportSize({ width: 375, height: 812 })
  const noor = await patient(page)
  await charge(page, noor, { isBeforeSurgery: true, dueOn: dayFromNow(-40) })
  await sellTo(page, noor)
  await page.goto('/collections?tab=owing')
  const item = page.getByRole('list', { name: 'Who owes' }).getByRole('button', { name: noor.customer })
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
  test(`no WCAG 2.2 AA rule that can be checked by machine is broken: owing and account (${colorScheme})`, async ({ open }) => {
    const page = await open('billing', '/')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const noor = await patient(page)
    await charge(page, noor, { dueOn: dayFromNow(-40), isBeforeSurgery: true })
    await sellTo(page, noor)
    await page.request.post(`/api/contacts/${noor.contactId}/hold`, { data: { isHeld: true } })
    await page.request.post(`/api/contacts/${noor.contactId}/promises`, { data: { amountCents: 5_000, dueOn: dayFromNow(-1) } })
    const check = async () => {
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await brokenRules(page)).toEqual([])
    }
    await page.goto('/collections?tab=owing')
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
    await expect(dialog.getByText('Say what it is for')).toBeVisible()
    await check()
    await openAccount(page, noor)
    await check()
  })
}

test('issue 6: those who owe stand fifty to a page', async ({ open }) => {
  const page = await open('billing', '/')
  const answer = await page.request.get('/api/contacts?limit=60')
  const { data } = (await answer.json()) as { data: { id: string }[] }
  expect(data.length).toBeGreaterThan(50)
  for (const { id } of data) {
    const charged = await page.request.post(`/api/contacts/${id}/charges`, {
      data: { description: 'Follow-up', amountCents: 5_000, dueOn: '2099-01-01' },
    })
    expect(charged.status()).toBe(200)
  }
  await page.goto('/collections?tab=owing')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText('1–50 of')
  await pages.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(pages).toContainText('51–')
  await page.goBack()
  await expect(pages).toContainText('1–50 of')
})
