import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'

const filterOf = (page: Page) => new URL(page.url()).searchParams.get('filter')
const rows = (page: Page) => page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
const menu = (page: Page) => page.getByRole('dialog', { name: 'Filter' })
const total = (page: Page) => page.getByText(/^\d[\d,]*–\d+ of [\d,]+\+?$/)
const noSidewaysScroll = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
const stageNames = (page: Page) =>
  rows(page).evaluateAll((all) =>
    [...new Set(all.map((row) => row.children[2]?.textContent?.replace(/\d.*/, '').trim() ?? ''))].toSorted((a, b) => a.localeCompare(b)),
  )

/** Expects only these stages in the list; which of them appear depends on other tests. */
const expectOnly = (page: Page, ...stages: string[]) =>
  expect
    .poll(async () => {
      const shown = await stageNames(page)
      return shown.length > 0 && shown.every((name) => stages.includes(name)) ? 'only these' : shown
    })
    .toBe('only these')

test('shows and edits a stage filter given by value in the URL', async ({ open }) => {
  const page = await open('sales', '/contacts?filter=stage:consult_booked')
  await expectOnly(page, 'Consult Booked')
  await page.getByRole('button', { name: 'Stage: Consult Booked' }).click()
  await menu(page).getByRole('option', { name: 'Quote Sent' }).click()
  await expectOnly(page, 'Consult Booked', 'Quote Sent')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Stage: Consult Booked, Quote Sent' })).toBeVisible()
})

test('filters by mouse with several values, negation and any-match, edits and removes chips, and goes back', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Stage', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Consult Booked' }).click()
  await menu(page).getByRole('option', { name: 'Quote Sent' }).click()
  await expectOnly(page, 'Consult Booked', 'Quote Sent')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Stage: Consult Booked, Quote Sent' })).toBeVisible()

  await page.getByRole('button', { name: 'Stage: Consult Booked, Quote Sent' }).click()
  await menu(page).getByRole('radio', { name: 'is not' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Stage: is not Consult Booked, Quote Sent' })).toBeFocused()
  await expect.poll(async () => (await stageNames(page)).filter((name) => name === 'Quote Sent' || name === 'Consult Booked')).toEqual([])

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Consent', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Given', exact: true }).click()
  await expect(menu(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Consent: Given' })).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Which filters a patient must match' }).getByText('Any').click()
  await expect.poll(() => filterOf(page)).toMatch(/^any\|stage!:.*;consent:yes$/)

  await page.reload()
  await expect(page.getByRole('button', { name: 'Consent: Given' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter Stage' }).click()
  await expect.poll(() => filterOf(page)).toBe('consent:yes')
  await page.goBack()
  await expect.poll(() => filterOf(page)).toMatch(/^any\|/)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.poll(() => filterOf(page)).toBeNull()
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
})

test('keeps all values chosen faster than the URL updates', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Stage', exact: true }).click()
  const names = ['Consult Booked', 'Quote Sent', 'Cold Lead', 'Consult Booked']
  const options = await Promise.all(names.map((name) => menu(page).getByRole('option', { name }).elementHandle()))
  await page.evaluate(async (all) => {
    for (const option of all) {
      ;(option as HTMLElement).click()
      // The page renders the selection before anything else happens; the URL takes longer.
      await Promise.resolve()
    }
  }, options)
  await expect(menu(page).getByRole('option', { name: 'Cold Lead' })).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Stage: Quote Sent, Cold Lead' })).toBeVisible()
  await expectOnly(page, 'Cold Lead', 'Quote Sent')
  await page.goBack()
  await expect.poll(() => filterOf(page)).toBeNull()
  await expect(page.getByRole('button', { name: /^Stage: / })).toHaveCount(0)
})

