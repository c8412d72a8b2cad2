import { demoPassword, expect, test } from './clinic.ts'
import { drawn } from './drawn.ts'

test('spec 2: a signed-out visitor of a guarded page is led to /auth, and after sign-in to the dashboard', async ({ page }) => {
  await page.goto('/contacts')
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill('sales@refyne.example')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await expect(page).toHaveURL('/')
})

test('spec 2: the sidebar has its entries in order, collapses by ctrl+B, and remembers that', async ({ open }) => {
  const page = await open('sales', '/')
  const entries = page.getByRole('navigation').first().getByRole('link')
  await expect(entries).toContainText([
    'Dashboard',
    'Patients',
    'Tasks',
    'Inbox',
    'Surgeries',
    'Reports',
    'Collections',
    'Email',
    'Settings',
  ])
  await page.keyboard.press('Control+b')
  await expect.poll(async () => (await page.context().cookies()).find((cookie) => cookie.name === 'sidebar_state')?.value).toBe('false')
  await page.reload()
  await expect(page.getByText('Plastic Surgery, Oakville')).toBeHidden()
})

test('who uses it: the sidebar, the palette and the keys lead nowhere that a role may not go', async ({ open }) => {
  const page = await open('provider', '/')
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(entries.filter({ hasText: 'Patients' })).toBeVisible()
  await expect(entries.filter({ hasText: 'Surgeries' })).toBeVisible()
  for (const hidden of ['Inbox', 'Collections']) await expect(entries.filter({ hasText: hidden })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search patients and pages' }).fill('inbox')
  await expect(page.getByRole('option', { name: 'Inbox' })).toHaveCount(0)
})

test('spec 2: below 768 px the sidebar is a drawer that Escape closes', async ({ open }) => {
  const page = await open('sales', '/')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Patients' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('spec 2: any other path shows the 404 page with its link home', async ({ open }) => {
  const page = await open('sales', '/nowhere/at-all')
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('spec 2: signing out of one tab ends the other tab too', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const other = await page.context().newPage()
  await other.goto('/contacts')
  await expect(other.getByRole('link', { name: 'Patients' }).first()).toBeVisible()
  await page
    .getByRole('button', { name: /account|priya|avatar|menu/i })
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(other).toHaveURL('/auth')
})

/** {patient} and {other} stand for the ids of two of the list. */
const pages = ['/contacts', '/contacts?layout=board', '/contacts/new', '/contacts/import', '/contacts/duplicates', '/contacts/{patient}']
const further = ['/contacts/{patient}/edit', '/contacts/{patient}/merge?with={other}']

for (const [width, height] of [
  [1440, 900],
  [375, 812],
] as const) {
  test(`at ${width} pixels the pages scroll inside the window; the document itself does not`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    const links = page.getByRole('table', { name: 'Patients' }).getByRole('link')
    const idOf = async (index: number) => (await links.nth(index).getAttribute('href'))!.split('/').at(-1)!
    const [patient, other] = [await idOf(0), await idOf(1)]
    await page.setViewportSize({ width, height })
    for (const path of [...pages, ...further]) {
      await page.goto(path.replace('{patient}', patient).replace('{other}', other))
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await drawn(page)
      const size = await page.evaluate(() => [document.scrollingElement!.scrollWidth, document.scrollingElement!.scrollHeight])
      expect([path, ...size]).toEqual([path, width, height])
    }
  })
}

test.describe('offline', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'ERR_INTERNET_DISCONNECTED'] })

  test('a search says that it did not load over the rows from before, and is made when the connection is back', async ({ open }) => {
    const page = await open('sales', '/contacts')
    const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    await page.context().setOffline(true)
    await page.getByRole('searchbox').fill('zzzz')
    await expect(page.getByRole('alert').filter({ hasText: 'What you see is not what you asked for' })).toBeVisible()
    await expect(rows.first()).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByText('No patient matches “zzzz”')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test('the list of shortcuts names each key in words, nothing twice, and shows the switch for the letters without scrolling', async ({
  open,
}) => {
  const page = await open('sales', '/contacts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
  await expect(dialog.getByText('Page down', { exact: true })).toBeVisible()
  await expect(dialog.getByText(/^(pagedown|pageup|home|end|left|right|space)$/)).toHaveCount(0)
  await expect(dialog.getByRole('listitem').filter({ hasText: /^Next row/ })).toHaveCount(1)
  await expect(dialog.getByRole('switch', { name: 'Letter keys' })).toBeInViewport({ ratio: 1 })
})
