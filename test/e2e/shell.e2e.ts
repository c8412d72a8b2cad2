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

test.describe('while a session is ended', () => {
  test.use({ expectedErrors: ['status of 401'] })
  for (const who of ['frontdesk', 'provider']) {
    test(`${who} begins the day with appointments, and comes back to where they were`, async ({ page }) => {
      const signIn = async () => {
        await page.getByLabel('Email').fill(`${who}@refyne.example`)
        await page.getByLabel('Password', { exact: true }).fill(demoPassword)
        await page.getByRole('button', { name: 'Sign In' }).click()
      }
      await page.goto('/auth')
      await signIn()
      await expect(page).toHaveURL('/appointments')
      await expect(page.getByRole('heading', { name: 'Appointments', level: 1 })).toBeVisible()
      await expect(page).toHaveTitle('Appointments · Harbourview')
      await page.goto('/tasks')
      await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
      await page.request.post('/api/auth/sign-out')
      // The page may hear of the end by itself, and leave before it is asked to look.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => {})
      await expect(page).toHaveURL('/auth')
      await signIn()
      await expect(page).toHaveURL('/tasks')
    })
  }
})

test('appointments have an entry of their own, a key, and their old address still leads to them', async ({ open }) => {
  const page = await open('sales', '/tasks')
  await expect(page.getByRole('tab', { name: 'All open' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page).toHaveURL('/appointments')
  await expect(page.getByRole('link', { name: 'Appointments' })).toHaveAttribute('aria-current', 'page')
  await page.goto('/surgeries?tab=appointments&view=day&day=2026-03-02')
  await expect(page).toHaveURL('/appointments?view=day&day=2026-03-02')
  for (const at of ['/appointments', '/surgeries']) {
    await page.goto(at)
    await expect(
      page
        .getByRole('group', { name: 'Layout' })
        .or(page.getByRole('radiogroup', { name: 'Layout' }))
        .getByRole('radio'),
    ).toHaveText(['Day', 'Week', 'Month', 'List'])
  }
})

test('spec 2: the sidebar has its entries in order, collapses by ctrl+B, and remembers that', async ({ open }) => {
  const page = await open('sales', '/')
  const entries = page.getByRole('navigation').first().getByRole('link')
  await expect(entries).toContainText([
    'Dashboard',
    'Patients',
    'Tasks',
    'Inbox',
    'Appointments',
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

test('spec 2: hovering a link to any main section prefetches it, and the rail shows the number on its badge', async ({ open }) => {
  const page = await open('admin', '/contacts')
  await page.route('**/api/inbox/unread/count', (route) => route.fulfill({ json: { count: 7 } }))
  await page.reload()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const [name, file] of [
    ['Appointments', 'AppointmentsPage'],
    ['Reports', 'ReportsPage'],
    ['Collections', 'ReceiptsPage'],
    ['Settings', 'SettingsPage'],
  ] as const) {
    const fetched = page.waitForResponse((response) => response.url().includes(`/assets/${file}-`))
    await links.filter({ hasText: name }).hover()
    expect((await fetched).ok()).toBe(true)
  }
  await page.keyboard.press('Control+b')
  await expect(links.filter({ hasText: 'Inbox' })).toHaveText('Inbox7 unread messages')
  await expect(links.getByText('7', { exact: false }).first()).toBeVisible()
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

test('spec 2: the tasks link is in the header on a phone, too, and nothing there is cut off', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.setViewportSize({ width: 375, height: 812 })
  const header = page.getByRole('banner')
  await expect(header.getByText('Patients', { exact: true })).toBeVisible()
  for (const control of await header.getByRole('button').or(header.getByRole('link')).filter({ visible: true }).all()) {
    const { x, width } = (await control.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(375)
  }
  await header.getByRole('link', { name: 'Tasks', exact: true }).click()
  await expect(page).toHaveURL(/\/tasks/)
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
  await expect(dialog.getByRole('switch', { name: 'Single-key shortcuts' })).toBeInViewport({ ratio: 1 })
})
