import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { addItem, confirmation, createCustomer, paymentDialog, setUpSale, takePayment } from '../pages/payment.ts'

const visit = 'Consultation, plastic surgeon'
const gel = 'Silicone scar gel 15 g'
const linesOf = (page: Page) => paymentDialog(page).getByRole('list', { name: 'Cart' }).getByRole('listitem')
const removed = (page: Page, name: string) => page.getByRole('status').filter({ hasText: `Removed ${name}` })

test('restores a removed line in its place, with its quantity, on Undo', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const dialog = await setUpSale(page, await createCustomer(page))
  await addItem(page, dialog, gel)
  await dialog.getByRole('button', { name: `One more of ${visit}` }).click()
  const total = await takePayment(dialog).textContent()
  await dialog.getByRole('button', { name: `Remove ${visit}` }).click()
  await expect(linesOf(page)).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: `Remove ${gel}` })).toBeFocused()
  await removed(page, visit).getByRole('button', { name: 'Undo' }).click()
  await expect(linesOf(page)).toHaveCount(2)
  await expect(linesOf(page).first()).toContainText(visit)
  await expect(dialog.getByLabel(`Quantity of ${visit}`)).toHaveValue('2')
  await expect(dialog.getByRole('button', { name: `Remove ${visit}` })).toBeFocused()
  await expect(takePayment(dialog)).toHaveText(total!)
  await expect(removed(page, visit)).toHaveCount(0)
})

test('removes and restores lines by keyboard, last first, and undoes typing in a field', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const dialog = await setUpSale(page, await createCustomer(page))
  await addItem(page, dialog, gel)
  await dialog.getByRole('button', { name: `Remove ${visit}` }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: `Remove ${gel}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('No items in cart')).toBeVisible()
  const search = dialog.getByRole('combobox', { name: 'Items' })
  await expect(search).toBeFocused()
  await page.keyboard.type('zz')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dialog.getByText('No items in cart')).toBeVisible()
  await search.fill('')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dialog.getByRole('button', { name: `Remove ${gel}` })).toBeFocused()
  await expect(dialog.getByText(`${gel} is back in the cart`)).toBeAttached()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dialog.getByRole('button', { name: `Remove ${visit}` })).toBeFocused()
  await expect(linesOf(page).first()).toContainText(visit)
  await expect(linesOf(page).last()).toContainText(gel)
  // Nothing left to restore.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(linesOf(page)).toHaveCount(2)
})

test('ends Undo when the payment is confirmed', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const dialog = await setUpSale(page, await createCustomer(page))
  await addItem(page, dialog, gel)
  await dialog.getByRole('button', { name: `Remove ${gel}` }).click()
  await expect(removed(page, gel).getByRole('button', { name: 'Undo' })).toBeVisible()
  await takePayment(dialog).click()
  await expect(confirmation(page)).toBeVisible()
  await expect(removed(page, gel)).toHaveCount(0)
  await expect(confirmation(page).getByText(gel)).toHaveCount(0)
})
