import fs from 'node:fs'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '../support/clinic.ts'
import { consentPdf, createPatient, photoPng } from '../pages/patient-documents.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('imports tasks by mouse and undoes the import', async ({ open }) => {
  const page = await open('sales', '/contacts/import')
  const patient = await createPatient(page)
  await page.getByRole('radio', { name: 'Tasks' }).click()
  const template = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Excel template' }).click()
  expect((await template).suggestedFilename()).toBe('tasks to import.xlsx')
  const row = (title: string, email = patient.email) => `${title},${email},2199-01-31,14:30,sales@refyne.example\n`
  await page
    .getByLabel('CSV or Excel file')
    .setInputFiles(
      file(
        'tasks.csv',
        `Task,Email,Due,Time,Owner\n${row('Call about the quote')}${row('Send papers')}${row('Whose', 'nobody@import.example')}`,
      ),
    )
  await expect(page.getByRole('combobox', { name: 'Field for “Owner”' })).toHaveText('Assignees')
  await page.getByRole('button', { name: 'Check 3 rows' }).click()
  await expect(page.getByText('Email: No patient has this email “nobody@import.example”')).toBeVisible()
  await page.getByRole('button', { name: 'Import 2 tasks' }).click()
  await expect(page.getByRole('heading', { name: '2 tasks added' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download rejected rows' })).toBeVisible()
  const address = page.url()
  await page.goto(`/contacts/${patient.id}`)
  await expect(page.getByText('Send papers').first()).toBeVisible()
  await page.goto(address)
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog', { name: 'Undo this import?' }).getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('heading', { name: 'The import was undone' })).toBeVisible()
})

test('imports a folder of documents with its table, and names missing, damaged and unlisted files', async ({
  open,
  expectedErrors,
}, info) => {
  expectedErrors.push('422')
  const folder = info.outputPath('papers')
  const inner = path.join(folder, 'silva')
  fs.mkdirSync(inner, { recursive: true })
  const page = await open('sales', '/contacts/import?what=documents')
  const patient = await createPatient(page)
  const names = ['silva/consent.pdf', 'before.png', 'damaged.pdf', 'missing.pdf']
  const table = `File,Email,Kind\n${names.map((name) => `${name},${patient.email},Photo\n`).join('')}`
  for (const [name, bytes] of [
    ['papers.csv', Buffer.from(table)],
    ['silva/consent.pdf', consentPdf],
    ['before.png', photoPng],
    ['damaged.pdf', Buffer.from('nothing that a PDF begins with')],
    ['nobody.png', photoPng],
    ['notes.txt', Buffer.from('notes')],
    ['.DS_Store', Buffer.from('x')],
  ] as const)
    fs.writeFileSync(path.join(folder, name), bytes)

  await page.getByLabel('CSV or Excel file').setInputFiles(file('papers.csv', table))
  await expect(page.getByText('No files yet')).toBeVisible()
  await page.getByLabel('Folder of files').setInputFiles(folder)
  await expect(page.getByText(/^3 files, /)).toBeVisible()
  const refused = page.getByRole('list', { name: 'Rejected files' })
  await expect(refused.getByRole('listitem')).toHaveCount(2)
  await expect(refused).toContainText('papers/damaged.pdf')
  await expect(refused).toContainText('papers/notes.txt')
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])

  await page.getByRole('button', { name: 'Check 4 rows' }).click()
  await expect(page.getByText('File: No file with this name was uploaded “missing.pdf”')).toBeVisible()
  await page.getByRole('tab', { name: /Files without a row/ }).click()
  await expect(page.getByText('papers/nobody.png')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await page.getByRole('button', { name: 'Import 2 documents' }).press('Enter')
  await expect(page.getByRole('heading', { name: '2 documents added' })).toBeVisible()
  await page.goto(`/contacts/${patient.id}`)
  const listed = await page.request.get(`/api/contacts/${patient.id}/documents`)
  expect(((await listed.json()) as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(['before.png', 'consent.pdf'])
})
