import type { Page } from '@playwright/test'
import { expect, test } from './clinic.ts'
import { consent, documentsOf, list, newPatient, type Patient, photo, row } from './papers.ts'

const file = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer })

async function upload(page: Page, { id }: Patient, name: string, data: Buffer): Promise<string> {
  const answer = await page.request.post(`/api/contacts/${id}/documents?name=${encodeURIComponent(name)}&type=other`, {
    data,
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(answer.status(), 'uploaded').toBe(201)
  return ((await answer.json()) as { id: string }).id
}

const menu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A message of the page's. */
const said = (page: Page, text: string) =>
  page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('listitem')
    .filter({ hasText: text })

test('issue 5: several files are uploaded; one that is refused says why and does not stop the rest', async ({ open, expectedErrors }) => {
  expectedErrors.push('422')
  const page = await open('sales', '/contacts')
  const patient = await newPatient(page)
  await page.goto(`/contacts/${patient.id}`)
  await page.getByRole('tab', { name: 'Documents' }).click()
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Consent form' }).click()
  const damaged = Buffer.from('nothing that a PDF begins with')
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      file('consent.pdf', consent),
      file('damaged.pdf', damaged),
      file('setup.exe', damaged),
      file('before.png', photo),
      file('after.png', photo),
    ])
  await expect(list(page).getByRole('listitem')).toHaveCount(3)
  await expect(row(page, 'consent.pdf')).toContainText('Consent form')
  await expect(row(page, 'consent.pdf')).toContainText('Mireille Daoust')
  await expect(row(page, 'before.png')).toContainText('Not shared with the patient')
  await expect(page.getByRole('tab', { name: 'Documents' })).toHaveText(/3$/)
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await expect(uploads.getByRole('listitem')).toHaveCount(2)
  await expect(uploads.getByRole('listitem').filter({ hasText: 'setup.exe' })).toContainText('This type of file cannot be taken')
  const refused = uploads.getByRole('listitem').filter({ hasText: 'damaged.pdf' })
  await expect(refused.getByRole('alert')).toBeVisible()
  await refused.getByRole('button', { name: 'Retry damaged.pdf' }).click()
  await expect(refused.getByRole('alert')).toBeVisible()
  await refused.getByRole('button', { name: 'Dismiss damaged.pdf' }).click()
  await uploads.getByRole('button', { name: 'Dismiss setup.exe' }).click()
  await expect(uploads).toHaveCount(0)
})

