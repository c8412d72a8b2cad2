import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

async function addPair(page: Page): Promise<{ lastName: string; email: string; ids: string[] }> {
  const lastName = `Gagnon-${randomUUID().slice(0, 6)}`
  const email = `${randomUUID()}@example.com`
  const ids: string[] = []
  for (const firstName of ['Élise', 'Elise']) {
    const response = await page.request.post('/api/contacts', {
      data: { firstName, lastName, email, phone: '', allowDuplicateEmail: true },
    })
    expect(response.status()).toBe(200)
    ids.push(((await response.json()) as { id: string }).id)
  }
  return { lastName, email, ids }
}
const status = async (page: Page, id: string) => (await page.request.get(`/api/contacts/${id}`)).status()

for (const width of [1440, 375]) {
  test(`dismisses, restores and merges a pair in the queue by mouse (${width} px)`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    const { lastName, ids } = await addPair(page)
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Possible duplicates' }).click()
    const pair = page.getByRole('list', { name: 'Pairs' }).getByRole('listitem').filter({ hasText: lastName })
    await expect(pair).toContainText('Same email')
    await pair.getByRole('button', { name: /not a duplicate/ }).click()
    await expect(pair).toBeHidden()
    await page.getByRole('radio', { name: 'Not duplicates' }).click()
    await pair.getByRole('button', { name: /^Return/ }).click()
    await expect(pair).toBeHidden()
    await page.getByRole('radio', { name: 'To review' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await pair.getByRole('button', { name: /^Merge/ }).click()
    await page.getByRole('button', { name: 'Merge patients' }).click()
    await expect(page).toHaveURL('/contacts/duplicates')
    await expect(pair).toBeHidden()
    expect([await status(page, ids[0]!), await status(page, ids[1]!)]).toEqual([200, 404])
  })

  test(`names the likely duplicate on a patient’s page and links to the comparison (${width} px)`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    const { lastName, ids } = await addPair(page)
    await page.setViewportSize({ width, height: 900 })
    // Opening the queue runs the check of newly added patients.
    await page.goto('/contacts/duplicates')
    await expect(page.getByRole('list', { name: 'Pairs' }).getByRole('listitem').filter({ hasText: lastName })).toBeVisible()
    await page.goto(`/contacts/${ids[0]}`)
    if (width < 1000) await page.getByRole('tab', { name: 'Details' }).click()
    await expect(page.getByText('Same email', { exact: false })).toBeVisible()
    await page.getByRole('link', { name: `Compare with Elise ${lastName}` }).click()
    await expect(page).toHaveURL(`/contacts/${ids[0]}/merge?with=${ids[1]}`)
    await expect(page.getByRole('button', { name: 'Merge patients' })).toBeVisible()
  })

  test(`dismisses with n, undoes, and merges with m in the queue by keyboard (${width} px)`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    const { lastName, ids } = await addPair(page)
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/contacts/duplicates')
    const pair = page.getByRole('list', { name: 'Pairs' }).getByRole('listitem').filter({ hasText: lastName })
    await expect(pair).toBeVisible()
    const focusPair = async () => {
      for (let i = 0; i < 30 && !(await pair.evaluate((element) => element === document.activeElement)); i++) await page.keyboard.press('j')
    }
    await focusPair()
    await page.keyboard.press('n')
    await expect(pair).toBeHidden()
    const toast = page.getByRole('status').filter({ hasText: lastName })
    await toast.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(pair).toBeVisible()
    await page.reload()
    await expect(pair).toBeVisible()
    await focusPair()
    await page.keyboard.press('m')
    await expect(page.getByRole('button', { name: 'Merge patients' })).toBeVisible()
    await page.keyboard.press('m')
    await expect(page).toHaveURL('/contacts/duplicates')
    expect([await status(page, ids[0]!), await status(page, ids[1]!)]).toEqual([200, 404])
  })

  test(`shows existing patients while a new one is entered, and can use one instead (${width} px)`, async ({ open }) => {
    const page = await open('frontdesk', '/contacts')
    const { lastName, email, ids } = await addPair(page)
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/contacts/new')
    const similar = page.getByRole('region', { name: 'Similar patients' })
    await page.getByRole('textbox', { name: /^Email/ }).fill(email.toUpperCase())
    await expect(similar.getByRole('listitem')).toHaveCount(2)
    await page.getByRole('textbox', { name: /^Email/ }).fill('')
    await expect(similar.getByRole('listitem')).toHaveCount(0)
    await page.getByLabel('First name').fill('elise')
    await page.getByLabel('Last name').fill(lastName.toLowerCase())
    await expect(similar.getByRole('link', { name: `Élise ${lastName}` })).toBeVisible()
    await similar.getByRole('button', { name: `Use Élise ${lastName}` }).click()
    await page.getByRole('button', { name: /Leave|Discard/ }).click()
    await expect(page).toHaveURL(`/contacts/${ids[0]}`)
  })
}
