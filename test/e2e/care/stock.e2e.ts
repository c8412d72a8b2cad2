import type { Page } from '@playwright/test'
import { nextGtin } from '../../care/stock.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const main = (page: Page) => page.getByRole('main')
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test('adds a device, receives pieces by scanning their labels, moves one and records waste (issue 27)', async ({ open }) => {
  const page = await open('provider', '/stock')
  const [model, udiDi] = [`MemoryGel ${crypto.randomUUID().slice(0, 8)}`, nextGtin()]
  const [cabinet, shelf] = [`Cabinet ${model}`, `Shelf ${model}`]

  await main(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Places' }).click()
  for (const name of [cabinet, shelf]) {
    await page.getByLabel('New place').fill(name)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByText(name, { exact: true })).toBeVisible()
  }
  await page.keyboard.press('Escape')

  // The label of a device that the catalogue lacks leads to adding it.
  const label = (serial: string) => `01${udiDi}1729013110L778\u001D21${serial}`
  await main(page).getByRole('button', { name: 'Receive stock' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill(label('S-1'))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('The catalogue does not have this device yet.')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add device' }).click()
  await expect(dialog.getByLabel('UDI-DI')).toHaveValue(udiDi)
  await choose(page, 'Kind', 'Breast implant')
  await dialog.getByLabel('Maker').fill('Mentor')
  await dialog.getByLabel('Model').fill(model)
  await dialog.getByRole('button', { name: 'Add device' }).click()

  for (const serial of ['S-1', 'S-2', 'S-1']) {
    await dialog.getByLabel('Label').fill(label(serial))
    await page.keyboard.press('Enter')
  }
  await expect(dialog.getByLabel('Lot', { exact: true })).toHaveValue('L778')
  await expect(dialog.getByLabel('Serial numbers')).toHaveValue('S-1\nS-2')
  await choose(page, 'Place', cabinet)
  await dialog.getByRole('button', { name: 'Receive stock' }).click()
  await expect(dialog).toBeHidden()

  await main(page).getByRole('searchbox').fill(model)
  const row = main(page).getByRole('row').filter({ hasText: model })
  await expect(row).toContainText('2')
  await row.getByRole('button').click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('Expires Jan 31, 2029')
  await drawer.getByRole('button', { name: 'Actions for serial S-1' }).click()
  await page.getByRole('menuitem', { name: 'Move' }).click()
  await page.getByRole('dialog', { name: 'Move stock' }).getByLabel('To', { exact: true }).click()
  await page.getByRole('option', { name: shelf }).click()
  await page.getByRole('button', { name: 'Move stock' }).click()
  await expect(drawer.getByRole('region', { name: 'Lots in stock' }).getByRole('listitem').filter({ hasText: 'Serial S-1' })).toContainText(
    shelf,
  )
  await drawer.getByRole('button', { name: 'Actions for serial S-2' }).click()
  await page.getByRole('menuitem', { name: 'Record waste' }).click()
  await page.getByRole('dialog', { name: 'Record waste' }).getByLabel('Reason').fill('Dropped')
  await page.getByRole('button', { name: 'Record waste' }).click()
  await expect(drawer.getByRole('listitem').filter({ hasText: 'Wasted' })).toContainText('Dropped')
  await expect(drawer.getByText('1 piece', { exact: true })).toBeVisible()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('refuses a misread label, and says who keeps the stock to those who do not see it (issue 27)', async ({ open }) => {
  const page = await open('provider', '/stock')
  await main(page).getByRole('button', { name: 'Receive stock' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('0100312345678901')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('its check digit is wrong')
  await dialog.getByRole('button', { name: 'Receive stock' }).click()
  await expect(dialog.getByText('Scan a label or choose a device')).toBeVisible()

  const sales = await open('sales', '/stock')
  await expect(main(sales)).toContainText('Your role doesn’t see stock')
  await expect(sales.getByRole('navigation').first().getByRole('link', { name: 'Stock' })).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })
  test('shows stock without scrolling sideways (issue 27)', async ({ open }) => {
    const page = await open('provider', '/stock')
    await expect(main(page).getByRole('button', { name: 'Receive' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
  })
})
