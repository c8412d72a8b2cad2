import { expect, test } from './clinic.ts'

test('a menu opens by key on its first entry and by pointer on none; Escape gives the focus back to its button', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const button = page.getByRole('button', { name: /^Order:/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Newest first' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'Oldest first' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=oldest/)

  await button.click()
  await expect(page.getByRole('menu')).toBeFocused()
  await button.click()
  await expect(page.getByRole('menu')).toBeHidden()
  await button.click()
  await page.getByRole('searchbox').click()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
})

test('a tooltip comes under the pointer and with the focus of the keyboard; Escape closes it before what it stands in', async ({
  open,
}) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Use compact rows' }).hover()
  await expect(page.getByRole('tooltip', { name: 'Use compact rows' })).toBeVisible()
  await page.getByRole('searchbox').hover()
  await expect(page.getByRole('tooltip')).toBeHidden()

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Stage' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Stage: narrower' })).toBeFocused()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Columns' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
})
