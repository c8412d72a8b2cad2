import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { waitForRender } from '../support/wait-for-render.ts'

test('moves twenty patients by keyboard and back with Undo', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
  await expect(rows.first()).toBeVisible()
  const stages = () => rows.evaluateAll((all) => all.slice(0, 20).map((row) => row.children[2]?.textContent?.replace(/\d.*/, '').trim()))
  const before = await stages()

  await page.keyboard.press('j')
  await page.keyboard.press('x')
  for (let i = 0; i < 19; i++) await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText('20 selected')
  await page.keyboard.press('s')
  await page.getByRole('menuitem', { name: 'Quote Sent' }).press('Enter')

  const toast = page.getByRole('status').filter({ hasText: 'moved to Quote Sent' })
  await expect(toast).toBeVisible()
  await expect(bar).toBeHidden()
  await expect.poll(stages).toEqual(Array.from({ length: 20 }, () => 'Quote Sent'))
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Undone for \d+ patients$/)).toBeVisible()
  await expect.poll(stages).toEqual(before)
})

test('assigns a page and then all matches by mouse, and keeps the rest when one is deselected', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText('50 selected')
  await bar.getByRole('button', { name: /^Select all/ }).click()
  await expect(bar).toContainText(/\d{3} selected/)
  await page.getByRole('table').getByRole('checkbox').nth(1).click()
  await expect(bar).toContainText('49 selected')
  await bar.getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('menuitem', { name: 'Devon Achebe' }).click()
  await expect(page.getByText(/patients? assigned to Devon Achebe/)).toBeVisible()
  await expect(bar).toBeHidden()
})

test('sets the follow-up of the focused row when nothing is selected, and clears a selection with Escape', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('s') // nothing is selected or focused
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'No follow-up' }).press('Enter')
  await expect(page.getByText(/^1 patient now without a follow-up$|^Nothing to change$/)).toBeVisible()
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: /In a week/ }).press('Enter')
  await expect(page.getByText(/^1 patient set to follow up/)).toBeVisible()
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText('1 selected')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
})

test('exports the selected patients, or all matches, with the columns of the list', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
  await expect(rows.first()).toBeVisible()
  const names = await rows.getByRole('link').evaluateAll((links) => links.slice(0, 2).map((link) => link.textContent.trim()))
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText('2 selected')
  const lines = async (press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^patients-\d{4}-\d{2}-\d{2}\.csv$/)
    return fs
      .readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
  }
  const exporting = bar.getByRole('button', { name: 'Export' })
  const [head, ...two] = await lines(() => exporting.press('Enter'))
  expect(head).toMatch(/^\uFEFF?First name,Last name,Stage,/i)
  expect(two.map((line) => line.split(',').slice(0, 2).join(' ')).toSorted()).toEqual(names.toSorted())

  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  await bar.getByRole('button', { name: /^Select all/ }).click()
  expect((await lines(() => exporting.click())).length).toBeGreaterThan(51)
})

test('does not offer the export to roles without it', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar.getByRole('button', { name: 'Stage' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Export' })).toHaveCount(0)
})

test('sets a follow-up on any day from today, in the practice’s calendar', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Choose a date…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set follow-up date' })
  const day = dialog.getByLabel('Date')
  await day.fill('2020-01-31')
  await day.press('Enter')
  await expect(dialog.getByText('Choose today or a later day')).toBeVisible()
  await day.fill('2031-05-17')
  await day.press('Enter')
  await expect(page.getByText(/^1 patient set to follow up May 17, 2031$/)).toBeVisible()
})

/** Creates patients for this test, with this last name. */
async function addPatients(page: Page, lastName: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const response = await page.request.post('/api/contacts', { data: { firstName: `Number${i}`, lastName } })
    expect(response.status()).toBe(200)
  }
}

test('deletes patients after confirmation and restores them with Undo', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await addPatients(page, 'Bulkgone', 3)
  await page.goto('/contacts?search=Bulkgone')
  const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
  await expect(rows).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 patients?' })
  await expect(dialog).toContainText('You can undo this for 24 hours.')
  await dialog.getByRole('button', { name: 'Delete 3 patients' }).click()
  const toast = page.getByRole('status').filter({ hasText: '3 patients deleted' })
  await expect(page.getByText(/No patients? match/i)).toBeVisible()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone for 3 patients')).toBeVisible()
  await expect(rows).toHaveCount(3)
})

