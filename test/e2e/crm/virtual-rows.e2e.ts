import type { Page } from '@playwright/test'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient } from '../pages/patient.ts'

const footer = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const rows = (page: Page) => page.locator('[data-row]')

/** The patient in the first visible row, once loaded, and its distance below the list's header in px. */
async function topRow(page: Page): Promise<{ id: string; offset: number }> {
  const found = await page.waitForFunction(() => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => ({
      id: row.dataset.row!,
      offset: row.getBoundingClientRect().top - row.closest('.overflow-y-auto')!.getBoundingClientRect().top,
    }))
    return all.filter(({ offset }) => offset >= 34).toSorted((a, b) => a.offset - b.offset)[0]
  })
  return found.jsonValue() as Promise<{ id: string; offset: number }>
}

async function wheel(page: Page, by: number): Promise<void> {
  await rows(page).first().waitFor()
  const box = (await page.locator('main').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, by)
}

test('scrolls the whole list by mouse, updates the URL, and restores the position to the pixel', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await wheel(page, 3333)
  await expect(page).toHaveURL(/\?page=2$/)
  await expect(footer(page)).toContainText(/^7\d–\d\d of \d{3}/)
  const left = await topRow(page)

  await page.locator(`[data-row="${left.id}"] a`).click()
  await expect(page).toHaveURL(`/contacts/${left.id}`)
  await page.goBack()
  await expect(page).toHaveURL(/\?page=2$/)
  await expect.poll(() => topRow(page)).toEqual(left)

  await wheel(page, 100_000)
  await expect(footer(page)).toContainText(/–(\d{3}) of \1/)
  await expect(rows(page).last()).toBeVisible()
  // One history entry, however far it was scrolled.
  await page.goBack()
  await expect(page).not.toHaveURL(/\/contacts\b/)
})

test('opens the page of a link, and moves by pages with the arrows', async ({ open }) => {
  const page = await open('sales', '/contacts?page=4')
  await expect(footer(page)).toContainText(/^151–/)
  await footer(page).getByRole('button', { name: 'Next page' }).click()
  await expect(footer(page)).toContainText(/^201–/)
  await expect(page).toHaveURL(/page=5/)
  await footer(page).getByRole('button', { name: 'Previous page' }).click()
  await expect(footer(page)).toContainText(/^151–/)
  await page.goto('/contacts?page=9999')
  await expect(footer(page)).toContainText(/–(\d{3}) of \1/)
})

test('moves by row, screen and list by keyboard, with the focus on the patient', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(rows(page).first()).toBeVisible()
  const table = page.getByRole('table', { name: 'Patients' })
  const total = Number(await table.getAttribute('aria-rowcount')) - 1
  const focused = () => page.evaluate(() => Number(document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex')) - 2)

  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe(0)
  await page.keyboard.press('PageDown')
  await expect.poll(focused).toBeGreaterThan(5)
  await page.keyboard.press('End')
  await expect.poll(focused).toBe(total - 1)
  await expect(page.locator('a:focus')).toBeVisible()
  await page.keyboard.press('k')
  await expect.poll(focused).toBe(total - 2)
  // After scrolling far away, the focus stays on the patient, and the next key continues from there.
  await wheel(page, -100_000)
  await expect(footer(page)).toContainText(/^1–/)
  await expect.poll(focused).toBe(total - 2)
  await page.keyboard.press('k')
  await expect.poll(focused).toBe(total - 3)
  await expect(page.locator('a:focus')).toBeInViewport()
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe(0)
  await page.keyboard.press('?')
  for (const label of ['Next row', 'Page down', 'First row', 'Last row', 'Select', 'Edit', 'Search the list'])
    await expect(page.getByRole('dialog').getByText(label).first()).toBeVisible()
})

test('selects a range across rows that were never rendered', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(rows(page).first()).toBeVisible()
  const total = Number(await page.getByRole('table', { name: 'Patients' }).getAttribute('aria-rowcount')) - 1
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('End')
  await expect(page.locator('a:focus')).toBeVisible()
  await page.keyboard.press('Shift+X')
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText(`${total} selected`)
  // Deselects the focused row, wherever it is in the list.
  await page.keyboard.press('x')
  await expect(bar).toContainText(`${total - 1} selected`)
})

