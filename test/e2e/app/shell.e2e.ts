import type { Locator, Page } from '@playwright/test'
import { demoPassword, expect, test } from '../support/clinic.ts'
import { waitForRender } from '../support/wait-for-render.ts'

test('redirects a signed-out visitor to /auth, and to the dashboard after signing in (spec 2)', async ({ page }) => {
  await page.goto('/contacts')
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill('sales@refyne.example')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/auth')
  await expect(page).toHaveURL('/')
})

test.describe('with an ended session', () => {
  test.use({ expectedErrors: ['status of 401'] })
  for (const who of ['frontdesk', 'provider']) {
    test(`starts ${who} on appointments, and returns them to their last page`, async ({ page }) => {
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
      // The page may learn that the session ended and leave before it is checked.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => {})
      await expect(page).toHaveURL('/auth')
      await signIn()
      await expect(page).toHaveURL('/tasks')
    })
  }
})

test('gives appointments a menu entry and a key, and redirects the old URL', async ({ open }) => {
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

test('shows the sidebar entries in order, collapses with Ctrl+B, and remembers it (spec 2)', async ({ open }) => {
  const page = await open('sales', '/')
  const entries = page.getByRole('navigation').first().getByRole('link')
  await expect(entries).toContainText([
    'Dashboard',
    'Patients',
    'Tasks',
    'Inbox',
    'Appointments',
    'Surgeries',
    'Gallery',
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

test.describe('on a first visit', () => {
  /** KB of script as the server sent it. Nothing is loaded ahead. */
  async function scriptsOf(page: Page, at: string, shown: Locator): Promise<number> {
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.goto(at)
    await expect(shown).toBeVisible()
    return page.evaluate(() => {
      const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return files.filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000
    })
  }

  test('loads at most 88 KB of script to sign in', async ({ page }) => {
    expect(await scriptsOf(page, '/auth', page.getByRole('button', { name: 'Sign In' }))).toBeLessThan(88)
  })

  test('loads at most 178 KB of script to show the list of patients', async ({ open }) => {
    const page = await open('sales', '/contacts')
    expect(await scriptsOf(page, '/contacts', page.locator('[data-row]').first())).toBeLessThan(178)
  })
})

test('prefetches a main section on hover, and shows badge counts on the collapsed sidebar (spec 2)', async ({ open }) => {
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

test('marks the clicked section before it renders the page, and renders it at once after a key', async ({ open }) => {
  const page = await open('sales', '/tasks')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  /** Of the frame that follows the event. */
  const nextFrame = (event: 'click' | 'keydown') =>
    page.evaluate(
      (name) =>
        new Promise<(string | undefined)[]>((resolve) => {
          const texts = () => ['nav [aria-current=page]', 'h1'].map((selector) => document.querySelector(selector)?.textContent)
          addEventListener(
            name,
            (pressed) => {
              if (!(pressed instanceof KeyboardEvent) || pressed.key === 'd') requestAnimationFrame(() => resolve(texts()))
            },
            { capture: true },
          )
        }),
      event,
    )
  const dashboard = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard', exact: true })
  const clicked = nextFrame('click')
  await dashboard.click()
  expect(await clicked).toEqual(['Dashboard', 'Tasks'])
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  const pressed = nextFrame('keydown')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  expect(await pressed).toEqual(['Dashboard', 'Dashboard'])
})

test('offers no forbidden pages in the sidebar, the palette or the shortcuts (PRODUCT.md "Who uses it")', async ({ open }) => {
  const page = await open('provider', '/')
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(entries.filter({ hasText: 'Patients' })).toBeVisible()
  await expect(entries.filter({ hasText: 'Surgeries' })).toBeVisible()
  for (const hidden of ['Inbox', 'Collections']) await expect(entries.filter({ hasText: hidden })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search patients and pages' }).fill('inbox')
  await expect(page.getByRole('option', { name: 'Inbox' })).toHaveCount(0)
})

test('turns the sidebar into a drawer below 768 px that Escape closes (spec 2)', async ({ open }) => {
  const page = await open('sales', '/')
  await page.setViewportSize({ width: 375, height: 812 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Patients' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('shows the tasks link in the header on a phone, without truncation (spec 2)', async ({ open }) => {
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

test('signs out the other tab too (spec 2)', async ({ open }) => {
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

/** {patient} and {other} stand for the ids of two listed patients. */
const pages = ['/contacts', '/contacts?layout=board', '/contacts/new', '/contacts/import', '/contacts/duplicates', '/contacts/{patient}']
const further = ['/contacts/{patient}/edit', '/contacts/{patient}/merge?with={other}']

for (const [width, height] of [
  [1440, 900],
  [375, 812],
] as const) {
  test(`scrolls pages inside the window, not the document, at ${width} px`, async ({ open }) => {
    const page = await open('sales', '/contacts')
    const links = page.getByRole('table', { name: 'Patients' }).getByRole('link')
    const idOf = async (index: number) => (await links.nth(index).getAttribute('href'))!.split('/').at(-1)!
    const [patient, other] = [await idOf(0), await idOf(1)]
    await page.setViewportSize({ width, height })
    for (const path of [...pages, ...further]) {
      await page.goto(path.replace('{patient}', patient).replace('{other}', other))
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await waitForRender(page)
      const size = await page.evaluate(() => [document.scrollingElement!.scrollWidth, document.scrollingElement!.scrollHeight])
      expect([path, ...size]).toEqual([path, width, height])
    }
  })
}

test.describe('when offline', () => {
  test.use({ expectedErrors: ['Failed to load resource', 'ERR_INTERNET_DISCONNECTED'] })

  test('keeps the previous rows with an error while a search fails offline, and searches when back online', async ({ open }) => {
    const page = await open('sales', '/contacts')
    const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    await page.context().setOffline(true)
    await page.getByRole('searchbox').fill('zzzz')
    await expect(page.getByRole('alert').filter({ hasText: 'These are the previous results.' })).toBeVisible()
    await expect(rows.first()).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByText('No patient matches “zzzz”')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test('describes each shortcut once, and shows the switch for single-key shortcuts without scrolling', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Shortcuts' })
  await expect(dialog.getByText('Page down', { exact: true })).toBeVisible()
  await expect(dialog.getByText(/^(pagedown|pageup|home|end|left|right|space)$/)).toHaveCount(0)
  await expect(dialog.getByRole('listitem').filter({ hasText: /^Next row/ })).toHaveCount(1)
  await expect(dialog.getByRole('switch', { name: 'Single-key shortcuts' })).toBeInViewport({ ratio: 1 })
})
