import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

async function expectAccessible(page: Page) {
  expect(await accessibilityViolations(page)).toEqual([])
}

/** A receiver that records webhook deliveries. */
async function startReceiver() {
  const deliveries: string[] = []
  const server = http.createServer((request, response) => {
    request.on('data', (chunk: Buffer) => deliveries.push(chunk.toString()))
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries, stop: () => server.close() }
}

test('creates an API key, shows it once, uses it and revokes it', async ({ open, clinic, request }) => {
  const page = await open('admin', '/settings/api-keys')
  const card = page.getByRole('region', { name: 'API keys' })
  await card.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByText('Name the key')).toBeVisible()
  await expect(dialog.getByText('Choose what the key may do')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Phone system')
  await dialog.getByRole('checkbox', { name: 'Read: Tags' }).check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const token = await card.getByRole('textbox', { name: 'Key for Phone system' }).inputValue()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const callApi = (path: string) => request.get(`${clinic.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await callApi('/api/tags')).status()).toBe(200)
  expect((await callApi('/api/contacts')).status()).toBe(403)

  await page.reload()
  const line = card.getByRole('listitem').filter({ hasText: 'Phone system' })
  await expect(line).toContainText('Reads Tags.')
  await expect(line).toContainText('Last used')
  await expect(card.getByRole('textbox')).toHaveCount(0)
  await line.getByRole('button', { name: 'Revoke Phone system' }).click()
  await page.getByRole('dialog', { name: 'Revoke Phone system?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expect(line.getByText('Revoked')).toBeVisible()
  expect((await callApi('/api/tags')).status()).toBe(401)
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 422'] })

  test('adds, reviews, tests and deletes a webhook by keyboard', async ({ open, clinic }) => {
    const receiver = await startReceiver()
    const page = await open('admin', '/settings/webhooks')
    const card = page.getByRole('region', { name: 'Webhooks' })
    await card.getByRole('button', { name: 'Add webhook' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add webhook' })
    const address = dialog.getByLabel('Address')
    await address.fill('https://10.0.0.1/hook')
    await dialog.getByRole('checkbox', { name: 'A patient was added' }).press('Space')
    await address.press('Enter')
    await expect(dialog.getByText('This address is not on the public internet')).toBeVisible()
    await expect(address).toBeFocused()
    await address.fill(receiver.url)
    await address.press('Enter')
    await expect(card.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/)
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const line = card.getByRole('listitem').filter({ hasText: receiver.url })
    await clinic.rows(
      "insert into contacts (first_name, last_name, funnel_stage) select 'Noor', 'Elsewhere', id from funnel_stages where value = 'lead'",
    )
    await expect(line).toContainText('Last delivered')
    expect(receiver.deliveries.join()).toContain('contact.created')
    expect(receiver.deliveries.join()).not.toContain('Elsewhere')

    await line.getByRole('button', { name: 'Deliveries' }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Deliveries' })
    await expect(drawer.getByRole('listitem').first()).toContainText('A patient was added')
    await drawer.getByRole('button', { name: 'Send a test' }).press('Enter')
    await expect(drawer.getByRole('listitem').filter({ hasText: 'A test' })).toContainText('Delivered')
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)

    await line.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).press('Enter')
    await expect(line).toHaveCount(0)
    receiver.stop()
  })
})

test('hides keys and webhooks from roles other than administrator', async ({ open }) => {
  const page = await open('sales', '/settings/api-keys')
  await expect(page.getByText('Setting not found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Webhooks' })).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: keys and webhooks (${colorScheme})`, async ({ open }) => {
    const page = await open('admin', '/settings/api-keys')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await expectAccessible(page)
    await page.goto('/settings/webhooks')
    await page.getByRole('button', { name: 'Add webhook' }).first().click()
    await expect(page.getByRole('dialog').getByLabel('Address')).toBeFocused()
    await expectAccessible(page)
  })
}

test('does not scroll horizontally at 375 px', async ({ open }) => {
  const page = await open('admin', '/settings/api-keys')
  await page.setViewportSize({ width: 375, height: 812 })
  for (const [at, action] of [
    ['/settings/api-keys', 'Create key'],
    ['/settings/webhooks', 'Add webhook'],
  ] as const) {
    await page.goto(at)
    await page.getByRole('button', { name: action }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  }
})
