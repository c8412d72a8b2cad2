import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient-documents.ts'

const expectAccessible = async (page: Page) => {
  expect(await accessibilityViolations(page)).toEqual([])
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })
    const entries = (page: Page) => page.getByRole(viewport.width < 1024 ? 'list' : 'table', { name: 'Entries' })

    test('lets an administrator find and open the change of a patient, and restores the filters from the URL', async ({ open }) => {
      const sales = await open('sales', '/contacts')
      const { id, name } = await createPatient(sales)
      const change = await sales.request.patch(`/api/contacts/${id}`, { data: { version: 1, city: 'Guelph', phone: '905-555-0142' } })
      expect(change.status()).toBe(200)

      const page = await open('admin', `/settings/audit-log?patient=${id}`)
      await page.getByRole('combobox', { name: 'Action' }).click()
      await page.getByRole('option', { name: 'Changed' }).click()
      await expect(page.getByRole('listbox')).toHaveCount(0)
      await expect(page).toHaveURL(/action=changed/)
      const line = entries(page).getByRole('button', { name: /Changed · Patient/ })
      await expect(line).toHaveCount(1)
      await line.click()
      const drawer = page.getByRole('dialog', { name: 'Changed · Patient' })
      await expect(drawer.getByText('Guelph')).toBeVisible()
      await expect(drawer.getByText('(905) 555-0142')).toBeVisible()
      await expect(drawer.getByRole('link', { name })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(drawer).toHaveCount(0)
      await expect(line).toBeFocused()
      await page.reload()
      await expect(line).toHaveCount(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    })

    test('shows an empty state when nothing matches, and clears the filters', async ({ open }) => {
      const page = await open('admin', '/settings/audit-log?from=2001-01-01&to=2001-01-02')
      await expect(page.getByText('No matching entries')).toBeVisible()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await expect(entries(page).getByRole('button').first()).toBeVisible()
    })

    test('shows administrators the access log under a patient’s history', async ({ open }) => {
      const sales = await open('sales', '/contacts')
      const { id } = await createPatient(sales)
      expect((await sales.request.get(`/api/contacts/${id}`)).status()).toBe(200)
      await sales.goto(`/contacts/${id}?tab=history`)
      await expect(sales.getByRole('list', { name: 'Changes' })).toBeVisible()
      await expect(sales.getByRole('heading', { name: 'Access log' })).toHaveCount(0)
      const page = await open('admin', `/contacts/${id}?tab=history`)
      const seen = page.getByRole('region', { name: 'Access log' })
      await expect(seen.getByRole('listitem').filter({ hasText: 'Sales' })).toContainText(/Viewed/)
      await expectAccessible(page)
      await seen.getByRole('link', { name: 'Open in the audit log' }).click()
      await expect(page).toHaveURL(new RegExp(`/settings/audit-log\\?patient=${id}`))
    })

    test('describes the roles to administrators only', async ({ open }) => {
      const page = await open('admin', '/settings/roles')
      await expect(page.getByRole('heading', { name: 'Roles', exact: true })).toBeVisible()
      if (viewport.width < 768) {
        await page.getByRole('combobox', { name: 'Role' }).click()
        await page.getByRole('option', { name: 'Billing' }).click()
        await expect(page.getByRole('listbox')).toHaveCount(0)
        await expect(page.getByRole('region', { name: 'Restrictions' }).getByText(/^No clinical notes/)).toBeVisible()
        await expect(page.getByText('Delete a tag and remove it from every patient')).toHaveCount(0)
      } else {
        await expect(page.getByRole('region', { name: 'Restrictions' }).getByText(/^No clinical notes/)).toBeVisible()
        const row = page.getByRole('row', { name: /Delete a tag and remove it from every patient/ })
        await expect(row.getByRole('img', { name: 'Yes' })).toHaveCount(1)
        await expect(row.getByRole('img', { name: 'No' })).toHaveCount(4)
      }
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      const desk = await open('frontdesk', '/settings/roles')
      await expect(desk.getByText('Setting not found')).toBeVisible()
    })
  })
}
