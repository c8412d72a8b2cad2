import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const isStatus = (url: URL) => url.pathname === '/api/system'
/** A status with a failing connection, a failed job and an error: what a healthy clinic does not show. */
const showProblems = (page: Page) =>
  page.route(isStatus, async (route) => {
    const answer = await route.fetch()
    const status = (await answer.json()) as { systems: { vendor: string }[]; queue: object }
    const at = new Date().toISOString()
    const problem = { message: 'A call failed', level: 'error', kind: 'DatabaseError', where: 'tags.list', count: 2, lastAt: at }
    await route.fulfill({
      response: answer,
      json: {
        ...status,
        queue: { ...status.queue, oldestDueAt: at, failed: [{ job: 'mail.send', count: 3, lastErrorKind: 'Error' }] },
        systems: status.systems.map((one) =>
          one.vendor === 'quickbooks' ? { ...one, state: 'failing', failure: 'credentials', failingSince: at } : one,
        ),
        failures: [{ ...problem, requestId: '6e033390-3498-405b-9f2d-e9775a3b3287' }],
      },
    })
  })

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } })

    for (const colorScheme of ['light', 'dark'] as const) {
      test(`shows an administrator versions, jobs, connections and errors (${colorScheme})`, async ({ open }) => {
        const page = await open('admin', '/settings/profile')
        await page.emulateMedia({ colorScheme })
        await showProblems(page)
        await page.goto('/settings/system')
        await expect(page.getByRole('region', { name: 'Server' })).toContainText('Migrations')
        const connections = page.getByRole('list', { name: 'Connections' })
        await expect(connections.getByRole('listitem').filter({ hasText: 'QuickBooks' })).toContainText(
          'connect the company again under Integrations',
        )
        await expect(page.getByRole('list', { name: 'Failed jobs' })).toContainText('3 failed')
        await expect(page.getByRole('list', { name: 'Recent errors' })).toContainText('Request ID 6e033390')
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      })
    }
  })
}

test('refreshes by keyboard, and offers another try when it could not be loaded', async ({ open, expectedErrors }) => {
  expectedErrors.push('500')
  const page = await open('admin', '/settings/profile')
  await page.route(isStatus, (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_SERVER_ERROR', message: 'Please quote 1.' } }))
  await page.goto('/settings/system')
  await expect(page.getByText('Couldn’t load the system status')).toBeVisible()
  await page.unroute(isStatus)
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await expect(refresh).toBeVisible()
  const again = page.waitForResponse((response) => isStatus(new URL(response.url())))
  await refresh.press('Enter')
  expect((await again).status()).toBe(200)
  await expect(refresh).toBeFocused()
})

test('is for administrators only', async ({ open }) => {
  const page = await open('frontdesk', '/settings/system')
  await expect(page.getByText('Setting not found')).toBeVisible()
})
