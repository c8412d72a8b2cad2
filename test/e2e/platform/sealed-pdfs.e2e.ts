import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const unsealed = Buffer.from('%PDF-1.7\n%%EOF')

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: name.endsWith('.pdf') ? 'application/pdf' : 'text/plain', buffer })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`tells a visitor that a PDF has no seal, in both languages (${colorScheme})`, async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto('/verify')
    await expect(page.getByRole('heading', { level: 1, name: 'Verify a document' })).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await choose(page, 'consent.pdf', unsealed)
    await expect(page.getByRole('heading', { level: 2, name: 'This document has no seal' })).toBeFocused()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Français' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'Ce document ne porte aucun sceau' })).toBeVisible()
    await choose(page, 'notes.txt', Buffer.from('text'))
    await expect(page.getByRole('alert')).toHaveText('Choisissez un seul fichier PDF.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  })
}

test('lets the keyboard choose a file to verify', async ({ page }) => {
  await page.goto('/verify')
  const area = page.getByRole('button', { name: 'Choose a PDF, or drop it here' })
  const chosen = page.waitForEvent('filechooser')
  // Wait for the page to confirm that the file chooser is intercepted: keys travel separately and may arrive first.
  await area.focus()
  await expect(area).toBeFocused()
  await area.press('Enter')
  const chooser = await chosen
  await chooser.setFiles({ name: 'consent.pdf', mimeType: 'application/pdf', buffer: unsealed })
  await expect(page.getByText('Ask for the original file.')).toBeVisible()
})

test('shows an administrator the signing keys, rotates and exports one, and hides them from others', async ({ open, clinic }) => {
  const page = await open('admin', '/settings/signing-keys')
  const card = page.getByRole('region', { name: 'Signing keys' })
  // Another test may have sealed a PDF in this clinic, so that there is a key already.
  const made = await page.request.post('/api/signing-keys', { headers: { origin: new URL(clinic.url).origin }, data: {} })
  expect(made.status()).toBe(200)
  await expect(card.getByText('In use', { exact: true })).toHaveCount(1)
  const retired = await card.getByText('Retired', { exact: true }).count()
  await card.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('dialog', { name: 'Rotate the signing key?' }).getByRole('button', { name: 'Rotate key' }).click()
  await expect(card.getByText('Retired', { exact: true })).toHaveCount(retired + 1)
  expect(await accessibilityViolations(page)).toEqual([])

  const [certificate] = await Promise.all([
    page.waitForEvent('download'),
    card
      .getByRole('button', { name: /^Download certificate/ })
      .first()
      .click(),
  ])
  expect(certificate.suggestedFilename()).toMatch(/^certificate-[0-9A-F]{8}\.pem$/)
  await card
    .getByRole('button', { name: /^Export key/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Export signing key' })
  await dialog.getByRole('button', { name: 'Export key' }).click()
  await expect(dialog.getByText('Use at least 12 characters')).toBeVisible()
  await dialog.getByLabel('File password').fill('twelve letters')
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export key' }).click()])
  expect(file.suggestedFilename()).toMatch(/\.p12$/)

  const sales = await open('sales', '/settings/signing-keys')
  await expect(sales.getByText('Setting not found')).toBeVisible()
})
