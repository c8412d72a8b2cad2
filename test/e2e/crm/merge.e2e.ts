import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

// A page that is about to be left may request a merged patient once more.
test.use({ expectedErrors: ['404'] })

type Patient = { id: string; firstName: string; lastName: string; city?: string; phone?: string; revenueCents?: number; email?: string }

async function addPatient(page: Page, fields: Omit<Patient, 'id'>): Promise<Patient> {
  const response = await page.request.post('/api/contacts', { data: fields })
  expect(response.status(), await response.text()).toBe(200)
  return { ...fields, id: ((await response.json()) as { id: string }).id }
}

/** Creates two records of one person with the same name, each with a field that the other lacks. */
async function addPair(page: Page): Promise<[Patient, Patient]> {
  const lastName = `Lavigne-${randomUUID().slice(0, 6)}`
  return [
    await addPatient(page, { firstName: 'Noémie', lastName, city: 'Oakville' }),
    await addPatient(page, { firstName: 'Noemie', lastName, city: 'Burlington', phone: '(905) 555-0177', revenueCents: 450_000 }),
  ]
}

const city = async (page: Page, id: string) => ((await (await page.request.get(`/api/contacts/${id}`)).json()) as { city: string }).city
const nameOf = ({ firstName, lastName }: Patient) => `${firstName} ${lastName}`

for (const width of [1440, 375]) {
  test(
    `merges two patients by mouse with a choice per field, and separates them with Undo (${width} px)`,
    { tag: width === 1440 ? '@journey' : [] },
    async ({ open }) => {
      const page = await open('sales', '/contacts')
      await page.setViewportSize({ width, height: 900 })
      const [target, source] = await addPair(page)
      await page.goto(`/contacts/${target.id}`)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: /^Merge/ }).click()
      await page.getByRole('combobox', { name: /same person/ }).click()
      await page.getByPlaceholder('Name, email or phone').fill(source.lastName)
      await page.getByRole('option', { name: nameOf(source) }).click()

      const group = (name: string) => page.getByRole('group', { name, exact: true })
      await expect(group('City').getByRole('radio', { name: /Oakville/ })).toBeChecked()
      await expect(group('Revenue').getByRole('radio', { name: /\$4,500\.00/ }), 'spec 4 fills it in').toBeChecked()
      await group('City').getByText('Burlington').click()
      await expect(page.getByText(/1 timeline entry and 1 stage move/)).toBeVisible()
      const noScroll = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
      expect(noScroll, 'nothing scrolls sideways').toBe(true)
      await page.getByRole('button', { name: 'Merge patients' }).click()

      await expect(page).toHaveURL(`/contacts/${target.id}`)
      const toast = page.getByRole('status').filter({ hasText: 'was merged into' })
      await expect(toast).toBeVisible()
      expect(await city(page, target.id)).toBe('Burlington')
      expect((await page.request.get(`/api/contacts/${source.id}`)).status()).toBe(404)
      await toast.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByText(`Merge undone. ${nameOf(source)} was restored.`)).toBeVisible()
      expect([await city(page, target.id), await city(page, source.id)]).toEqual(['Oakville', 'Burlington'])
    },
  )

  test.describe('with a conflict', () => {
    test.use({ expectedErrors: ['409', '404'] })

    test(`merges by keyboard: arrows choose sides, m merges, and undo asks about a later edit (${width} px)`, async ({ open }) => {
      const page = await open('sales', '/contacts')
      await page.setViewportSize({ width, height: 900 })
      const [target, source] = await addPair(page)
      await page.goto(`/contacts/${target.id}/merge?with=${source.id}`)
      await expect(page.getByRole('group', { name: 'City' })).toBeVisible()
      const side = (name: RegExp) => page.getByRole('group', { name: 'City' }).getByRole('radio', { name })
      for (let i = 0; i < 12 && !(await side(/Oakville/).evaluate((radio) => radio === document.activeElement)); i++)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowRight')
      await expect(side(/Burlington/)).toBeChecked()
      await expect(side(/Burlington/)).toBeFocused()
      await page.keyboard.press('m')
      await expect(page).toHaveURL(`/contacts/${target.id}`)

      const now = (await (await page.request.get(`/api/contacts/${target.id}`)).json()) as { version: number }
      await page.request.patch(`/api/contacts/${target.id}`, { data: { version: now.version, city: 'Milton' } })
      if (width < 1152) await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('button', { name: `Undo the merge with ${nameOf(source)}` }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Changed since the merge' })
      await expect(dialog.getByText('Keep later edit: Milton')).toBeVisible()
      await dialog.getByRole('radio', { name: /Keep later edit/ }).focus()
      await page.keyboard.press('ArrowDown', { delay: 50 })
      await expect(dialog.getByRole('radio', { name: 'Restore value before merge: Oakville' })).toBeChecked()
      await dialog.getByRole('button', { name: 'Undo merge' }).press('Enter')
      await expect(dialog).toBeHidden()
      await expect(page.getByText(`Merge undone. ${nameOf(source)} was restored.`)).toBeVisible()
      expect([await city(page, target.id), await city(page, source.id)]).toEqual(['Oakville', 'Burlington'])
      await expect(page.getByRole('heading', { name: 'Merged patients' })).toBeHidden()
    })
  })
}

test('swaps the direction of the merge, and refreshes a patient who changed in the meantime', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const [target, source] = await addPair(page)
  await page.goto(`/contacts/${target.id}/merge?with=${source.id}`)
  await expect(page.getByRole('radio', { name: /Oakville/ })).toBeChecked()
  await page.keyboard.press('s')
  await expect(page.getByRole('radio', { name: /Burlington/ })).toBeChecked()
  await expect(page).toHaveURL(new RegExp(`/contacts/${source.id}/merge`))
  await page.request.patch(`/api/contacts/${target.id}`, { data: { version: 1, city: 'Milton' } })
  await expect(page.getByRole('radio', { name: /Milton/ })).toBeVisible()
  await page.keyboard.press('m')
  await expect(page).toHaveURL(`/contacts/${source.id}`)
})

test.describe('roles without merging', () => {
  test('names who may merge and does not offer it', async ({ open }) => {
    const page = await open('frontdesk', '/contacts')
    const [target, source] = await addPair(page)
    await page.goto(`/contacts/${target.id}/merge?with=${source.id}`)
    await expect(page.getByText('Only sales and administrators can merge patients')).toBeVisible()
    await page.goto(`/contacts/${target.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: /Merge/ })).toHaveCount(0)
  })
})

test('keeps the patients’ names visible while the fields scroll', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const links = page.getByRole('table', { name: 'Patients' }).getByRole('link')
  const idOf = async (index: number) => (await links.nth(index).getAttribute('href'))!.split('/').at(-1)!
  const [one, other] = [await idOf(0), await idOf(1)]
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.goto(`/contacts/${one}/merge?with=${other}`)
  await page.getByRole('region', { name: 'Other effects of the merge' }).scrollIntoViewIfNeeded()
  await expect(page.getByText('Keep', { exact: true })).toBeInViewport()
})
