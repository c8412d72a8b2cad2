import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { consentPdf, documentsUrl, documentList, createPatient, type Patient, photoPng, documentRow } from '../pages/patient-documents.ts'

const file = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer })

async function upload(page: Page, { id }: Patient, name: string, data: Buffer): Promise<string> {
  const response = await page.request.post(`/api/contacts/${id}/documents?name=${encodeURIComponent(name)}&type=other`, {
    data,
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(response.status(), 'uploaded').toBe(201)
  return ((await response.json()) as { id: string }).id
}

const menu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A toast with this text. */
const toastMessage = (page: Page, text: string) =>
  page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('listitem')
    .filter({ hasText: text })

test('uploads several files, and shows why one is refused without stopping the rest', async ({ open, expectedErrors }) => {
  expectedErrors.push('422')
  const page = await open('sales', '/contacts')
  const patient = await createPatient(page)
  await page.goto(`/contacts/${patient.id}`)
  await page.getByRole('tab', { name: 'Documents' }).click()
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Consent form' }).click()
  const damaged = Buffer.from('not the start of a PDF')
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      file('consent.pdf', consentPdf),
      file('damaged.pdf', damaged),
      file('setup.exe', damaged),
      file('before.png', photoPng),
      file('after.png', photoPng),
    ])
  await expect(documentList(page).getByRole('listitem')).toHaveCount(3)
  await expect(documentRow(page, 'consent.pdf')).toContainText('Consent form')
  await expect(documentRow(page, 'consent.pdf')).toContainText('Mireille Daoust')
  await expect(documentRow(page, 'before.png')).toContainText('Not shared with the patient')
  await expect(page.getByRole('tab', { name: 'Documents' })).toHaveText(/3$/)
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await expect(uploads.getByRole('listitem')).toHaveCount(2)
  await expect(uploads.getByRole('listitem').filter({ hasText: 'setup.exe' })).toContainText('This file type is not supported')
  const refused = uploads.getByRole('listitem').filter({ hasText: 'damaged.pdf' })
  await expect(refused.getByRole('alert')).toBeVisible()
  await refused.getByRole('button', { name: 'Retry damaged.pdf' }).click()
  await expect(refused.getByRole('alert')).toBeVisible()
  await refused.getByRole('button', { name: 'Dismiss damaged.pdf' }).click()
  await uploads.getByRole('button', { name: 'Dismiss setup.exe' }).click()
  await expect(uploads).toHaveCount(0)
})

