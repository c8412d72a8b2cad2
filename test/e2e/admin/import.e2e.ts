import { buffer as buffered } from 'node:stream/consumers'
import { dayCell, type SheetCell, xlsxFile } from '../../formats/sheets.ts'
import { expect, test } from '../support/clinic.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('checks, imports and undoes a file by mouse, and downloads its rejected rows', { tag: '@journey' }, async ({ open }) => {
  const page = await open('sales', '/contacts')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Import patients' }).click()
  const text = `First Name,Last Name,Email,Favourite colour\nImported,One,one@mouse.example,red\nImported,Two,two@mouse.example,blue\nImported,,no one,green\n`
  await page.getByLabel('CSV or Excel file').setInputFiles(file('mouse.csv', text))
  await expect(page.getByRole('combobox', { name: 'Field for “Email”' })).toHaveText('Email')
  await page.getByRole('combobox', { name: 'Field for “Favourite colour”' }).click()
  await page.getByRole('option', { name: 'Tags' }).click()
  await page.getByRole('button', { name: 'Check 3 rows' }).click()

  await expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible()
  await expect(page.getByText('Row 4')).toBeVisible()
  await expect(page.getByText('Email: Please enter a valid email address “no one”')).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 patients' }).click()
  await expect(page.getByRole('heading', { name: '2 patients added' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download rejected rows' }).click()
  expect((await download).suggestedFilename()).toBe('mouse - not imported.csv')
  await page.getByRole('link', { name: 'Show patients' }).click()
  await expect(page.getByRole('table', { name: 'Patients' }).getByRole('link', { name: 'Imported One' })).toBeVisible()

  await page.goBack()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible()
})

test('imports by keyboard at 375 px without horizontal scrolling', async ({ open, expectedErrors }) => {
  expectedErrors.push('422')
  const page = await open('sales', '/contacts/import')
  await page.setViewportSize({ width: 375, height: 812 })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file' }).press('Enter')
  await (await chooser).setFiles(file('keyboard.csv', 'Name,Email,Surgery date\nKey Board,key@board.example,03/04/2026\n'))
  const check = page.getByRole('button', { name: 'Check 1 row' })
  await check.press('Enter')
  await expect(page.getByText('Choose the order of day and month')).toBeVisible()
  await page.getByRole('radio', { name: 'Day first' }).press('Space')
  await check.press('Enter')
  await page.getByRole('button', { name: 'Import 1 patient' }).press('Enter')
  await expect(page.getByRole('heading', { name: '1 patient added' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.getByRole('button', { name: 'Undo import' }).press('Enter')
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible()
})

test('shows why a file cannot be read, and names who may import to other roles', async ({ open, expectedErrors }) => {
  expectedErrors.push('422')
  const page = await open('sales', '/contacts/import')
  await page.getByLabel('CSV or Excel file').setInputFiles(file('empty.csv', 'Name,Email\n'))
  await expect(page.getByRole('alert')).toContainText('This file has headers but no rows')
  const other = await open('frontdesk', '/contacts/import')
  await expect(other.getByText('Administrators and sales representatives can import')).toBeVisible()
})

test('exports the filtered view from the list', async ({ open }) => {
  const page = await open('sales', '/contacts?search=a')
  await page.getByRole('button', { name: 'More' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export CSV, these columns' }).click()
  expect((await download).suggestedFilename()).toMatch(/^patients-\d{4}-\d{2}-\d{2}\.csv$/)
})

test('imports the second sheet of a spreadsheet with 20,000 rows, 137 of them invalid', async ({ open, expectedErrors }) => {
  test.slow()
  expectedErrors.push('409')
  const page = await open('sales', '/contacts/import')
  const rows = Array.from({ length: 20_000 }, (_row, i): SheetCell[] => [
    'Sheet',
    `Patient ${i}`,
    i % 146 === 7 ? 'nobody' : `sheet${i}@many.example`,
    dayCell('2026-11-20'),
  ])
  const buffer = await xlsxFile([
    { name: 'Notes', rows: [['Read me'], ['first']] },
    { name: 'Patients', rows: [['First Name', 'Last Name', 'Email', 'Surgery date'], ...rows] },
  ])
  await page.getByLabel('CSV or Excel file').setInputFiles({
    name: 'many.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer,
  })
  await page.getByRole('list', { name: 'Sheets' }).getByRole('button', { name: 'Patients' }).click()
  await page.getByRole('button', { name: 'Check 20,000 rows' }).click()
  await expect(page.getByRole('button', { name: 'Import 19,863 patients' })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Import 19,863 patients' }).click()
  await expect(page.getByRole('heading', { name: '19,863 patients added' })).toBeVisible({ timeout: 120_000 })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download rejected rows' }).click()
  const refused = await buffered(await (await download).createReadStream())
  expect(refused.toString().trim().split('\n')).toHaveLength(138)
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible({ timeout: 120_000 })
})