test('filters by keyboard only', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(total(page)).toBeVisible()
  await page.keyboard.press('Shift+F')
  await expect(menu(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('cold')
  await expect(menu(page).getByRole('option', { name: 'Stage: Cold Lead' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expectOnly(page, 'Cold Lead')

  await page.keyboard.press('Enter') // focus is back on Filter
  await page.keyboard.type('owner')
  await page.keyboard.press('Enter')
  await expect(menu(page).getByRole('combobox', { name: 'Owner' })).toBeFocused()
  await page.keyboard.press('Enter') // Me
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter') // No one
  await expect.poll(() => filterOf(page)).toMatch(/;owner:me,none$/)
  await page.keyboard.press('Backspace')
  await expect(menu(page).getByRole('combobox', { name: 'Filter' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Owner: Me, No one' }).focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Owner: Me, No one' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Stage: Cold Lead' })).toBeVisible()
})

test('filters by date range, and names the filters of an empty list', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Added', exact: true }).click()
  await menu(page).getByLabel('From').fill('1999-01-01')
  await menu(page).getByLabel('To').fill('1999-12-31')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Added: Jan 1, 1999 to Dec 31, 1999' })).toBeVisible()
  await expect(page.getByText('1 filter is on: Added.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows(page).first()).toBeVisible()
})

test('filters by a typed city, ignoring case and accents', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const city = `Sainte-Thérèse ${randomUUID().slice(0, 6)}`
  const created = await page.request.post('/api/contacts', { data: { firstName: 'Odile', lastName: 'Bégin', city } })
  expect(created.status()).toBe(200)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'City', exact: true }).click()
  await expect(menu(page).getByRole('textbox', { name: 'City' })).toBeFocused()
  const typed = city.toUpperCase().replaceAll('É', 'E').replaceAll('È', 'E')
  await page.keyboard.type(typed)
  await page.keyboard.press('Enter')
  await expect(menu(page).getByRole('checkbox', { name: typed })).toBeChecked()
  await expect(menu(page).getByRole('textbox', { name: 'City' })).toHaveValue('')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Odile')
  await menu(page).getByRole('checkbox', { name: 'None' }).check()
  await expect.poll(() => filterOf(page)).toBe(`city:${typed},none`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `City: ${typed}, None` })).toBeVisible()
})

test('selects what the URL filters for a bulk change', async ({ open }) => {
  const page = await open('sales', '/contacts?filter=consent:yes;nonsense:1')
  await expect.poll(() => filterOf(page)).toContain('consent:yes')
  await expect(page.getByRole('button', { name: 'Consent: Given' })).toBeVisible()
  const shown = (await total(page).textContent())?.split(' of ')[1] ?? ''
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  await page.getByRole('button', { name: `Select all ${shown}` }).click()
  await expect(page.getByText(`${shown} selected`)).toBeVisible()
})

test('filters on a phone', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.setViewportSize({ width: 375, height: 740 })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await menu(page).getByRole('option', { name: 'Next follow-up', exact: true }).click()
  await expect(menu(page).getByLabel('From')).toBeInViewport()
  await menu(page).getByRole('option', { name: 'Overdue' }).click()
  await expect(page.getByRole('button', { name: 'Next follow-up: Overdue' })).toBeVisible()
  await expect.poll(() => page.getByRole('list', { name: 'Patients' }).getByText('Next follow-up overdue').count()).toBeGreaterThan(0)
  expect(await noSidewaysScroll(page)).toBe(true)
  const heights = await page
    .getByRole('button', { name: /Filter|follow-up|Clear/ })
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetHeight))
  expect(heights.every((height) => height >= 34)).toBe(true)
})

test('ignores invalid parts of a URL and shows the list', async ({ open }) => {
  for (const address of ['/contacts?filter=x:y', '/contacts?sort=evil', '/contacts?page=-3', '/contacts?filter=source-group:%2500']) {
    const page = await open('sales', address)
    await expect(rows(page).first()).toBeVisible()
    await page.context().close()
  }
  const page = await open('sales', '/contacts/board')
  await expect(page.getByText('Patient not found')).toBeVisible()
})