test('continues an upload while another page is open, cancels one, and accepts dropped files', async ({ open }) => {
  const page = await open('frontdesk', '/contacts')
  const patient = await createPatient(page)
  const gate = Promise.withResolvers<void>()
  await page.route('**/documents?name=slow*', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.route('**/documents?name=never*', () => undefined)
  await page.goto(documentsUrl(patient))
  await expect(page.getByText('No documents yet')).toBeVisible()
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['%PDF-'], 'never.pdf'))
    return transfer
  })
  await page.getByText('No documents yet').dispatchEvent('drop', { dataTransfer: data })
  await page.getByLabel('Files to upload').setInputFiles(file('slow.png', photoPng))
  await expect(page.getByRole('progressbar', { name: /never\.pdf/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel never.pdf' }).click()
  await expect(page.getByRole('progressbar', { name: /never\.pdf/ })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  gate.resolve()
  await expect(page.getByRole('tab', { name: 'Documents' })).toHaveText(/1$/)
  await page.getByRole('tab', { name: 'Documents' }).click()
  await expect(documentRow(page, 'slow.png')).toBeVisible()
})

test('previews images and each page of a PDF, and moves to neighbours by arrow keys', async ({ open }) => {
  const page = await open('provider', '/contacts')
  const patient = await createPatient(page)
  await upload(page, patient, 'before.png', photoPng)
  await upload(page, patient, 'consent.pdf', consentPdf)
  await page.goto(documentsUrl(patient))
  await page.getByRole('button', { name: 'consent.pdf', exact: true }).click()
  const pdf = page.getByRole('dialog', { name: 'consent.pdf' })
  await expect(pdf.getByText('I agree to the operation.')).toBeAttached()
  await expect(pdf.getByText('Page 1 of 2')).toBeVisible()
  await expect(pdf.locator('canvas').first()).toBeVisible()
  // It opens with the whole page visible.
  const [viewport, first] = [pdf.getByRole('region', { name: 'consent.pdf' }), pdf.getByRole('group', { name: 'Page 1 of 2' })]
  const [frame, sheet] = [(await viewport.boundingBox())!, (await first.boundingBox())!]
  expect(sheet.y).toBeGreaterThanOrEqual(frame.y)
  expect(sheet.y + sheet.height).toBeLessThanOrEqual(frame.y + frame.height)
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

test('renames a document in place, categorizes, describes, shares, deletes and restores it', async ({ open }) => {
  const page = await open('sales', '/contacts')
  const patient = await createPatient(page)
  await upload(page, patient, 'scan.pdf', consentPdf)
  await page.goto(documentsUrl(patient))
  await menu(page, 'scan.pdf', 'Rename')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Consent, signed')
  await page.keyboard.press('Enter')
  await expect(documentRow(page, 'Consent, signed.pdf')).toBeVisible()

  await menu(page, 'Consent, signed.pdf', 'Share with the patient')
  await expect(documentRow(page, 'Consent, signed.pdf')).toContainText('Shared with the patient')
  await toastMessage(page, 'is shared with the patient').getByRole('button', { name: 'Undo' }).click()
  await expect(documentRow(page, 'Consent, signed.pdf')).toContainText('Not shared with the patient')

  await menu(page, 'Consent, signed.pdf', 'Category and description…')
  const dialog = page.getByRole('dialog', { name: 'Document details' })
  await dialog.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Consent form' }).click()
  await dialog.getByLabel('Description').fill('Both pages are signed.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(documentRow(page, 'Consent, signed.pdf')).toContainText('Consent form')
  await expect(documentRow(page, 'Consent, signed.pdf')).toContainText('Both pages are signed.')

  await menu(page, 'Consent, signed.pdf', 'Delete')
  await expect(page.getByText('No documents yet')).toBeVisible()
  await page.getByRole('listitem').filter({ hasText: 'Consent, signed.pdf deleted' }).getByRole('button', { name: 'Undo' }).click()
  await expect(documentRow(page, 'Consent, signed.pdf')).toBeVisible()
})

test('shows a conflicting rename, keeps what was typed, and can save it', async ({ open, expectedErrors }) => {
  expectedErrors.push('409')
  const ownPage = await open('sales', '/contacts')
  const patient = await createPatient(ownPage)
  const document = await upload(ownPage, patient, 'scan.pdf', consentPdf)
  await ownPage.goto(documentsUrl(patient))
  await menu(ownPage, 'scan.pdf', 'Rename')
  await ownPage.keyboard.type('Ours')
  const otherPage = await open('provider', documentsUrl(patient))
  await menu(otherPage, 'scan.pdf', 'Rename')
  await otherPage.keyboard.type('Theirs')
  await otherPage.keyboard.press('Enter')
  await expect(documentRow(otherPage, 'Theirs.pdf')).toBeVisible()
  await ownPage.getByRole('button', { name: 'Save' }).click()
  await expect(ownPage.getByRole('alert')).toContainText('Someone else renamed it to “Theirs.pdf”')
  await expect(ownPage.getByLabel('Name', { exact: true })).toHaveValue('Ours')
  await ownPage.getByRole('button', { name: 'Save' }).click()
  await expect(documentRow(ownPage, 'Ours.pdf')).toBeVisible()
  await expect(documentRow(otherPage, 'Ours.pdf')).toBeVisible()
  // Independent changes are merged silently.
  await menu(ownPage, 'Ours.pdf', 'Rename')
  await ownPage.keyboard.type('Consent')
  const response = await otherPage.request.patch(`/api/documents/${document}`, { data: { version: 3, description: 'Signed' } })
  expect(response.status(), await response.text()).toBe(200)
  await ownPage.getByRole('button', { name: 'Save' }).click()
  await expect(documentRow(ownPage, 'Consent.pdf')).toContainText('Signed')
})

test('hides documents from billing, on the tab and in the queue', async ({ open }) => {
  const admin = await open('sales', '/contacts')
  const patient = await createPatient(admin)
  const page = await open('billing', documentsUrl(patient))
  await expect(page.getByRole('heading', { name: 'The billing role cannot see documents' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Documents to review/ })).toHaveCount(0)
  await page.goto('/documents')
  await expect(page.getByRole('heading', { name: 'The billing role cannot see documents' })).toBeVisible()
})
