import { expect, test } from '../support/clinic.ts'

test('chooses, orders and resizes columns by keyboard and mouse, and keeps them', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const heads = page.getByRole('table', { name: 'Patients' }).getByRole('columnheader')
  await expect(heads).toHaveText([
    '',
    'Patient',
    'Stage',
    'Procedure of interest',
    'Phone',
    'Source',
    'Owner',
    'Next follow-up',
    'Last contact',
  ])

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Source' }).press('Space')
  await page.getByRole('checkbox', { name: 'Owner' }).press('Space')
  await page.getByRole('checkbox', { name: 'City' }).press('Space')
  await page.getByRole('button', { name: 'City: move left' }).press('Enter')
  await page.getByRole('button', { name: 'Phone: wider' }).press('Enter')
  // Each press closes one layer: the focused button's tooltip first, if shown.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Columns' })).toBeHidden({ timeout: 500 })
  }).toPass()
  const chosen = ['', 'Patient', 'Stage', 'Procedure of interest', 'Phone', 'Next follow-up', 'City', 'Last contact']
  await expect(heads).toHaveText(chosen)

  const phone = heads.nth(4)
  const before = (await phone.boundingBox())!
  expect(Math.round(before.width)).toBe(148)
  await page.mouse.move(before.x + before.width - 3, before.y + before.height / 2)
  await page.mouse.down()
  await page.mouse.move(before.x + before.width + 27, before.y + before.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Math.round((await phone.boundingBox())!.width)).toBe(178)

  await page.reload()
  await expect(heads).toHaveText(chosen)
  await page.setViewportSize({ width: 1100, height: 800 })
  await expect(heads).not.toHaveText(chosen)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true)
})
