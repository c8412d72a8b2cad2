import { expect, test } from '../support/clinic.ts'

test('finds an answer in Help and leads back to the screen it speaks of', { tag: '@journey' }, async ({ open }) => {
  const page = await open('billing', '/tasks')
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await expect(page).toHaveURL('/help')
  await expect(page.getByRole('region', { name: 'For your role' }).getByRole('link')).toHaveText(/^Billing/)
  await expect(page.getByRole('region', { name: 'For other roles' }).getByRole('link')).toHaveCount(4)

  // The search needs no server. What the frame around it asks for by itself may come at any moment.
  const requests: string[] = []
  const ofFrame = ['/api/auth/activity', '/api/bulk-changes/current']
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.keyboard.press('/')
  await page.keyboard.type('pending receipts')
  const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
  await expect(results.first()).toContainText('Pending receipts · Payments')
  await expect(page).toHaveURL('/help?q=pending+receipts')
  expect(requests.filter((path) => !ofFrame.includes(path))).toEqual([])

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/help/payments#pending-receipts')
  await expect(page.getByRole('heading', { name: 'Pending receipts' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Pending receipts' })).toBeInViewport()
  await expect(page).toHaveTitle('Payments · Harbourview')

  await page.getByRole('article').getByRole('link', { name: 'Collections, Pending' }).click()
  await expect(page).toHaveURL('/collections?tab=pending')
  await expect(page.getByRole('tab', { name: /^Pending/ })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible()
})

test('opens from the command palette, and from a screen in a new tab at the right section', async ({ open }) => {
  const page = await open('sales', '/tasks')
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search patients and pages' })).toBeFocused()
  await page.keyboard.type('help')
  await page.getByRole('option', { name: 'Help' }).click()
  await expect(page).toHaveURL('/help')

  await page.goto('/contacts/duplicates?show=dismissed')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: /^How duplicates are found/ }).click()
  const guide = await opened
  await expect(guide).toHaveURL('/help/leads-and-patients#possible-duplicates')
  await expect(guide.getByRole('heading', { name: 'Possible duplicates' })).toBeInViewport()
})

test('says what to do for a search without results and for a page that does not exist', async ({ open }) => {
  const page = await open('provider', '/help?q=zzzz')
  await expect(page.getByText('Nothing in help matches “zzzz”')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await expect(page.getByRole('region', { name: 'Job by job' })).toBeVisible()
  await page.goto('/help/nothing')
  await expect(page.getByText('Help page not found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all help pages' }).click()
  await expect(page).toHaveURL('/help')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 }, contextOptions: { viewport: { width: 375, height: 812 } } })

  test('opens Help from the menu, and returns to the list of pages', async ({ open }) => {
    const page = await open('frontdesk', '/tasks')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Help' }).click()
    await expect(page).toHaveURL('/help')
    await page.getByRole('link', { name: /^Front desk/ }).click()
    await expect(page.getByRole('heading', { name: 'Front desk', level: 1 })).toBeVisible()
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(375)
    await page.getByRole('link', { name: 'All help' }).click()
    await expect(page).toHaveURL('/help')
  })
})
