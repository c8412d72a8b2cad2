import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
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
  setUpSale,
  takePayment,
} from '../pages/payment.ts'

async function expectNoViolations(page: Page): Promise<void> {
  expect(await accessibilityViolations(page)).toEqual([])
}

test.describe('at 375 px', () => {
  test.use({ contextOptions: { viewport: { width: 375, height: 812 }, hasTouch: true } })

  test(
    'fits a payment on the screen without horizontal scrolling, and removes the last line with its minus (spec 9)',
    { tag: '@journey' },
    async ({ open, clinic }) => {
      const page = await open('frontdesk', '/contacts')
      const customer = await createCustomer(page)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Take Payment' }).click()
      const dialog = paymentDialog(page)
      await expect(dialog.getByText('Set up, 1 of 3')).toBeVisible()
      // Once animations have ended.
      await expect.poll(async () => Object.values((await dialog.boundingBox())!).map(Math.round)).toEqual([0, 0, 375, 812])
      await chooseCustomer(page, dialog, customer.name)
      await addItem(page, dialog, 'Silicone scar gel 15 g')
      await dialog.getByRole('button', { name: 'Remove Silicone scar gel 15 g' }).click()
      await expect(dialog.getByText('No items in cart')).toBeVisible()
      await addItem(page, dialog, 'Consultation, plastic surgeon')
      await chooseAccount(page, dialog)
      await chooseMethod(dialog)
      await expect(takePayment(dialog)).toBeInViewport()
      const small = await dialog.getByRole('button').evaluateAll((buttons) =>
        buttons
          .filter((button) => {
            const { width, height } = button.getBoundingClientRect()
            const { width: padded, height: tall } = getComputedStyle(button, '::after')
            return Math.max(width, Number.parseFloat(padded) || 0) < 44 || Math.max(height, Number.parseFloat(tall) || 0) < 44
          })
          .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent),
      )
      expect(small).toEqual([])
      const wide = await dialog.evaluate(
        (element) => [element, ...element.querySelectorAll('*')].filter((part) => part.scrollWidth > 375 + 1).length,
      )
      expect(wide).toBe(0)
      // A fading toast loses contrast.
      await expect(page.getByText('Removed Silicone scar gel 15 g')).toHaveCount(0, { timeout: 20_000 })
      await expectNoViolations(page)
      await takePayment(dialog).click()
      await expect(confirmation(page).getByText('Confirm, 2 of 3')).toBeVisible()
      await expectNoViolations(page)
      await createReceipt(page).click()
      await expect(page).toHaveURL(`/contacts/${customer.contactId}`)
      await expectReceipts(clinic, customer, 1)
    },
  )
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks during set-up of a payment (${colorScheme})`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Take Payment', exact: true }).click()
    await takePayment(paymentDialog(page)).click()
    await expect(paymentDialog(page).getByText('Choose how it was paid')).toBeVisible()
    await expectNoViolations(page)
    await paymentDialog(page).getByRole('combobox', { name: 'Items' }).fill('septoplasty')
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectNoViolations(page)
    await page.keyboard.press('Enter')
    await expect(paymentDialog(page).getByRole('list', { name: 'Cart' })).toBeVisible()
    await expectNoViolations(page)
    await paymentDialog(page).getByRole('button', { name: 'Add New Customer' }).click()
    await paymentDialog(page, 'Add New Customer').getByRole('button', { name: 'Create customer' }).click()
    await expect(page.getByText('First name, last name, and email are required for POS customers')).toBeVisible()
    await expectNoViolations(page)
  })

  test(`meets the WCAG 2.2 AA rules that axe checks in the later steps of a payment (${colorScheme})`, async ({
    open,
    clinic,
    expectedErrors,
  }) => {
    expectedErrors.push('503')
    const page = await open('sales', '/contacts')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const customer = await createCustomer(page)
    await takePayment(await setUpSale(page, customer)).click()
    await expect(confirmation(page)).toContainText(consultationTotal)
    await expectNoViolations(page)
    clinic.quickBooks.fault({ kind: 'status', status: 503, match: 'salesreceipt', times: 2 })
    await createReceipt(page).click()
    await expect(paymentDialog(page, 'Receipt not confirmed')).toBeVisible({ timeout: 30_000 })
    await expectNoViolations(page)
    await paymentDialog(page, 'Receipt not confirmed').getByRole('button', { name: 'Try again' }).click()
    await expect(paymentDialog(page, 'Sales Receipt Created!')).toBeVisible()
    await expectNoViolations(page)
  })
}
