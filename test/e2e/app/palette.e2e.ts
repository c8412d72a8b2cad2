import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

const widths = [
  { name: '1440 px', size: { width: 1440, height: 900 } },
  { name: '375 px', size: { width: 375, height: 812 } },
]
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search patients and pages' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const chosen = (page: Page) => palette(page).locator('[role=option][aria-selected=true]')

async function openPalette(page: Page) {
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

/** Creates a patient for this test with a unique name. */
async function createPatient(page: Page, more: Record<string, unknown> = {}) {
  const lastName = `Q${randomUUID().replaceAll('-', '').slice(0, 10)}`
  const answer = await page.request.post('/api/contacts', { data: { firstName: 'Éloïse', lastName, ...more } })
  expect(answer.status()).toBe(200)
  return { ...((await answer.json()) as { id: string }), lastName, name: `Éloïse ${lastName}` }
}

for (const { name, size } of widths) {
  test.describe(name, () => {
    test.use({ viewport: size, contextOptions: { viewport: size } })

    test('finds a patient by name without accents, by any email, and by the last four digits of any number', async ({ open }) => {
      const page = await open('frontdesk', '/')
      const digits = String(Math.floor(1000 + Math.random() * 9000))
      const handle = randomUUID().slice(0, 8)
      const {
        name: full,
        lastName,
        id,
      } = await createPatient(page, {
        email: `home.${handle}@example.com`,
        otherEmails: [`work.${handle}@example.com`],
        phone: '(905) 555-0101',
        otherPhones: [`(289) 733-${digits}`],
      })
      for (const [typed, shown] of [
        [`eloise ${lastName.toLowerCase()}`, `home.${handle}@example.com`],
        [`work.${handle}`, `work.${handle}@example.com`],
        [`733${digits}`, `(289) 733-${digits}`],
      ] as const) {
        await openPalette(page)
        await page.keyboard.type(typed)
        await expect(option(page, full)).toContainText(shown)
        await expect(chosen(page)).toContainText(full)
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(`/contacts/${id}`)
      }
    })

    test('opens a patient, a page and an action by pointer, and lists recently opened patients first', async ({ open }) => {
      const page = await open('sales', '/contacts')
      const first = await createPatient(page)
      const other = await createPatient(page)
      const openByPointer = () =>
        page
          .getByRole('button', { name: /^Search/ })
          .first()
          .click()
      for (const { name: full, lastName, id } of [first, other]) {
        await openByPointer()
        await field(page).fill(lastName)
        await option(page, full).click()
        await expect(page).toHaveURL(`/contacts/${id}`)
        await expect(page.getByRole('heading', { name: full })).toBeVisible()
      }
      await openByPointer()
      await expect(palette(page).getByText('Recent')).toBeVisible()
      await expect(palette(page).getByRole('option').nth(0)).toContainText(other.name)
      await expect(palette(page).getByRole('option').nth(1)).toContainText(first.name)

      // Among matching patients too: the newest Éloïse is another one.
      await createPatient(page)
      await field(page).fill('eloise q')
      await expect(palette(page).getByRole('option').nth(0)).toContainText(other.name)
      await expect(palette(page).getByRole('option').nth(1)).toContainText(first.name)

      await field(page).fill('dark')
      await option(page, 'Dark theme').click()
      await expect(page.locator('html')).toHaveClass(/dark/)
      await openByPointer()
      await field(page).fill('surg')
      await option(page, 'Surgeries').click()
      await expect(page).toHaveURL('/surgeries')
      await openByPointer()
      await field(page).fill('board')
      await option(page, 'Pipeline board').click()
      await expect(page).toHaveURL('/contacts?layout=board')
    })

    test('meets WCAG 2.2 AA with patients, pages and actions', async ({ open }) => {
      const page = await open('provider', '/')
      const { lastName, name: full } = await createPatient(page, { email: `${randomUUID()}@example.com` })
      await openPalette(page)
      await expect(option(page, 'New patient')).toBeVisible()
      for (const typed of ['', lastName]) {
        await field(page).fill(typed)
        if (typed) await expect(option(page, full)).toBeVisible()
        expect(await accessibilityViolations(page, '[data-command-palette]')).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    })
  })
}

test('keeps results while more is typed, and ignores a late response to an earlier query', async ({ open }) => {
  const page = await open('sales', '/')
  const first = await createPatient(page)
  const letters = first.lastName
  // The response for the shorter query arrives after that for the longer one.
  let release = () => {}
  const late = new Promise<void>((resolve) => (release = resolve))
  let heldRequests = 0
  await page.route(
    (url) => url.pathname === '/api/contacts/find' && url.searchParams.get('search') === letters.slice(0, -1),
    async (route) => {
      heldRequests++
      await late
      await route.continue().catch(() => {})
    },
  )
  await openPalette(page)
  await field(page).fill(letters.slice(0, -2))
  await expect(option(page, first.name)).toBeVisible()
  await field(page).fill(letters.slice(0, -1))
  await expect.poll(() => heldRequests).toBe(1)
  await expect(option(page, first.name)).toBeVisible()
  const abandoned = page.waitForEvent('requestfailed', (request) => request.url().includes(`search=${letters.slice(0, -1)}`))
  await field(page).fill(`${letters} no one`)
  await expect(palette(page).getByText(`Nothing matches “${letters} no one”.`)).toBeVisible()
  await abandoned
  release()
  await expect(option(page, first.name)).toBeHidden()
})

test('opens the patient who was typed, not the one shown before, on Enter right after the last key', async ({ open }) => {
  const page = await open('sales', '/')
  const [first, other] = [await createPatient(page), await createPatient(page)]
  await openPalette(page)
  await field(page).fill(first.lastName)
  await expect(option(page, first.name)).toBeVisible()
  await field(page).fill(other.lastName)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/contacts/${other.id}`)
})

test('runs an action of the open patient by keyboard only, and closes with Escape', async ({ open }) => {
  const page = await open('sales', '/')
  const { id, name } = await createPatient(page)
  await page.goto(`/contacts/${id}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await openPalette(page)
  // It is listed once, for the patient.
  await expect(option(page, 'Create Task')).toHaveText(/t$/)
  await page.keyboard.type('log')
  await expect(option(page, 'Log a call')).toBeVisible()
  await expect(palette(page).getByRole('group', { name: 'Actions' }).getByRole('option')).toHaveText([/^Log a call/])
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeHidden()
  await expect(page.getByPlaceholder('Call notes')).toBeFocused()
  await page.keyboard.type('Called from the palette')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('tabpanel').getByText('Called from the palette')).toBeVisible()

  await openPalette(page)
  await expect(chosen(page)).toContainText(name)
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toContainText('Dashboard')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toContainText('Sign Out')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
})

test('clears recently opened patients on sign-out, so that other users do not see them', async ({ open }) => {
  const page = await open('billing', '/')
  const { id, name } = await createPatient(page)
  await page.goto(`/contacts/${id}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const recentEntries = () => page.evaluate(() => Object.entries(sessionStorage).filter(([key]) => key.includes('recent')))
  expect(JSON.stringify(await recentEntries())).toContain(id)
  expect(JSON.stringify(await recentEntries())).not.toContain('Éloïse')
  await openPalette(page)
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/auth')
  expect(await recentEntries()).toEqual([])
})