test('requires typing the count to delete more than fifty patients, and offers no Undo for permanent deletion', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await addPatients(page, 'Bulkmany', 51)
  await page.goto('/contacts?search=Bulkmany')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+a')
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await bar.getByRole('button', { name: 'Select all 51' }).press('Enter')
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete 51 patients?' })
  const field = dialog.getByLabel('Type 51 to confirm')
  await expect(field).toBeFocused()
  await field.fill('50')
  await field.press('Enter')
  await expect(dialog.getByText('Type 51', { exact: true })).toBeVisible()
  await field.fill('51')
  await dialog.getByRole('checkbox', { name: 'Delete permanently' }).press('Space')
  await expect(dialog).toContainText('This cannot be undone.')
  await field.press('Enter')
  const toast = page.getByRole('status').filter({ hasText: '51 patients deleted permanently' })
  await expect(toast).toBeVisible()
  await expect(toast.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('selects cards by tap at 375 px, with a bar that fits and scrolls horizontally', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.setViewportSize({ width: 375, height: 812 })
  await addPatients(page, 'Bulkphone', 3)
  await page.goto('/contacts?search=Bulkphone')
  const cards = page.getByRole('list', { name: 'Patients' }).getByRole('listitem')
  await expect(cards).toHaveCount(3)
  const select = page.getByRole('button', { name: 'Select', exact: true })
  await select.click()
  await cards.nth(0).click()
  await cards.nth(2).getByRole('checkbox').press('Space')
  await expect(cards.nth(1).getByRole('checkbox')).not.toBeChecked()
  await expect(page).toHaveURL(/\/contacts\?search=Bulkphone/)
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await expect(bar).toContainText('2 selected')
  const box = (await bar.boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(375)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await page.screenshot({ path: test.info().outputPath('selecting.png') })

  await bar.getByRole('button', { name: 'Follow-up' }).click()
  await page.getByRole('menuitem', { name: /In a week/ }).click()
  await expect(page.getByText(/^2 patients set to follow up/)).toBeVisible()
  await expect(select).toHaveAttribute('aria-pressed', 'false')
  await expect(cards.nth(0).getByRole('link')).toBeVisible()

  await select.click()
  await cards.nth(1).click()
  await expect(bar).toContainText('1 selected')
  await select.click()
  await expect(bar).toBeHidden()
  await cards.nth(1).click()
  await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}/)
})

test('restores deleted patients from the menu', async ({ open }) => {
  const page = await open('admin', '/contacts')
  await addPatients(page, 'Bulkback', 2)
  await page.goto('/contacts?search=Bulkback')
  const rows = page.getByRole('table', { name: 'Patients' }).locator('[data-row]')
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  await page.getByRole('toolbar', { name: 'Selected patients' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete 2 patients' }).click()
  await expect(page.getByText(/No patient matches/)).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Deleted patients' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deleted patients' })
  await dialog.getByRole('listitem').filter({ hasText: '2 patients' }).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('Undone for 2 patients')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(rows).toHaveCount(2)
})

/** Selects all 300 patients, tags them and confirms. */
async function tagAllPatients(page: Page): Promise<string> {
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await bar.getByRole('button', { name: /^Select all/ }).click()
  const count = /^[\d,]+/.exec((await bar.textContent()) ?? '')?.[0] ?? ''
  await bar.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('menuitem').first().click()
  await page
    .getByRole('dialog', { name: `Tag ${count} patients?` })
    .getByRole('button', { name: `Tag ${count} patients` })
    .click()
  return count
}

test('keeps the progress of a bulk change across navigation and reload, and ends with its result and Undo', async ({ open }) => {
  const page = await open('billing', '/contacts')
  // Simulate a long-running change.
  let isLong = true
  await page.route('**/api/bulk-changes/current', async (route) => {
    const response = await route.fetch()
    const mine = (await response.json()) as { status: string }[]
    await route.fulfill({ response, json: isLong ? mine.map((one) => ({ ...one, status: 'running' })) : mine })
  })
  await tagAllPatients(page)
  const progress = page.getByRole('toolbar', { name: 'Progress' })
  await expect(progress).toContainText(/Changing [\d,]+ of [\d,]+…/)
  await page.getByRole('table', { name: 'Patients' }).locator('[data-row]').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/contacts\/[0-9a-f-]{36}/)
  await page.goBack()
  await expect(progress).toContainText(/Changing [\d,]+ of [\d,]+…/)
  await page.reload()
  await expect(progress).toContainText(/Changing [\d,]+ of [\d,]+…/)
  // Only the next page learns that it has finished.
  page.once('framenavigated', () => {
    isLong = false
  })
  await page.reload()
  const toast = page.getByRole('status').filter({ hasText: /^[\d,]+ patients tagged \w/ })
  await expect(toast).toBeVisible()
  await expect(progress).toBeHidden()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Undone for [\d,]+ patients$/)).toBeVisible()
  // The result is not shown again.
  const asked = page.waitForResponse('**/api/bulk-changes/current')
  await page.reload()
  await (await asked).finished()
  await waitForRender(page)
  await expect(page.getByText(/patients tagged|Undone for/)).toHaveCount(0)
})

test('shows the result of a bulk change, with Undo, on another page', async ({ open }) => {
  const page = await open('provider', '/contacts')
  const left = Promise.withResolvers<void>()
  await page.route('**/api/bulk-changes', async (route) => {
    await left.promise
    await route.continue()
  })
  await tagAllPatients(page)
  await page.getByRole('link', { name: 'Surgeries' }).click()
  await expect(page).toHaveURL('/surgeries')
  left.resolve()
  const toast = page.getByRole('status').filter({ hasText: /^[\d,]+ patients tagged \w/ })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Undone for [\d,]+ patients$/)).toBeVisible()
})

test('asks for confirmation before changing more than 200 patients, and changes nothing on cancel', async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('checkbox', { name: 'Select this page' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected patients' })
  await bar.getByRole('button', { name: /^Select all/ }).click()
  await bar.getByRole('button', { name: 'Follow-up' }).click()
  await page.getByRole('menuitem', { name: /In a week/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Set follow-up of \d+ patients\?$/ })
  await expect(dialog).toContainText('undo it afterwards')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(bar).toContainText(/\d{3} selected/)
})
