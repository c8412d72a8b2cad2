import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { addCustomer } from '../pages/receipts.ts'

test.use({ expectedErrors: ['ERR_CONNECTION', 'ERR_FAILED'] })

const lostMessage = 'The connection was lost. It’s safe to try again: nothing is saved twice.'

/** Lets the first request to a URL reach the server and drops its response. Returns the idempotency keys used. */
async function loseFirstResponse(page: Page, address: string): Promise<string[]> {
  const keys: string[] = []
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push((route.request().postDataJSON() as { idempotencyKey: string }).idempotencyKey)
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionfailed')
  })
  return keys
}

type Account = { charges: { description: string }[]; notes: { kind: string }[]; balanceCents: number }
const accountOf = async (page: Page, contactId: string) =>
  (await (await page.request.get(`/api/contacts/${contactId}/account`)).json()) as Account

test('creates one charge when a request is retried with the same key after a lost response', async ({ open }) => {
  const page = await open('billing', '/')
  const { contactId } = await addCustomer(page, `Lindqvist-${crypto.randomUUID().slice(0, 8)}`)
  await page.goto(`/contacts/${contactId}?tab=account`)
  const keys = await loseFirstResponse(page, `**/api/contacts/${contactId}/charges`)
  const account = page.getByRole('tabpanel', { name: 'Quotes and payments' })
  await account.getByRole('button', { name: 'Add charge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add charge' })
  await dialog.getByLabel('Description').fill('Rhinoplasty')
  await dialog.getByLabel('Amount', { exact: true }).fill('1,000')
  await dialog.getByRole('button', { name: 'Add charge' }).click()
  await expect(dialog.getByText(lostMessage)).toBeVisible()
  expect(await accountOf(page, contactId)).toMatchObject({ balanceCents: 100_000 })
  await dialog.getByRole('button', { name: 'Add charge' }).click()
  await expect(page.getByText('Charge added')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(account.getByRole('list', { name: 'Charges' }).getByRole('listitem')).toHaveCount(1)
  expect((await accountOf(page, contactId)).charges).toHaveLength(1)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])

  // A second charge is a separate one, even with the same values.
  await account.getByRole('button', { name: 'Add charge' }).click()
  await dialog.getByLabel('Description').fill('Rhinoplasty')
  await dialog.getByLabel('Amount', { exact: true }).fill('1,000')
  await dialog.getByRole('button', { name: 'Add charge' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await accountOf(page, contactId)).charges).toHaveLength(2)
})

test('creates one promise after a lost response, and uses a new key after an edit', async ({ open }) => {
  const page = await open('frontdesk', '/')
  const { contactId } = await addCustomer(page, `Lindqvist-${crypto.randomUUID().slice(0, 8)}`)
  const charged = { description: 'Rhinoplasty', amountCents: 50_000, dueOn: '2026-01-15' }
  expect((await page.request.post(`/api/contacts/${contactId}/charges`, { data: charged })).status()).toBe(200)
  await page.goto(`/contacts/${contactId}?tab=account`)
  const keys = await loseFirstResponse(page, `**/api/contacts/${contactId}/promises`)
  await page.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: /^Promise/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Promise to pay' })
  await expect(dialog.getByLabel('Amount')).toHaveValue('500.00')
  await dialog.getByLabel('By', { exact: true }).fill('2099-01-15')
  await dialog.getByRole('button', { name: 'Save promise' }).click()
  await expect(dialog.getByText(lostMessage)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save promise' }).click()
  await expect(page.getByText('Promise saved')).toBeVisible()
  expect((await accountOf(page, contactId)).notes).toHaveLength(1)

  await page.getByRole('button', { name: 'More about this account' }).click()
  await page.getByRole('menuitem', { name: /^Promise/ }).click()
  await dialog.getByLabel('By', { exact: true }).fill('2099-01-15')
  await dialog.getByLabel('Note').fill('By phone')
  await dialog.getByRole('button', { name: 'Save promise' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await accountOf(page, contactId)).notes).toHaveLength(2)
  expect([keys.length, new Set(keys).size]).toEqual([3, 2])
})