test.describe('a page that fails to load', () => {
  const pageFive = /\/api\/contacts\?.*page=5\b/
  test.use({ expectedErrors: ['503', 'Failed to load resource'] })
  test('appears as one row with Retry; the others stay', async ({ open }) => {
    const page = await open('sales', '/contacts')
    await rows(page).first().waitFor()
    await page.route(pageFive, (route) => route.fulfill({ status: 503 }))
    await wheel(page, 44 * 205)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByText('Failed to load contacts.')).toHaveCount(1)
    await page.unroute(pageFive)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText('Failed to load contacts.')).toBeHidden()
  })
})

async function addPatients(page: Page, clinic: Clinic, ...names: string[]) {
  for (const firstName of names) {
    const created = await page.request.post('/api/contacts', { data: { firstName, lastName: 'Above' }, headers: { origin: clinic.url } })
    expect(created.ok()).toBe(true)
  }
}

test('keeps visible rows in place when new patients are added at the top', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  // A page that is first scrolled to after the patients were added already has room for them.
  const next = page.waitForResponse(/\/api\/contacts\?page=2/)
  await wheel(page, 2000)
  await next
  await expect(footer(page)).not.toContainText(/^1–/)
  const seen = await topRow(page)
  await addPatients(page, clinic, 'Umi', 'Vera')
  await expect(page.getByRole('button', { name: '2 new above' })).toBeVisible()
  expect(await topRow(page)).toEqual(seen)
  await page.getByRole('button', { name: '2 new above' }).click()
  await expect(page.getByText('Vera Above')).toBeInViewport()
})

test('shows changes from before the event stream was open (spec 9)', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const gate = Promise.withResolvers<void>()
  await page.route(/\/api\/events/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  await expect(rows(page).first()).toBeVisible()
  await addPatients(page, clinic, 'Wren')
  gate.resolve()
  await expect(page.getByText('Wren Above')).toBeVisible()
})

test('scrolls the cards to the last patient on a phone, and returns to the position from a record', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.setViewportSize({ width: 375, height: 812 })
  await wheel(page, 5000)
  await expect(page).toHaveURL(/page=2/)
  const left = await topRow(page)
  await page.locator(`[data-row="${left.id}"] a`).click()
  await expect(page).toHaveURL(`/contacts/${left.id}`)
  await page.goBack()
  await expect.poll(() => topRow(page)).toEqual(left)
  await wheel(page, 100_000)
  await expect(footer(page)).toContainText(/–(\d{3}) of \1/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true)
})

test('fits untruncated content in its cell, however long someone has been in a stage', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const id = await createPatient(page, clinic, { firstName: 'Wim', email: `${crypto.randomUUID()}@elsewhere.example` }, [])
  await clinic.rows("update contacts set stage_entered_at = now() - interval '58 minutes' where id = $1", [id])
  await page.reload()
  await rows(page).first().waitFor()
  const tooLong = () =>
    page
      .getByRole('cell')
      .or(page.getByRole('columnheader'))
      .evaluateAll((cells) =>
        cells.flatMap((cell) =>
          [cell, ...cell.querySelectorAll('a, div, span')]
            .filter((box) => getComputedStyle(box).overflowX === 'visible' && box.scrollWidth > box.clientWidth && box.clientWidth > 0)
            .map((box) => box.textContent),
        ),
      )
  const check = async () => {
    for (const term of ['', 'w', '@', 'ü']) {
      await page.getByRole('searchbox').fill(term)
      await expect(page.getByRole('table', { name: 'Patients' })).toBeVisible()
      expect(await tooLong()).toEqual([])
    }
  }
  await check()
  // Columns at their minimum width.
  const shown = ['stage', 'procedure', 'phone', 'source', 'owner', 'followUp', 'lastContact']
  await page.evaluate(
    (columns) => localStorage.setItem('refyne.list-columns', columns),
    JSON.stringify({ shown, widths: Object.fromEntries(shown.map((id) => [id, 72])) }),
  )
  await page.reload()
  await rows(page).first().waitFor()
  await check()
})
