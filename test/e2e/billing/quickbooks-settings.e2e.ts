import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test, type Clinic } from '../support/clinic.ts'
import { redirectToClinic } from '../pages/receipts.ts'

const company = 'Harbourview Plastic Surgery Inc.'
const card = (page: Page) => page.getByRole('region', { name: 'QuickBooks Online' })
const consentPage = (page: Page) => page.getByRole('heading', { name: 'QuickBooks', exact: true })

async function openSettings(open: (who: string, at: string) => Promise<Page>, clinic: Clinic): Promise<Page> {
  const page = await open('admin', '/settings/integrations')
  await redirectToClinic(page, clinic)
  await expect(card(page)).toBeVisible()
  return page
}

async function disconnect(page: Page): Promise<void> {
  await card(page).getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog', { name: `Disconnect ${company}?` })
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(card(page).getByText('Not connected')).toBeVisible()
}

/** Approves the connection at Intuit and returns. */
async function consent(page: Page): Promise<void> {
  await expect(consentPage(page)).toBeVisible()
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: `Connected to ${company}` })).toBeVisible()
}

test('disconnects and reconnects on Intuit’s page, removes the code from the URL, and does not resend it on reload (spec 2)', async ({
  open,
  clinic,
}) => {
  const page = await openSettings(open, clinic)
  await expect(card(page).getByText(company)).toBeVisible()
  await disconnect(page)
  await expect(page.getByText('QuickBooks is disconnected')).toBeVisible()
  await card(page).getByRole('button', { name: 'Connect to QuickBooks' }).click()
  await consent(page)
  expect(page.url()).toBe(`${clinic.url}/qbo/callback`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Nothing to finish here' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expect(card(page).getByText('Connected', { exact: true })).toBeVisible()
  await expect(card(page).getByText(company)).toBeVisible()
})

test('shows a message when access is denied at Intuit, and allows another attempt (spec 2)', async ({ open, clinic }) => {
  const page = await openSettings(open, clinic)
  await disconnect(page)
  await card(page).getByRole('button', { name: 'Connect to QuickBooks' }).click()
  await expect(consentPage(page)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'QuickBooks was not connected' })).toBeVisible()
  await expect(page.getByText('Nothing was changed.')).toBeVisible()
  expect(page.url()).toBe(`${clinic.url}/qbo/callback`)
  await page.getByRole('button', { name: 'Connect again' }).click()
  await consent(page)
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 409', 'status of 503'] })

  test('connects nothing from a forged or expired link (spec 2)', async ({ open, clinic }) => {
    const page = await openSettings(open, clinic)
    await page.goto('/qbo/callback?code=made-up&state=made-up&realmId=1')
    await expect(page.getByText('This sign-in was started elsewhere or took too long.')).toBeVisible()
    expect(page.url()).toBe(`${clinic.url}/qbo/callback`)
    await page.getByRole('link', { name: 'Go to Settings' }).click()
    await expect(card(page).getByText('Connected', { exact: true })).toBeVisible()
  })

  test('shows an error when the connection was ended in QuickBooks, and reconnects', async ({ open, clinic }) => {
    const page = await openSettings(open, clinic)
    clinic.quickBooks.disconnect()
    await card(page).getByRole('button', { name: 'Refresh' }).click()
    await expect(card(page).getByText('Must be reconnected')).toBeVisible()
    await expect(card(page).getByRole('alert')).toContainText('QuickBooks no longer accepts the connection.')
    await card(page).getByRole('button', { name: 'Reconnect' }).click()
    await consent(page)
    await page.getByRole('link', { name: 'Go to Settings' }).click()
    await card(page).getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('The lists of QuickBooks were read again')).toBeVisible()
    await expect(card(page).getByText('Just now')).toBeVisible()
  })

  test('shows an error when QuickBooks is unavailable during the callback, and starts over', async ({ open, clinic }) => {
    const page = await openSettings(open, clinic)
    await disconnect(page)
    await card(page).getByRole('button', { name: 'Connect to QuickBooks' }).click()
    await expect(consentPage(page)).toBeVisible()
    clinic.quickBooks.setOffline(true)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByRole('heading', { name: 'QuickBooks does not answer' })).toBeVisible({ timeout: 30_000 })
    clinic.quickBooks.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await consent(page)
  })
})

test('shows other roles the state and whom to ask, and redirects signed-out visitors to /auth (spec 2)', async ({
  open,
  clinic,
  browser,
}) => {
  const page = await open('sales', '/settings/integrations')
  await expect(card(page).getByText('Connected', { exact: true })).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Disconnect' })).toHaveCount(0)
  await page.goto('/qbo/callback?code=made-up&state=made-up&realmId=1')
  await expect(page.getByRole('heading', { name: 'Only administrators connect QuickBooks' })).toBeVisible()
  expect(page.url()).toBe(`${clinic.url}/qbo/callback`)
  // A user who was signed out in the meantime reaches the page and sees a message (spec 6).
  const visitor = await browser.newPage()
  await visitor.goto(`${clinic.url}/qbo/callback?code=made-up&state=made-up&realmId=1`)
  await expect(visitor.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await expect(visitor.getByText('QuickBooks was not connected.')).toBeVisible()
  expect(visitor.url()).toBe(`${clinic.url}/qbo/callback`)
  await visitor.getByRole('link', { name: 'Sign in' }).click()
  await expect(visitor).toHaveURL(`${clinic.url}/auth`)
  await visitor.close()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: /settings, /qbo/callback (${colorScheme})`, async ({ open, clinic }) => {
    const page = await openSettings(open, clinic)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/settings/integrations', '/qbo/callback']) {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      expect(await accessibilityViolations(page)).toEqual([])
    }
  })
}

test('fits a 375 px phone: no horizontal scrolling, touch-sized targets', async ({ open }) => {
  const page = await open('admin', '/settings/integrations')
  await page.setViewportSize({ width: 375, height: 812 })
  await expect(card(page).getByText(company)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  expect(Math.round((await card(page).getByRole('button', { name: 'Disconnect' }).boundingBox())!.height)).toBeGreaterThanOrEqual(44)
})