test('issue 5: an upload goes on while another page is open, and can be cancelled; files are dropped on the tab', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const patient = await newPatient(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/documents?name=slow*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.route('**/documents?name=never*', () => undefined)
  await page.goto(documentsOf(patient))
  await expect(page.getByText('No documents yet')).toBeVisible()
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['%PDF-'], 'never.pdf'))
    return transfer
  })
  await page.getByText('No documents yet').dispatchEvent('drop', { dataTransfer: data })
  await page.getByLabel('Files to upload').setInputFiles(file('slow.png', photo))
  await expect(page.getByRole('progressbar', { name: /never\.pdf/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel never.pdf' }).click()
  await expect(page.getByRole('progressbar', { name: /never\.pdf/ })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  held.resolve()
  await expect(page.getByRole('tab', { name: 'Documents' })).toHaveText(/1$/)
  await page.getByRole('tab', { name: 'Documents' }).click()
  await expect(row(page, 'slow.png')).toBeVisible()
})

test('issue 5: an image and each page of a PDF are seen; the arrow keys go to the neighbours', async ({ open }) => {
  const page = await open('provider', '/contacts')
  const patient = await newPatient(page)
  await upload(page, patient, 'before.png', photo)
  await upload(page, patient, 'consent.pdf', consent)
  await page.goto(documentsOf(patient))
  await page.getByRole('button', { name: 'consent.pdf', exact: true }).click()
  const pdf = page.getByRole('dialog', { name: 'consent.pdf' })
  await expect(pdf.getByText('I agree to the operation.')).toBeAttached()
  await expect(pdf.getByText('Page 1 of 2')).toBeVisible()
  await expect(pdf.locator('canvas').first()).toBeVisible()
  // It opens with its whole page in sight.
  const [room, first] = [pdf.getByRole('region', { name: 'consent.pdf' }), pdf.getByRole('group', { name: 'Page 1 of 2' })]
  const [around, whole] = [(await room.boundingBox())!, (await first.boundingBox())!]
  expect(whole.y).toBeGreaterThanOrEqual(around.y)
  expect(whole.y + whole.height).toBeLessThanOrEqual(around.y + around.height)
  await page.keyboard.press('End')
  await expect(pdf.getByText('Signed in Oakville.')).toBeAttached()
  await expect(pdf.getByText('Page 2 of 2')).toBeVisible()
  await pdf.getByRole('button', { name: 'Larger' }).click()
  await expect(pdf.getByRole('button', { name: 'Zoom 150%' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const image = page.getByRole('dialog', { name: 'before.png' })
  await expect(image.getByRole('img', { name: 'before.png' })).toHaveJSProperty('naturalWidth', 320)
  const download = page.waitForEvent('download')
  await image.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('before.png')
  await page.keyboard.press('ArrowLeft')
  await expect(pdf).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('issue 5: a document is renamed in place, filed, described, shared, deleted and brought back', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const patient = await newPatient(page)
  await upload(page, patient, 'scan.pdf', consent)
  await page.goto(documentsOf(patient))
  await menu(page, 'scan.pdf', 'Rename')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Consent, signed')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Consent, signed.pdf')).toBeVisible()

  await menu(page, 'Consent, signed.pdf', 'Share with the patient')
  await expect(row(page, 'Consent, signed.pdf')).toContainText('Shared with the patient')
  await said(page, 'is shared with the patient').getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Consent, signed.pdf')).toContainText('Not shared with the patient')

  await menu(page, 'Consent, signed.pdf', 'Category and description…')
  const dialog = page.getByRole('dialog', { name: 'Document details' })
  await dialog.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Consent form' }).click()
  await dialog.getByLabel('Description').fill('Both pages are signed.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Consent, signed.pdf')).toContainText('Consent form')
  await expect(row(page, 'Consent, signed.pdf')).toContainText('Both pages are signed.')

  await menu(page, 'Consent, signed.pdf', 'Delete')
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.getByRole('listitem').filter({ hasText: 'Consent, signed.pdf deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Consent, signed.pdf')).toBeVisible()
})

test('issue 5: two who name one document: theirs is shown, what was typed stays, and can be kept', async ({ open, expectedErrors }) => {
  expectedErrors.push('409')
  const mine = await open('sales', '/contacts')
  const patient = await newPatient(mine)
  const document = await upload(mine, patient, 'scan.pdf', consent)
  await mine.goto(documentsOf(patient))
  await menu(mine, 'scan.pdf', 'Rename')
  await mine.keyboard.type('Ours')
  const theirs = await open('provider', documentsOf(patient))
  await menu(theirs, 'scan.pdf', 'Rename')
  await theirs.keyboard.type('Theirs')
  await theirs.keyboard.press('Enter')
  await expect(row(theirs, 'Theirs.pdf')).toBeVisible()
  await mine.getByRole('button', { name: 'Save' }).click()
  await expect(mine.getByRole('alert')).toContainText('Someone else has named it “Theirs.pdf” in the meantime')
  await expect(mine.getByLabel('Name', { exact: true })).toHaveValue('Ours')
  await mine.getByRole('button', { name: 'Save' }).click()
  await expect(row(mine, 'Ours.pdf')).toBeVisible()
  await expect(row(theirs, 'Ours.pdf')).toBeVisible()
  // What does not concern each other is put together without a word.
  await menu(mine, 'Ours.pdf', 'Rename')
  await mine.keyboard.type('Consent')
  const answer = await theirs.request.patch(`/api/documents/${document}`, { data: { version: 3, description: 'Signed' } })
  expect(answer.status(), await answer.text()).toBe(200)
  await mine.getByRole('button', { name: 'Save' }).click()
  await expect(row(mine, 'Consent.pdf')).toContainText('Signed')
})

test('issue 5: billing sees no documents, on the tab and in the queue, and is asked nothing', async ({ open }) => {
  const admin = await open('sales', '/contacts')
  const patient = await newPatient(admin)
  const page = await open('billing', documentsOf(patient))
  await expect(page.getByRole('heading', { name: 'Billing sees no documents' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Documents to review/ })).toHaveCount(0)
  await page.goto('/documents')
  await expect(page.getByRole('heading', { name: 'Billing sees no documents' })).toBeVisible()
})
